import { AppError } from '../../core/errors.js';
import { UUID } from '../../core/ids.js';
import { decimalText, type Paise, paise } from '../../core/money.js';
import { CLIENTS_SHARE, type ClientScope, type DeveloperId, type DeveloperPrincipal } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { randomToken } from '../../core/secret.js';
import type { Queryable } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../../graphql-toolkit/connection.js';
import { CLIENT_TOKEN_PREFIX } from '../principal.reader.js';
import type { ClientToken } from './client-token.types.js';

interface ClientTokenRequest {
  scopes: readonly ClientScope[];
  /** ID of a payment of the developer. Required with the scope `order`, otherwise not allowed. */
  orderId: string | undefined;
  expiresInSeconds: number;
  maxSpendPaise: Paise;
}

/** Limits on the lookup fees that client tokens can spend. */
export interface SpendingCaps {
  /** Reserves a fee before it is charged. Throws SPENDING_CAP_REACHED. */
  reserve(tokenHash: Buffer, feePaise: Paise): Promise<void>;
  /** Releases a fee that was not charged. */
  giveBack(tokenHash: Buffer, feePaise: Paise): Promise<void>;
}

interface IssuedClientToken {
  token: string;
  clientToken: ClientToken;
}

/** Account and environment of the tokens. */
type Owner = Pick<DeveloperPrincipal, 'developerId' | 'environment'>;

interface Row {
  id: string;
  developer_id: DeveloperId;
  order_id: string | null;
  scopes: readonly ClientScope[];
  client_id: string;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  max_spend_paise: string | Paise;
  spent_paise: string;
}

const COLUMNS = `c.id, c.developer_id, c.order_id, c.scopes, t.client_id, c.created_at, least(c.expires_at, t.expires_at) as expires_at, c.revoked_at,
  c.max_spend_paise::text as max_spend_paise, c.spent_paise::text as spent_paise`;

/** Result of `client_token_issue`: the new token, or the reason why there is none. */
type Made =
  | (Pick<Row, 'id' | 'created_at' | 'expires_at' | 'client_id'> & { live: string; free_in_ms: number })
  | { id: null; live: string; free_in_ms: number };

/** Short-lived tokens that servers create for browsers and apps, with a few permitted fields and a limit on fees. */
export class ClientTokenService implements SpendingCaps {
  /** @param defaultLimit calls per minute for an account without its own rate limit */
  constructor(
    private readonly db: Queryable,
    private readonly rowKeys: RowKeys,
    private readonly defaultLimit: number,
  ) {}

  /**
   * Creates a client token, which expires no later than the access token that creates it. Throws FORBIDDEN for a test token,
   * RATE_LIMITED at the maximum number of active client tokens, and UNAUTHENTICATED if the access token was just revoked.
   */
  async issue(principal: DeveloperPrincipal, request: ClientTokenRequest): Promise<IssuedClientToken> {
    const { developerId, environment, tokenHash: parentHash } = principal;
    // client tokens are limited per API key, and revoked with it
    if (principal.clientId === null)
      throw new AppError('FORBIDDEN', { message: 'A test token cannot create client tokens. Use an API key.' });
    const { scopes, orderId, maxSpendPaise, expiresInSeconds } = request;
    const token = randomToken(CLIENT_TOKEN_PREFIX[environment]);
    const tokenHash = this.rowKeys.lookup('client_token', token);
    const expiresAt = new Date(Date.now() + expiresInSeconds * 1_000);
    const granted = { tokenHash, parentHash, developerId, environment, scopes, orderId, maxSpendPaise, expiresAt };
    const { rows } = await this.db.query<Made>({
      name: 'issue-client-token',
      text: `select r_id as id, r_created_at as created_at, r_expires_at as expires_at, r_client_id as client_id, r_live as live,
          (extract(epoch from r_first_end - now()) * 1000)::float8 as free_in_ms
        from client_token_issue($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [
        tokenHash,
        parentHash,
        scopes,
        orderId ?? null,
        maxSpendPaise,
        expiresAt,
        this.defaultLimit,
        CLIENTS_SHARE,
        this.rowKeys.mac('client_token', granted),
      ],
    });
    const [made] = rows;
    if (!made) throw new AppError('UNAUTHENTICATED');
    if (made.id === null)
      throw new AppError('RATE_LIMITED', {
        message: `This account has ${made.live} active client tokens in ${environment}, which is the maximum. Revoke some with \`revokeClientToken\`, or wait until they expire.`,
        retryAfterMs: made.free_in_ms,
      });
    const row = { ...made, scopes, order_id: orderId ?? null, revoked_at: null, max_spend_paise: maxSpendPaise };
    return { token, clientToken: viewOf({ ...row, developer_id: developerId, spent_paise: '0' }) };
  }

  /** Returns a page of the account's active client tokens in its environment, newest first. Throws VALIDATION_FAILED. */
  async page({ developerId, environment }: Owner, request: PageRequest): Promise<Page<ClientToken>> {
    const slice = sliceOf('client-tokens', request, UUID);
    const { rows } = await this.db.query<Row>({
      name: slice.backwards ? 'client-tokens-back' : 'client-tokens',
      text: `select ${COLUMNS} from live_client_tokens($1, $2) c join access_token t on t.token_hash = c.parent_hash
        where ($3::uuid is null or c.id < $3) and ($4::uuid is null or c.id > $4)
        order by c.id ${slice.backwards ? 'asc' : 'desc'} limit $5`,
      values: [developerId, environment, slice.after ?? null, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, (row) => row.id, viewOf);
  }

  /** Returns the number of active client tokens. `issue` limits them to ten times the rate limit of the account. */
  async count({ developerId, environment }: Owner): Promise<number> {
    const { rows } = await this.db.query<{ count: number }>({
      name: 'client-tokens-count',
      text: 'select count(*)::integer as count from live_client_tokens($1, $2)',
      values: [developerId, environment],
    });
    return rows[0]!.count;
  }

  /** Returns a client token of the account, active or not, or undefined if there is none. */
  async find({ developerId, environment }: Owner, id: string): Promise<ClientToken | undefined> {
    const { rows } = await this.db.query<Row>({
      name: 'client-token',
      text: `select ${COLUMNS} from client_token c join access_token t on t.token_hash = c.parent_hash
        where c.developer_id = $1 and c.environment = $2 and c.id = $3`,
      values: [developerId, environment, id],
    });
    return rows[0] && viewOf(rows[0]);
  }

  /**
   * Revokes a client token. Has no effect if it is already revoked. Throws RECORD_NOT_FOUND, also for a token of another
   * account or environment.
   */
  async revoke(owner: Owner, id: string): Promise<ClientToken> {
    await this.db.query({
      name: 'revoke-client-token',
      text: `update client_token set revoked_at = now()
        where developer_id = $1 and environment = $2 and id = $3 and revoked_at is null`,
      values: [owner.developerId, owner.environment, id],
    });
    const revoked = await this.find(owner, id);
    if (!revoked) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown client token.' });
    return revoked;
  }

  async reserve(hash: Buffer, feePaise: Paise): Promise<void> {
    const { rowCount } = await this.db.query({
      name: 'reserve-client-spend',
      text: `update client_token set spent_paise = spent_paise + $2
        where token_hash = $1 and spent_paise + $2 <= max_spend_paise`,
      values: [hash, feePaise],
    });
    if (rowCount === 0) throw await this.#capReached(hash, feePaise);
  }

  async #capReached(hash: Buffer, feePaise: Paise): Promise<AppError> {
    const { rows } = await this.db.query<{ cap: string; left: string }>({
      name: 'client-spend-left',
      text: `select max_spend_paise::text as cap, (max_spend_paise - spent_paise)::text as left from client_token
        where token_hash = $1`,
      values: [hash],
    });
    const [cap, left] = [paise(rows[0]?.cap ?? 0), paise(rows[0]?.left ?? 0)];
    const message = `The fee of this lookup is ${decimalText(feePaise)} rupees. Of the spending limit of ${decimalText(cap)} rupees, ${decimalText(left)} rupees are left.`;
    return new AppError('SPENDING_CAP_REACHED', { message });
  }

  async giveBack(hash: Buffer, feePaise: Paise): Promise<void> {
    await this.db.query({
      name: 'give-back-client-spend',
      text: 'update client_token set spent_paise = spent_paise - $2 where token_hash = $1',
      values: [hash, feePaise],
    });
  }
}

const viewOf = (row: Row): ClientToken => ({
  id: row.id,
  developerId: row.developer_id,
  orderKey: row.order_id ?? undefined,
  scopes: [...row.scopes],
  clientId: row.client_id,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  revokedAt: row.revoked_at === null ? undefined : new Date(row.revoked_at),
  maxSpend: paise(row.max_spend_paise),
  spent: paise(row.spent_paise),
});
