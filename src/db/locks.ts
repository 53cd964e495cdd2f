/**
 * Class of the advisory locks that processes hold in sessions outside their pools. Such a lock applies only to this database and
 * is released when its session ends.
 */
const CLASS = 0x72636867;
/**
 * Class of claims. Each process holds one such lock. The number of the lock is the maximum number of connections of the process.
 */
const CLAIMS = CLASS + 1;
const NUMBERS = {
  /** Lock held by the process that checks for work on behalf of all. */
  leader: 1,
  /** Lock held by each process that can become the leader. */
  watcher: 2,
  /** Lock held by each process that places orders. */
  placing: 3,
} as const;
type Lock = keyof typeof NUMBERS;

const keyOf = (lock: Lock): string => `${CLASS}, ${NUMBERS[lock]}`;

const OWN_LOCKS = `locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`;

/** SQL expressions that use the locks. */
export const locks = {
  tryExclusive: (lock: Lock): string => `pg_try_advisory_lock(${keyOf(lock)})`,
  release: (lock: Lock): string => `pg_advisory_unlock(${keyOf(lock)})`,
  share: (lock: Lock): string => `pg_advisory_lock_shared(${keyOf(lock)})`,
  unshare: (lock: Lock): string => `pg_advisory_unlock_shared(${keyOf(lock)})`,
  /** Returns the number of sessions that hold the lock. */
  countOf: (lock: Lock): string =>
    `(select count(*)::integer from pg_locks where ${OWN_LOCKS} and classid = ${CLASS} and objid = ${NUMBERS[lock]})`,
  /** Returns the SQL expression that acquires a lock whose key consists of two columns or numbers. */
  sharePair: (key: string, value: string): string => `pg_advisory_lock_shared(${key}, ${value})`,
  /**
   * Returns the number of sessions per key pair, for pairs whose first part is in an array. Its columns are `key`, `value` and
   * `count`.
   */
  pairs: (keys: string): string =>
    `select classid::bigint::integer as key, objid::bigint::integer as value, count(*)::integer as count from pg_locks
      where ${OWN_LOCKS} and objsubid = 2 and classid::bigint = any(${keys}::bigint[]) group by 1, 2`,
  claim: (connections: number): string => `pg_advisory_lock_shared(${CLAIMS}, ${connections})`,
  /** Returns the query with one row, whose columns are `claimed` and `processes`. */
  claims: (): string =>
    `(select coalesce(sum(objid::bigint), 0)::integer as claimed, count(*)::integer as processes
      from pg_locks where ${OWN_LOCKS} and classid = ${CLAIMS})`,
};
