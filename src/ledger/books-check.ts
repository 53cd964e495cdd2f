import type { Environment } from '../core/environment.js';
import { type PatientQuery, patiently } from '../db/patience.js';
import type { Connectable } from '../db/pool.js';

/** Violation with its rule, the developer of the wallet (null for the ledger as a whole), and the finding. */
export interface Violation {
  rule: string;
  developerId: string | null;
  detail: string;
}

/** Amount owed to a provider: completed payments minus reversed payments. */
export interface ProviderPayable {
  environment: Environment;
  provider: string;
  paise: number;
}

/** Speed of the full check; see ledger_check_step. */
export interface StepPace {
  /** Number of entries or orders in the first read of a step. */
  rows: number;
  /** Duration of a step; 0 for a single read. */
  forMs: number;
  /** Percentage of time that a worker is active. */
  share: number;
  /** Number of workers of all processes together. */
  workers: number;
}

export interface CheckStep {
  outcome: 'idle' | 'busy' | 'begun' | 'restarted' | 'going on' | 'complete';
  violations: Violation[];
  /** Pause before the next step of this worker. */
  restMs: number;
}

/** State of the full check, which runs automatically in steps. */
export interface FullCheck {
  /**
   * Unix time in seconds at which the last run completed, regardless of its findings. Before the first run, the time the ledger
   * was created.
   */
  completedAtS: number;
  /** Estimated end of the current run. It is null if no run is in progress or it has not read anything yet. */
  endsAtS: number | null;
  /** Violations of the last run and of the current run. */
  violations: Violation[];
}

/** Number of entries of all wallets. Most orders have one entry. */
export interface BooksSize {
  entries: number;
  /** Number of entries posted since the last incremental check without findings. */
  newEntries: number;
}

interface Total {
  environment: string;
  account: string;
  provider: string;
  day: string;
  amount: string;
}

/**
 * Lock that prevents archiving while the whole ledger is read, because the ledger is read in several parts. See archive_leave.
 * The session that holds this lock waits for the other workers, so it must not time out.
 */
const LOCK_ARCHIVING = `select pg_advisory_xact_lock_shared(7401255), set_config('idle_in_transaction_session_timeout', '0', true)`;

/** Maximum number of developers per statement of the full check. */
const MAX_GROUP_SIZE = 100;
/** Minimum number of statements per worker, so that workers with small developers can process more of them. */
const GROUPS_PER_WORKER = 8;

const RENUMBER = 'select ledger_renumber($1::xid8, $2)::text as next';
/** Number of transfers per statement, so that a statement takes less than a second. */
const RENUMBER_LIMIT = 10_000;

const VIOLATION = 'rule, developer_id as "developerId", detail';
const TOTAL = 'environment, account, provider, day::text, amount_paise::text as amount';
const CHECK_DEVELOPERS = `select ${VIOLATION} from ledger_check_of($1)`;
const CHECK_ARCHIVE = `select ${VIOLATION} from archive_check()`;
const TOTALS = `select ${TOTAL} from ledger_totals($1, $2, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
const FINDINGS = `coalesce(jsonb_agg(jsonb_build_object('rule', rule, 'developerId', developer_id, 'detail', detail)), '[]')`;
const STEP = `select s.outcome, (select ${FINDINGS} from jsonb_to_recordset(s.violations) v(rule text, developer_id uuid, detail text)) as violations,
  s.rest_ms as "restMs" from ledger_check_step($1, $2, $3, $4) s`;
const LAST_FULL_CHECK = `select extract(epoch from c.completed_at)::float8 as "completedAtS", (select ${FINDINGS} from ledger_full_finding) as violations,
    case when p.rows_left < c.rows_total
      then extract(epoch from now() + (now() - c.started_at) * (p.rows_left / (c.rows_total - p.rows_left)))::float8 end as "endsAtS"
  from ledger_full_check c cross join (select coalesce(sum(x.rows_left), 0) as rows_left from ledger_full_part x) p`;
const SIZE = `select (select coalesce(sum(w.version), 0)::float8 from wallet w) - (select coalesce(sum(r.version), 0)::float8 from wallet_opening r) as entries,
  (select coalesce(sum(w.version - coalesce(c.version, 0)), 0)::float8 from wallet w
    left join wallet_checkpoint c on c.developer_id = w.developer_id and c.environment = w.environment) as "newEntries"`;
/** Statement that reads the stored results. It is a single statement, so that the totals match the snapshot. */
const STORED_TOTALS = `select ledger_checked()::text as snapshot, (select coalesce(jsonb_agg(t), '[]') from (select ${TOTAL} from ledger_total) t) as totals,
  (select coalesce(jsonb_agg(t), '[]') from (select ${TOTAL} from archived_total) t) as archived,
  array(select ledger_developers()) as developers`;

/** Checks of the ledger. Their rules are in db/sql/repeatable/ledger-check.sql. */
export class BooksCheck {
  /**
   * Creates the checks.
   * @param limitMs timeout of each statement
   */
  constructor(
    private readonly db: Connectable,
    private readonly limitMs: number,
  ) {}

  /**
   * Returns the violations in entries posted since the last check without findings. The check stores the position up to which
   * the ledger is verified, so each transfer is checked once. The first check takes as long as a full check, even on the server
   * of a restored dump.
   */
  async newViolations(signal?: AbortSignal): Promise<Violation[]> {
    for (let after: string | null = '0'; after !== null; ) {
      const { rows }: { rows: { next: string | null }[] } = await this.db.query({
        text: RENUMBER,
        values: [after, RENUMBER_LIMIT],
      });
      after = rows[0]!.next;
      signal?.throwIfAborted();
    }
    return this.#read<Violation>(`select ${VIOLATION} from ledger_check_new()`, signal);
  }

  /**
   * Returns the violations in the whole ledger, including the stored results of earlier checks. Reads developers in groups, so
   * that snapshots of the database are short and only the daily totals are kept in memory.
   * @param workers number of connections
   */
  allViolations(workers: number): Promise<Violation[]> {
    return patiently(this.db, this.limitMs, async (query) => {
      await query({ text: LOCK_ARCHIVING });
      return violationsOfAll(query, workers, (work) => patiently(this.db, this.limitMs, work));
    });
  }

  /** Runs one step of the full check in one short transaction. */
  async step({ rows, forMs, share, workers }: StepPace): Promise<CheckStep> {
    const { rows: steps } = await this.db.query<CheckStep>({ text: STEP, values: [rows, forMs, share, workers] });
    return steps[0]!;
  }

  /** Starts a run of the full check immediately, or continues the current one. */
  async fullCheckNow(): Promise<void> {
    await this.#read('select ledger_full_check_now()');
  }

  /**
   * Returns whether the server was restored to a point in time, or promoted, since the last full check. Returns false for a
   * restored dump.
   */
  async restoredToInstant(): Promise<boolean> {
    const [row] = await this.#read<{ restored: boolean }>('select restored_to_instant() as restored');
    return row!.restored;
  }

  async size(): Promise<BooksSize> {
    const [row] = await this.#read<BooksSize>(SIZE);
    return row!;
  }

  async lastFull(): Promise<FullCheck> {
    const [row] = await this.#read<FullCheck>(LAST_FULL_CHECK);
    return row!;
  }

  /** Returns the Unix time in seconds up to which the ledger is verified, or 0 if it has never been verified. */
  async verifiedAtS(): Promise<number> {
    const [row] = await this.#read<{ at: number }>(
      'select greatest(extract(epoch from verified_at), 0)::float8 as at from ledger_checkpoint',
    );
    return row!.at;
  }

  /** Returns the amounts owed, by environment and provider, as of the last incremental check. */
  owed(): Promise<ProviderPayable[]> {
    return this.#read<ProviderPayable>(
      `select environment, provider, sum(amount_paise)::float8 as paise from ledger_total where account = 'provider_payable'
        and environment in ('uat', 'production') group by 1, 2 order by 1, 2`,
    );
  }

  async #read<Row extends object>(text: string, signal?: AbortSignal): Promise<Row[]> {
    return await patiently(this.db, this.limitMs, (query) => query<Row>({ text }), signal);
  }
}

async function violationsOfAll(
  query: PatientQuery,
  workers: number,
  onOtherConnection: (work: (query: PatientQuery) => Promise<void>) => Promise<void>,
): Promise<Violation[]> {
  const [storedTotals] = await query<{
    snapshot: string | null;
    totals: Total[];
    archived: Total[];
    developers: number[];
  }>({ text: STORED_TOTALS });
  const { snapshot, totals, archived, developers } = storedTotals!;
  const violations = await query<Violation>({ text: CHECK_ARCHIVE });
  const differences = new Map<string, bigint>();
  const count = ({ environment, account, provider, day, amount }: Total, sign: bigint): void => {
    const key = `${environment} ${account} ${provider} ${day}`;
    differences.set(key, (differences.get(key) ?? 0n) + sign * BigInt(amount));
  };
  const groupSize = Math.max(1, Math.min(MAX_GROUP_SIZE, Math.ceil(developers.length / (workers * GROUPS_PER_WORKER))));
  const groups = Array.from({ length: Math.ceil(developers.length / groupSize) }, (_, n) =>
    developers.slice(n * groupSize, (n + 1) * groupSize),
  );
  let failed = false;
  const work = async (workerQuery: PatientQuery): Promise<void> => {
    for (let group = failed ? undefined : groups.shift(); group; group = failed ? undefined : groups.shift()) {
      try {
        const found = await workerQuery<Violation>({ text: CHECK_DEVELOPERS, values: [group] });
        // an earlier snapshot never changes, so totals that are read later still match it
        const currentTotals =
          snapshot === null ? [] : await workerQuery<Total>({ text: TOTALS, values: [group, snapshot] });
        violations.push(...found);
        for (const total of currentTotals) count(total, 1n);
      } catch (error) {
        // a retried transaction reads these developers again
        groups.unshift(group);
        throw error;
      }
    }
  };
  const noteFailure = (promise: Promise<void>): Promise<void> =>
    promise.catch((error: unknown) => {
      failed = true;
      throw error;
    });
  const otherWorkers = Array.from({ length: Math.max(0, workers - 1) }, () => noteFailure(onOtherConnection(work)));
  const results = await Promise.allSettled([noteFailure(work(query)), ...otherWorkers]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if (snapshot !== null) {
    for (const total of archived) count(total, 1n);
    for (const total of totals) count(total, -1n);
  }
  for (const [key, difference] of differences)
    if (difference !== 0n)
      violations.push({
        rule: 'a total agrees with the transfers',
        developerId: null,
        detail: `${key}: ${difference} paise are missing`,
      });
  return violations;
}
