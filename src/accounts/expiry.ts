import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Queryable } from '../db/pool.js';

const HOUR_MS = 3_600_000;
/** Small enough that nobody waits for the rows. */
const BATCH = 500;

/** What is of no use any more, in which table, and its key. Names and conditions are ours, never input. */
const ENDED: readonly { table: string; key: string; ended: string }[] = [
  { table: 'access_token', key: 'token_hash', ended: 'expires_at < now() or revoked_at is not null' },
  { table: 'client_token', key: 'token_hash', ended: 'expires_at < now()' },
  { table: 'session', key: 'session_hash', ended: 'expires_at < now() or revoked_at is not null' },
  { table: 'password_reset', key: 'token_hash', ended: 'expires_at < now()' },
  { table: 'sign_up', key: 'token_hash', ended: 'expires_at < now()' },
  // what an order took says what becomes of it as long as it may be asked about
  {
    table: 'sandbox_scenario',
    key: 'id',
    ended: `expires_at < now() and (reference is null or expires_at < now() - interval '90 days')`,
  },
  { table: 'rate_limit', key: 'key', ended: 'expire < extract(epoch from now()) * 1000' },
];

/** Deletes one batch of each kind. True: there may be more. */
export async function deleteEnded(db: Queryable): Promise<boolean> {
  let more = false;
  for (const { table, key, ended } of ENDED) {
    const { rowCount } = await db.query({
      text: `delete from ${table} where ${key} in
        (select ${key} from ${table} where ${ended} limit ${BATCH})`,
    });
    more ||= rowCount === BATCH;
  }
  return more;
}

/** Tokens, sessions, sign-ups, links and counters that ended are deleted every hour. Any number of processes may do it at once. */
export const createExpiry = (db: Queryable, log: Logger): Poller =>
  new Poller(
    () => deleteEnded(db),
    HOUR_MS,
    (err) => log.warn({ err }, 'what expired is not deleted, the next round tries again'),
  );
