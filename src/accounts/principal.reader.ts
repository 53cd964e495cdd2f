import type { Environment } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { paise } from '../core/money.js';
import type {
  ClientScope,
  DeveloperId,
  DeveloperPrincipal,
  Role,
  ServiceGrant,
  SessionPrincipal,
  TeamRole,
  UserId,
} from '../core/principal.js';
import type { CoveredRow, RowKeys } from '../core/row-keys.js';
import { hasChecksum } from '../core/secret.js';
import type { Service } from '../core/services.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable, Statement } from '../db/pool.js';
import { KEY_HAS_STARTED, KEY_IS_LIVE } from './keys/credential.state.js';
import type { FactorRequirements } from './second-factors/requirement.js';

export const TOKEN_PREFIX: Record<Environment, string> = { uat: 'at_uat_', production: 'at_live_' };
export const CLIENT_TOKEN_PREFIX: Record<Environment, string> = { uat: 'ct_uat_', production: 'ct_live_' };

/** Returns the environment of a token or client ID by its prefix, or undefined for other texts. */
export function environmentOf(prefixes: Record<Environment, string>, text: string): Environment | undefined {
  return (['uat', 'production'] as const).find((environment) => text.startsWith(prefixes[environment]));
}
export const environmentOfToken = (token: string): Environment | undefined =>
  environmentOf(TOKEN_PREFIX, token) ?? environmentOf(CLIENT_TOKEN_PREFIX, token);
const isClientToken = (token: string): boolean => environmentOf(CLIENT_TOKEN_PREFIX, token) !== undefined;

interface TokenRow extends Omit<DeveloperPrincipal, 'kind' | 'services' | 'rateLimitPerMinute' | 'client'> {
  useIsOld: boolean;
  /** Hash of the access token. For a client token, this is the parent token. */
  accessHash: Buffer;
  sessionHash: Buffer | null;
  accessMac: Buffer;
  latestExpiry: string;
  /** Expiry time of an API key's access token if it is used now. */
  nextExpiresAt?: string;
  /** Rights of a client token. Null for other tokens. */
  granted: ClientGrantRow | null;
  rateLimitPerMinute: number | null;
  services: Partial<Record<Service, [enabled: boolean, feePaise: string]>> | null;
}

/** Rights of a client token, as stored in its row. */
interface ClientGrantRow {
  scopes: ClientScope[];
  orderId: string | null;
  maxSpendPaise: string;
  expiresAt: string;
  /** MAC in hexadecimal. */
  mac: string;
}

/**
 * Whether the recorded last use is outdated. API keys with many tokens record more often, so that the token limit removes unused
 * ones.
 */
const USE_IS_OLD = `t.last_used_at < now() - case when c.many_tokens_since is null then interval '1 hour'
  when t.last_used_at = t.created_at then interval '1 second' else interval '1 minute' end`;

/** SQL: expiry of an API key's access token that is used now, from the idle days and the maximum days. */
const NEXT_EXPIRY = `date_trunc('milliseconds', least(now() + least($2::integer, d.token_idle_days) * interval '1 day',
  t.created_at + least($3::integer, d.token_max_days) * interval '1 day', c.expires_at))`;

/** SQL: whether a session `s` of a user `u` is valid, ignoring idle time. */
const SESSION_IS_LIVE = 's.expires_at > now() and s.revoked_at is null and u.disabled_at is null';

/** SQL: whether a session `s` of a user `u` is valid and not idle for too long. */
export const sessionIsOpen = (idleMinutes: string): string =>
  `${SESSION_IS_LIVE} and s.last_used_at > now() - ${idleMinutes} * interval '1 minute'`;
/** Returns SQL for the idle limit in minutes of an account `d` or of staff. */
export const idleMinutesOf = (staffIdleMinutes: string): string =>
  `coalesce(d.session_idle_minutes, ${staffIdleMinutes})`;

/**
 * Returns the SQL that finds a token and its account. A token is valid while its origin is valid: an API key, or the session
 * of a user who can create API keys.
 */
const principalsBy = (what: string, from: string): string => `
  select ${what}, t.token_hash as "accessHash", t.session_hash as "sessionHash", t.mac as "accessMac", t.latest_expiry as "latestExpiry", t.client_id as "clientId", t.environment, d.id as "developerId", d.account_number as "accountNumber", d.name, d.email,
    d.onboarding_status as "onboardingStatus", d.production_unlocked as "productionUnlocked", d.suspended_at is not null or c.suspended_at is not null as suspended,
    coalesce(w.recharge_provider, d.recharge_provider) as "rechargeProvider", d.rate_limit_per_minute as "rateLimitPerMinute", d.duplicate_guard_s as "duplicateGuardS",
    (select jsonb_object_agg(s.service, jsonb_build_array(s.enabled, s.fee_paise::text)) from service_access s where s.developer_id = d.id) as services,
    t.environment = 'uat' and exists (select from sandbox_scenario x where x.developer_id = d.id and x.reference is null) as "hasScenarios"
  from ${from}
  left join credential c on c.client_id = t.client_id
  join developer d on d.id = t.developer_id
  left join white_label w on w.id = d.white_label_id
  where t.expires_at > now() and t.revoked_at is null and ${KEY_IS_LIVE} and ${KEY_HAS_STARTED}
    and (t.session_hash is null or exists (select from session s join app_user u on u.id = s.user_id
      where s.session_hash = t.session_hash and ${sessionIsOpen('d.session_idle_minutes')} and u.team_role in ('owner', 'builder')))`;

const BY_TOKEN = `${principalsBy(
  `t.token_hash as "tokenHash", ${USE_IS_OLD} as "useIsOld", ${NEXT_EXPIRY} as "nextExpiresAt", null as granted`,
  'access_token t',
)} and t.token_hash = any($1)`;

const BY_CLIENT_TOKEN = `${principalsBy(
  `ct.token_hash as "tokenHash", false as "useIsOld", jsonb_build_object('scopes', ct.scopes, 'orderId', ct.order_id,
    'maxSpendPaise', ct.max_spend_paise::text, 'expiresAt', ct.expires_at, 'mac', encode(ct.mac, 'hex')) as granted`,
  `client_token ct join access_token t on t.token_hash = ct.parent_hash and t.developer_id = ct.developer_id
    and t.environment = ct.environment`,
)} and ct.token_hash = any($1) and ct.expires_at > now() and ct.revoked_at is null`;

/** Statement that the request never awaits. */
const TOKENS_USED = 'select tokens_used($1, $2, $3)';

/**
 * SQL that finds a session and its user. A session expires when it is idle. A setting defines the limit for staff; the owners
 * of an account define it for their users.
 */
const BY_SESSION = `
  select u.id, u.role, u.team_role, u.name, u.email, u.developer_id, s.last_used_at < now() - interval '1 minute' as "useIsOld",
    s.confirmed_at as "confirmedAt", s.expires_at as "expiresAt", s.mac, f.has as "hasFactor", coalesce(d.production_unlocked, false) as "productionUnlocked",
    coalesce(d.onboarding_status = 'approved' and d.suspended_at is null, false) as "isAccountApproved"
  from session s join app_user u on u.id = s.user_id
  left join developer d on d.id = u.developer_id
  cross join lateral (select exists (select from second_factor o
    where o.user_id = u.id and o.confirmed_at is not null and o.kind <> 'recovery_codes') as has) f
  where s.session_hash = $1 and ${sessionIsOpen(idleMinutesOf('$2'))}
    -- a session that was opened without the factor that there is now
    and (not f.has or s.confirmed_at is not null)`;

/** Statement that is run at most once a minute and that the request never awaits. */
const SESSION_USED = `
  update session set last_used_at = now() where session_hash = $1 and last_used_at < now() - interval '1 minute'`;

interface PrincipalOptions {
  /** Idle limit of staff sessions, in minutes. */
  staffIdleMinutes: number;
  /** Whether a user of this kind must have a second factor. */
  factorRequirements: FactorRequirements;
  /** Number of days without use after which a token expires, and its maximum lifetime. */
  tokenIdleDays: number;
  tokenMaxDays: number;
  rowKeys: RowKeys;
  log: Logger;
}

/**
 * Identifies the caller. Reads from the database for every request, so that changes by administrators take effect on the next
 * request in every process. Concurrent reads share a statement.
 */
export class PrincipalReader {
  readonly #byToken: Loader<Buffer, DeveloperPrincipal | undefined>;
  readonly #byClientToken: Loader<Buffer, DeveloperPrincipal | undefined>;

  constructor(
    private readonly db: Queryable,
    private readonly options: PrincipalOptions,
  ) {
    const loader = (name: string, text: string, ...days: number[]) =>
      batchedLoader((hashes: readonly Buffer[]) => this.#readAll({ name, text, values: [hashes, ...days] }, hashes));
    this.#byToken = loader('principal-of-token', BY_TOKEN, options.tokenIdleDays, options.tokenMaxDays);
    this.#byClientToken = loader('principal-of-client-token', BY_CLIENT_TOKEN);
  }

  /** Returns the developer of an API token, or undefined if the token is unknown, expired or revoked, or its row was forged. */
  async ofToken(token: string): Promise<DeveloperPrincipal | undefined> {
    if (!hasChecksum(token)) return undefined;
    const { rowKeys } = this.options;
    return isClientToken(token)
      ? this.#byClientToken.load(rowKeys.lookup('client_token', token))
      : this.#byToken.load(rowKeys.lookup('access_token', token));
  }

  /**
   * Returns the user of a console session, or undefined if the session is unknown, expired, revoked or idle, or its row was
   * forged.
   *
   * @param options `isUse` is false for background requests, which do not keep the session active
   */
  async ofSession(token: string, { isUse = true } = {}): Promise<SessionPrincipal | undefined> {
    if (!hasChecksum(token)) return undefined;
    const { rowKeys } = this.options;
    const sessionHash = rowKeys.lookup('session', token);
    const { rows } = await this.db.query<{
      id: UserId;
      role: Role;
      team_role: TeamRole | null;
      name: string;
      email: string;
      developer_id: DeveloperId | null;
      useIsOld: boolean;
      confirmedAt: string | null;
      expiresAt: string;
      mac: Buffer;
      hasFactor: boolean;
      productionUnlocked: boolean;
      isAccountApproved: boolean;
    }>({
      name: 'principal-of-session',
      text: BY_SESSION,
      values: [sessionHash, this.options.staffIdleMinutes],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { id: userId, role, name, email, hasFactor, isAccountApproved, mac } = row;
    const confirmedAt = row.confirmedAt === null ? undefined : new Date(row.confirmedAt);
    const session = { sessionHash, userId, expiresAt: new Date(row.expiresAt), confirmedAt, mac };
    if (!rowKeys.verify('session', session)) return undefined;
    if (isUse && row.useIsOld) this.#note({ name: 'session-used', text: SESSION_USED, values: [sessionHash] });
    const teamRole = row.team_role ?? undefined;
    return {
      kind: 'session',
      userId,
      role,
      teamRole,
      name,
      email,
      developerId: row.developer_id ?? undefined,
      isAccountApproved,
      sessionHash,
      confirmedAt: hasFactor ? confirmedAt : undefined,
      mustEnroll: !hasFactor && this.options.factorRequirements.isFor({ ...row, teamRole }),
    };
  }

  /** Writes in the background. If the write fails, the next use is recorded instead. */
  #note(statement: Statement): void {
    this.db.query(statement).catch((err: Error) => this.options.log.warn({ err }, 'recording the last use failed'));
  }

  async #readAll(statement: Statement, hashes: readonly Buffer[]): Promise<(DeveloperPrincipal | undefined)[]> {
    const found = await this.db.query<TokenRow>(statement);
    const rows = found.rows.filter((row) => this.#isAuthentic(row));
    // test tokens do not extend their expiry
    const used = rows.filter((row) => row.useIsOld && row.clientId !== null);
    if (used.length > 0) this.#noteUse(used);
    const principals = new Map(rows.map((row) => [row.tokenHash.toString('base64'), principalOf(row)]));
    return hashes.map((hash) => principals.get(hash.toString('base64')));
  }

  /** Records that tokens were used, which extends them. Their next expiry is written with the MAC that covers it. */
  #noteUse(rows: readonly TokenRow[]): void {
    const ends = rows.map(({ nextExpiresAt }) => new Date(nextExpiresAt!));
    const macs = rows.map((row, index) =>
      this.options.rowKeys.mac('access_token', { ...row, latestExpiry: ends[index]! }),
    );
    this.#note({ name: 'tokens-used', text: TOKENS_USED, values: [rows.map((row) => row.tokenHash), ends, macs] });
  }

  /** Whether this service wrote the rows of the token and of the parent of a client token. */
  #isAuthentic({ tokenHash, accessHash, accessMac, granted, ...row }: TokenRow): boolean {
    const { rowKeys } = this.options;
    const access = { ...row, tokenHash: accessHash, latestExpiry: new Date(row.latestExpiry), mac: accessMac };
    if (!rowKeys.verify('access_token', access)) return false;
    if (!granted) return true;
    const expiresAt = new Date(granted.expiresAt);
    const client: CoveredRow<'client_token'> = { ...row, ...granted, tokenHash, parentHash: accessHash, expiresAt };
    return rowKeys.verify('client_token', { ...client, mac: Buffer.from(granted.mac, 'hex') });
  }
}

function principalOf(row: TokenRow): DeveloperPrincipal {
  const { useIsOld: _, accessHash: _hash, sessionHash: _session, accessMac: _mac, ...rest } = row;
  const { latestExpiry: _latest, nextExpiresAt: _next, granted, rateLimitPerMinute, services, ...developer } = rest;
  const grants = Object.entries(services ?? {}).map(([service, [enabled, fee]]): [Service, ServiceGrant] => [
    service as Service,
    { enabled, feePaise: paise(fee) },
  ]);
  return {
    kind: 'developer',
    ...developer,
    services: new Map(grants),
    rateLimitPerMinute: rateLimitPerMinute ?? undefined,
    ...(granted ? { client: { scopes: new Set(granted.scopes), orderId: granted.orderId ?? undefined } } : {}),
  };
}
