import { AppError } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { ClientScope, DeveloperPrincipal } from '../core/principal.js';
import { randomToken, tokenHash } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import { CLIENT_TOKEN_PREFIX } from './token.service.js';

export interface ClientTokenRequest {
  scopes: readonly ClientScope[];
  /** With the scope `order`, and only then: a payment of the developer's. */
  orderId: string | undefined;
  expiresInSeconds: number;
  maxSpendPaise: Paise;
}

/** What the fees of a client token may come to. */
export interface SpendingCaps {
  /** Counts a fee before it is taken. Errors: SPENDING_CAP_REACHED. */
  reserve(tokenHash: Buffer, feePaise: Paise): Promise<void>;
  /** A fee that was not taken after all. */
  giveBack(tokenHash: Buffer, feePaise: Paise): Promise<void>;
}

/** Tokens for browsers and apps, made by servers of theirs: short-lived, for a few fields, with a cap on fees. */
export class ClientTokenService implements SpendingCaps {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** It ends with the token that it was made with, if that ends first. */
  async issue(principal: DeveloperPrincipal, request: ClientTokenRequest): Promise<{ token: string; expiresAt: Date }> {
    const token = randomToken(CLIENT_TOKEN_PREFIX[principal.environment]);
    const { scopes, orderId, maxSpendPaise, expiresInSeconds } = request;
    const { rows } = await this.#db.query<{ expires_ms: string }>({
      name: 'issue-client-token',
      text: `insert into client_token (token_hash, parent_hash, scopes, order_id, max_spend_paise, expires_at)
        select $1, token_hash, $3, $4, $5, least(expires_at, now() + $6 * interval '1 second')
        from access_token where token_hash = $2 and revoked_at is null
        returning (extract(epoch from expires_at) * 1000)::bigint::text as expires_ms`,
      values: [tokenHash(token), principal.tokenHash, scopes, orderId ?? null, maxSpendPaise, expiresInSeconds],
    });
    // revoked in the same instant
    if (!rows[0]) throw new AppError('UNAUTHENTICATED');
    return { token, expiresAt: new Date(Number(rows[0].expires_ms)) };
  }

  async reserve(hash: Buffer, feePaise: Paise): Promise<void> {
    const { rowCount } = await this.#db.query({
      name: 'reserve-client-spend',
      text: `update client_token set spent_paise = spent_paise + $2
        where token_hash = $1 and spent_paise + $2 <= max_spend_paise`,
      values: [hash, feePaise],
    });
    if (rowCount === 0) throw new AppError('SPENDING_CAP_REACHED');
  }

  async giveBack(hash: Buffer, feePaise: Paise): Promise<void> {
    await this.#db.query({
      name: 'give-back-client-spend',
      text: 'update client_token set spent_paise = spent_paise - $2 where token_hash = $1',
      values: [hash, feePaise],
    });
  }
}
