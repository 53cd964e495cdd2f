import { indianTime, instantOrNull } from '../../core/clock.js';
import type { Origin } from '../../core/context.js';
import type { Environment } from '../../core/environment.js';
import { AppError, type CallOwner, fieldError, type Rejection } from '../../core/errors.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { hasChecksum, randomToken, sameBytes } from '../../core/secret.js';
import type { Queryable } from '../../db/pool.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { environmentOf, TOKEN_PREFIX } from '../principal.reader.js';
import { KEY_HAS_STARTED, KEY_IS_LIVE } from './credential.state.js';

interface Credentials {
  clientId: string;
  apiSecret: string;
}

interface TokenRequest extends Credentials {
  environment: Environment;
  deviceName?: string;
}

interface IssuedToken {
  token: string;
  environment: Environment;
  expiresAt: Date;
}

export interface TokenOptions {
  rowKeys: RowKeys;
  /** Number of days without use after which a token expires, and its maximum lifetime. */
  tokenIdleDays: number;
  tokenMaxDays: number;
  /** Maximum number of active tokens per client ID. `token_issue` defines what happens at the limit. */
  tokensPerCredential: number;
  /** Base URL of each environment. The error for a wrong host names it. */
  baseUrls: Record<Environment, string>;
}

export const CLIENT_ID_PREFIX: Record<Environment, string> = { uat: 'cid_uat_', production: 'cid_live_' };
const CLIENT_ID = /^cid_[\w-]{1,100}$/;
export const SECRET_PREFIX: Record<Environment, string> = { uat: 'sk_uat_', production: 'sk_live_' };

/** Returns the 401 error for credentials sent to the host of the other environment. */
export function wrongHost(
  environment: Environment,
  baseUrls: Record<Environment, string>,
  owner: Rejection['owner'],
): AppError {
  return new AppError('WRONG_HOST', {
    rejection: { owner },
    message: `These credentials are valid only on the ${environment} host, ${baseUrls[environment]}.`,
  });
}

/** Returns the error for credentials sent to the right host with the name of the other environment. */
function wrongWord(host: Environment): AppError {
  return fieldError('input.environment', 'COMBINATION', `This API key is for the ${host} environment. Send "${host}".`);
}

/** Exchanges client credentials for a Bearer token (interface.md 4.1). */
export class TokenService {
  constructor(
    private readonly db: Queryable,
    private readonly attempts: Attempts,
    private readonly options: TokenOptions,
  ) {}

  /**
   * Issues a token. Throws WRONG_HOST (based only on the client ID, not counted as a failure) and TOO_MANY_FAILED_EXCHANGES (only
   * for a wrong secret). Throws INVALID_CREDENTIALS with the same text for all causes except a start time in the future. That
   * cause has a separate text, which is returned only for the right secret. Throws VALIDATION_FAILED for valid credentials with
   * the name of the other environment. After that, checks the account state: SUSPENDED, ONBOARDING_INCOMPLETE, PRODUCTION_LOCKED.
   */
  async issue(request: TokenRequest, host: Environment, origin: Origin): Promise<IssuedToken> {
    const { baseUrls, rowKeys } = this.options;
    const made = environmentOf(CLIENT_ID_PREFIX, request.clientId);
    if (made && made !== host)
      throw wrongHost(made, baseUrls, { key: request.clientId, find: () => this.#ownerOf(request, made) });

    const attempt = { kind: 'exchange', identifier: request.clientId, ...origin } as const;
    const account = await this.attempts.countFailures(attempt, () => this.#provedAccount(request, host));
    // this is checked only after the secret, so that others learn neither that the API key exists nor its environment
    if (!account.has_started)
      throw new AppError('INVALID_CREDENTIALS', {
        message: `This API key is not valid before ${indianTime(new Date(account.starts_at!))}.`,
      });
    if (request.environment !== host) throw wrongWord(host);
    const rejection = { owner: { developerId: account.developer_id, environment: host } };
    if (account.suspended) throw new AppError('SUSPENDED', { rejection });
    if (account.onboarding_status !== 'approved') throw new AppError('ONBOARDING_INCOMPLETE', { rejection });
    if (host === 'production' && !account.production_unlocked) throw new AppError('PRODUCTION_LOCKED', { rejection });

    const token = randomToken(TOKEN_PREFIX[host]);
    const { tokensPerCredential } = this.options;
    const row = {
      tokenHash: rowKeys.lookup('access_token', token),
      developerId: account.developer_id,
      environment: host,
      clientId: request.clientId,
      sessionHash: null,
      latestExpiry: new Date(account.token_expires_at),
    };
    await this.db.query({
      name: 'issue-token',
      text: 'select token_issue($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [
        row.tokenHash,
        row.developerId,
        row.clientId,
        row.environment,
        request.deviceName ?? null,
        row.latestExpiry,
        tokensPerCredential,
        rowKeys.mac('access_token', row),
      ],
    });
    return { token, environment: host, expiresAt: row.latestExpiry };
  }

  /**
   * Returns the rate limit of the account. Undefined if it has none or if the secret is wrong, so that the limit of a request
   * does not reveal which client IDs exist.
   */
  async rateLimitOf(credentials: Credentials, host: Environment): Promise<number | undefined> {
    // the limit is checked before the input rules, and the database does not accept every text
    if (!CLIENT_ID.test(credentials.clientId)) return undefined;
    const account = await this.#accountIfProved(credentials, host);
    return account?.rate_limit_per_minute ?? undefined;
  }

  async #ownerOf(credentials: Credentials, environment: Environment): Promise<CallOwner | undefined> {
    const account = await this.#accountIfProved(credentials, environment);
    return account && { developerId: account.developer_id, environment };
  }

  /** Returns the account, or undefined for a wrong secret. */
  async #accountIfProved(credentials: Credentials, environment: Environment) {
    try {
      return await this.#provedAccount(credentials, environment);
    } catch (error) {
      if (error instanceof FailedAttempt) return undefined;
      throw error;
    }
  }

  /** Returns the account. Throws FailedAttempt for a wrong secret. */
  async #provedAccount({ clientId, apiSecret }: Credentials, host: Environment) {
    // a wrong checksum means that no API key has this secret
    if (!hasChecksum(apiSecret)) throw new FailedAttempt('mistyped secret');
    const found = await this.#accountOf(clientId, host);
    // also compares for an unknown client, so that the response time reveals nothing
    const startsAt = instantOrNull(found?.starts_at);
    const owner = { clientId, developerId: found?.developer_id ?? '', environment: host, startsAt };
    const hash = this.options.rowKeys.apiSecretHash(owner, apiSecret);
    const matches = sameBytes(hash, found?.secret_hash ?? Buffer.alloc(32));
    if (!found || !matches) throw new FailedAttempt(found ? 'wrong secret' : 'unknown client');
    return found;
  }

  async #accountOf(clientId: string, environment: Environment) {
    const { rows } = await this.db.query<{
      developer_id: DeveloperId;
      secret_hash: Buffer;
      starts_at: string | null;
      has_started: boolean;
      onboarding_status: OnboardingStatus;
      production_unlocked: boolean;
      suspended: boolean;
      rate_limit_per_minute: number | null;
      /** Expiry of a token that is issued now and never used. */
      token_expires_at: string;
    }>({
      name: 'credential-of-client',
      text: `select c.developer_id, c.secret_hash, c.starts_at, ${KEY_HAS_STARTED} as has_started, d.onboarding_status, d.production_unlocked, d.suspended_at is not null or c.suspended_at is not null as suspended,
          d.rate_limit_per_minute,
          -- an admin may have shortened the developer's tokens, and the key may end before the token
          date_trunc('milliseconds', least(now() + least($3::integer, d.token_idle_days, $4::integer, d.token_max_days) * interval '1 day',
            c.expires_at)) as token_expires_at
        from credential c join developer d on d.id = c.developer_id
        where c.client_id = $1 and c.environment = $2 and ${KEY_IS_LIVE}`,
      values: [clientId, environment, this.options.tokenIdleDays, this.options.tokenMaxDays],
    });
    return rows[0];
  }
}
