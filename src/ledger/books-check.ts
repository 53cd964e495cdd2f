import type { Environment } from '../core/environment.js';
import { type PatientQuery, patiently } from '../db/patience.js';
import type { Connectable } from '../db/pool.js';

/** One violated invariant: which rule, whose wallet (null: of the books as a whole), and what was found instead. */
export interface Violation {
  rule: string;
  developerId: string | null;
  detail: string;
}

/** What a provider is owed: the payments that it performed less those that it took back. */
export interface Owed {
  environment: Environment;
  provider: string;
  paise: number;
}

/** How the check of everything goes on; see ledger_check_step. */
export interface StepPace {
  /** Lines or orders of the first read of a step. */
  rows: number;
  /** How long a step reads; 0: one read. */
  forMs: number;
  /** Percent of the time that a worker works. */
  share: number;
  /** Of all processes together. */
  workers: number;
}

/** The result of a step of the check of everything. */
export interface CheckStep {
  outcome: 'idle' | 'busy' | 'begun' | 'begun anew' | 'going on' | 'complete';
  violations: Violation[];
  /** Pause before the next step of this worker. */
  restMs: number;
}

/** The check of everything that goes by itself, step by step. */
export interface FullCheck {
  /** When it last came to an end, whatever it found; in the beginning, when the empty books were made. Unix seconds. */
  completedAtS: number;
  /** Estimate of when the run under way ends; null if there is none, or if it has read nothing yet. */
  endsAtS: number | null;
  /** Of the last run, and of the one under way. */
  violations: Violation[];
}

/** Entries of all wallets. Most orders have one. */
export interface BooksSize {
  entries: number;
  /** Posted since the check of what is new last found nothing. */
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
 * Nothing leaves for the archive while all the books are read: their parts are read one after the other. See archive_leave. The one who
 * keeps it away waits for the other workers.
 */
const NOTHING_LEAVES = `select pg_advisory_xact_lock_shared(7401255), set_config('idle_in_transaction_session_timeout', '0', true)`;

/** Developers per statement of the full check, at most. */
const TOGETHER = 100;
/** Statements of each worker, at least: one that has small developers takes more of them. */
const SHARES = 8;

const RENUMBER = 'select ledger_renumber($1::xid8, $2)::text as next';
/** Transfers per statement, which takes a fraction of a second. */
const RENUMBERED = 10_000;

const VIOLATION = 'rule, developer_id as "developerId", detail';
const TOTAL = 'environment, account, provider, day::text, amount_paise::text as amount';
const ONES = `select ${VIOLATION} from ledger_check_of($1)`;
const OF_WHAT_LEFT = `select ${VIOLATION} from archive_check()`;
const TOTALS = `select ${TOTAL} from ledger_totals($1, $2, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
const FINDINGS = `coalesce(jsonb_agg(jsonb_build_object('rule', rule, 'developerId', developer_id, 'detail', detail)), '[]')`;
const STEP = `select s.outcome, (select ${FINDINGS} from jsonb_to_recordset(s.violations) v(rule text, developer_id uuid, detail text)) as violations,
  s.rest_ms as "restMs" from ledger_check_step($1, $2, $3, $4) s`;
const LAST = `select extract(epoch from c.completed_at)::float8 as "completedAtS", (select ${FINDINGS} from ledger_full_finding) as violations,
    case when p.rows_left < c.rows_total
      then extract(epoch from now() + (now() - c.started_at) * (p.rows_left / (c.rows_total - p.rows_left)))::float8 end as "endsAtS"
  from ledger_full_check c cross join (select coalesce(sum(x.rows_left), 0) as rows_left from ledger_full_part x) p`;
const SIZE = `select (select coalesce(sum(w.version), 0)::float8 from wallet w) - (select coalesce(sum(r.version), 0)::float8 from wallet_opening r) as entries,
  (select coalesce(sum(w.version - coalesce(c.version, 0)), 0)::float8 from wallet w
    left join wallet_checkpoint c on c.developer_id = w.developer_id and c.environment = w.environment) as "newEntries"`;
/** In one statement, so that the totals are those of the snapshot. */
const KEPT = `select ledger_checked()::text as snapshot, (select coalesce(jsonb_agg(t), '[]') from (select ${TOTAL} from ledger_total) t) as totals,
  (select coalesce(jsonb_agg(t), '[]') from (select ${TOTAL} from archived_total) t) as archived,
  array(select ledger_developers()) as developers`;

/** Whether the books are right; db/sql/repeatable/ledger-check.sql has the rules. */
export class BooksCheck {
  /** @param limitMs of each statement */
  constructor(
    private readonly db: Connectable,
    private readonly limitMs: number,
  ) {}

  /**
   * Violations in what was posted since this last found none. It remembers how far the books are right, so each transfer is looked
   * at once; the first time takes as long as the full check, on the server of a restored dump too.
   */
  async whatIsNew(signal?: AbortSignal): Promise<Violation[]> {
    for (let after: string | null = '0'; after !== null; ) {
      const { rows }: { rows: { next: string | null }[] } = await this.db.query({
        text: RENUMBER,
        values: [after, RENUMBERED],
      });
      after = rows[0]!.next;
      signal?.throwIfAborted();
    }
    return this.#read<Violation>(`select ${VIOLATION} from ledger_check_new()`, signal);
  }

  /**
   * Violations in all there is, including what is remembered of earlier checks. It reads some developers at a time: the database sees
   * short snapshots, and only the totals per day are kept in memory.
   *
   * @param workers connections that it uses
   */
  everything(workers: number): Promise<Violation[]> {
    return patiently(this.db, this.limitMs, async (query) => {
      await query({ text: NOTHING_LEAVES });
      return violationsOfAll(query, workers, (work) => patiently(this.db, this.limitMs, work));
    });
  }

  /** One step of the check of everything: one short transaction. */
  async step({ rows, forMs, share, workers }: StepPace): Promise<CheckStep> {
    const { rows: steps } = await this.db.query<CheckStep>({ text: STEP, values: [rows, forMs, share, workers] });
    return steps[0]!;
  }

  /** A run of these steps begins at once, or goes on. */
  async fullCheckNow(): Promise<void> {
    await this.#read('select ledger_full_check_now()');
  }

  /** Whether the server was restored to an instant, or promoted, since a run of these steps last ended. False for a restored dump. */
  async restoredToInstant(): Promise<boolean> {
    const [row] = await this.#read<{ restored: boolean }>('select restored_to_instant() as restored');
    return row!.restored;
  }

  async size(): Promise<BooksSize> {
    const [row] = await this.#read<BooksSize>(SIZE);
    return row!;
  }

  /** What these steps have come to. */
  async lastFull(): Promise<FullCheck> {
    const [row] = await this.#read<FullCheck>(LAST);
    return row!;
  }

  /** Up to when the books were last found right, in Unix seconds; 0: never. */
  async verifiedAtS(): Promise<number> {
    const [row] = await this.#read<{ at: number }>(
      'select greatest(extract(epoch from verified_at), 0)::float8 as at from ledger_checkpoint',
    );
    return row!.at;
  }

  /** Per environment and provider, as of the last check of what is new; along the key of a small table. */
  owed(): Promise<Owed[]> {
    return this.#read<Owed>(
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
  onOther: (work: (query: PatientQuery) => Promise<void>) => Promise<void>,
): Promise<Violation[]> {
  const [kept] = await query<{
    snapshot: string | null;
    totals: Total[];
    archived: Total[];
    developers: number[];
  }>({ text: KEPT });
  const { snapshot, totals, archived, developers } = kept!;
  const violations = await query<Violation>({ text: OF_WHAT_LEFT });
  const differences = new Map<string, bigint>();
  const count = ({ environment, account, provider, day, amount }: Total, sign: bigint): void => {
    const key = `${environment} ${account} ${provider} ${day}`;
    differences.set(key, (differences.get(key) ?? 0n) + sign * BigInt(amount));
  };
  const together = Math.max(1, Math.min(TOGETHER, Math.ceil(developers.length / (workers * SHARES))));
  const waiting = Array.from({ length: Math.ceil(developers.length / together) }, (_, n) =>
    developers.slice(n * together, (n + 1) * together),
  );
  let failed = false;
  const work = async (own: PatientQuery): Promise<void> => {
    for (let some = failed ? undefined : waiting.shift(); some; some = failed ? undefined : waiting.shift()) {
      try {
        const found = await own<Violation>({ text: ONES, values: [some] });
        // nothing is added to what an earlier snapshot sees, so these agree however late they are read
        const read = snapshot === null ? [] : await own<Total>({ text: TOTALS, values: [some, snapshot] });
        violations.push(...found);
        for (const total of read) count(total, 1n);
      } catch (error) {
        // a transaction that is repeated reads them again
        waiting.unshift(some);
        throw error;
      }
    }
  };
  const orFail = (working: Promise<void>): Promise<void> =>
    working.catch((error: unknown) => {
      failed = true;
      throw error;
    });
  const others = Array.from({ length: Math.max(0, workers - 1) }, () => orFail(onOther(work)));
  const ended = await Promise.allSettled([orFail(work(query)), ...others]);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
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
