import { RowKeys } from '../../src/core/row-keys.js';
import { Secret } from '../../src/core/secret.js';
import type { TestDatabase } from './database.js';

/** SECRET_PEPPER of the processes under test. */
export const PEPPER = 'a pepper for tests only';
export const rowKeys = new RowKeys(new Secret(PEPPER));

/** Lookup value of an access token. */
export const accessTokenHash = (token: string, keys = rowKeys): Buffer => keys.lookup('access_token', token);

const DAY_MS = 86_400_000;

/** Hash, expiry time (by default a day from now) and MAC of an access token that a test inserts directly for its processes. */
export function accessTokenRow(
  token: string,
  of: { developerId: string; environment: string; clientId: string; expiresAt?: Date },
  keys = rowKeys,
): { hash: Buffer; expiresAt: Date; mac: Buffer } {
  const hash = accessTokenHash(token, keys);
  const { expiresAt = new Date(Date.now() + DAY_MS), ...grant } = of;
  return {
    hash,
    expiresAt,
    mac: keys.mac('access_token', { tokenHash: hash, sessionHash: null, latestExpiry: expiresAt, ...grant }),
  };
}

/** Makes access tokens valid again after a test has revoked them. */
export async function validateAccessTokens(
  db: TestDatabase,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  const rows = await db.query<{
    tokenHash: Buffer;
    developerId: string;
    environment: string;
    clientId: string | null;
    sessionHash: Buffer | null;
    latestExpiry: Date;
  }>(
    `update access_token set revoked_at = null where ${condition}
      returning token_hash as "tokenHash", developer_id as "developerId", environment, client_id as "clientId",
        session_hash as "sessionHash", latest_expiry as "latestExpiry"`,
    [...values],
  );
  for (const row of rows)
    await db.query('update access_token set mac = $2 where token_hash = $1', [
      row.tokenHash,
      rowKeys.mac('access_token', row),
    ]);
}

/** Hash and MAC of a session that a test inserts directly. */
export function sessionRow(token: string, of: { userId: string; expiresAt: Date }): { hash: Buffer; mac: Buffer } {
  const hash = rowKeys.lookup('session', token);
  return { hash, mac: rowKeys.mac('session', { sessionHash: hash, confirmedAt: null, ...of }) };
}

/** Makes the sessions of a user valid again after a test has changed the time of their second-factor verification. */
export async function confirmSessionsAgo(db: TestDatabase, userId: string, interval: string): Promise<void> {
  const rows = await db.query<{ session_hash: Buffer; expires_at: Date; confirmed_at: Date }>(
    `update session set confirmed_at = date_trunc('milliseconds', now() - $2::interval)
      where user_id = $1 and confirmed_at is not null returning session_hash, expires_at, confirmed_at`,
    [userId, interval],
  );
  for (const { session_hash: sessionHash, expires_at: expiresAt, confirmed_at: confirmedAt } of rows)
    await db.query('update session set mac = $2 where session_hash = $1', [
      sessionHash,
      rowKeys.mac('session', { sessionHash, userId, expiresAt, confirmedAt }),
    ]);
}
