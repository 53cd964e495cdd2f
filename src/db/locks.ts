/** Advisory locks of the sessions that processes keep beside their pools. Each is of this database alone, and ends with its session. */
const CLASS = 0x72636867;
const NUMBERS = {
  /** One process looks for work. */
  leader: 1,
  /** Each that may. */
  watcher: 2,
} as const;
type Lock = keyof typeof NUMBERS;

const keyOf = (lock: Lock): string => `${CLASS}, ${NUMBERS[lock]}`;

/** Expressions of SQL. */
export const locks = {
  tryAlone: (lock: Lock): string => `pg_try_advisory_lock(${keyOf(lock)})`,
  release: (lock: Lock): string => `pg_advisory_unlock(${keyOf(lock)})`,
  share: (lock: Lock): string => `pg_advisory_lock_shared(${keyOf(lock)})`,
  unshare: (lock: Lock): string => `pg_advisory_unlock_shared(${keyOf(lock)})`,
  /** How many sessions have it. */
  countOf: (lock: Lock): string =>
    `(select count(*)::integer from pg_locks where locktype = 'advisory' and granted and classid = ${CLASS} and objid = ${NUMBERS[lock]}
      and database = (select oid from pg_database where datname = current_database()))`,
};
