import { RowKeys } from '../../src/core/row-keys.js';
import { Secret } from '../../src/core/secret.js';
import type { TestDatabase } from './database.js';

/** SECRET_PEPPER of the processes under test. */
export const PEPPER = 'a pepper for tests only';
export const rowKeys = new RowKeys(new Secret(PEPPER));

/** What the row of an access token of a key is found by. */
export const accessTokenHash = (token: string): Buffer => rowKeys.lookup('access_token', token);

/** Hash and MAC of an access token that a test writes by itself. */
export function accessTokenRow(
  token: string,
  of: { developerId: string; environment: string; clientId: string },
): { hash: Buffer; mac: Buffer } {
  const hash = accessTokenHash(token);
  return { hash, mac: rowKeys.mac('access_token', { tokenHash: hash, sessionHash: null, ...of }) };
}

/** Hash and MAC of a session that a test writes by itself. */
export function sessionRow(token: string, of: { userId: string; expiresAt: Date }): { hash: Buffer; mac: Buffer } {
  const hash = rowKeys.lookup('session', token);
  return { hash, mac: rowKeys.mac('session', { sessionHash: hash, confirmedAt: null, ...of }) };
}

/** Makes the sessions of a user valid again after a test has changed when their second factor was shown. */
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
