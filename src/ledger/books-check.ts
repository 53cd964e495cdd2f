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

/** What a step of the check of everything came to; see ledger_check_step. */
export interface CheckStep {
  outcome: 'idle' | 'busy' | 'begun' | 'begun anew' | 'going on' | 'complete';
  violations: Violation[];
}

/** The check of everything that goes by itself, step by step. */
export interface FullCheck {
  /** When it last came to an end, whatever it found; in the beginning, when the empty books were made. Unix seconds. */
  completedAtS: number;
  /** Of the last run, and of the one under way. */
  violations: Violation[];
}

interface Total {
  environment: string;
  account: string;
  provider: string;
  day: string;
  amount: string;
}

/** Nothing leaves for the archive while all the books are read: their parts are read one after the other. See archive_leave. */
const NOTHING_LEAVES = 'select pg_advisory_xact_lock_shared(7401255)';

/** Developers per statement of the full check. */
const TOGETHER = 100;

const RENUMBER = 'select ledger_renumber($1::xid8, $2)::text as next';
/** Transfers per statement, which takes a fraction of a second. */
const RENUMBERED = 10_000;

const VIOLATION = 'rule, developer_id as "developerId", detail';
const TOTAL = 'environment, account, provider, day::text, amount_paise::text as amount';
const ONES = `select ${VIOLATION} from ledger_check_of($1)`;
const OF_WHAT_LEFT = `select ${VIOLATION} from archive_check()`;
const TOTALS = `select ${TOTAL} from ledger_totals($1, $2, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
const FINDINGS = `coalesce(jsonb_agg(jsonb_build_object('rule', rule, 'developerId', developer_id, 'detail', detail)), '[]')`;
const STEP = `select s.outcome, (select ${FINDINGS} from jsonb_to_recordset(s.violations) v(rule text, developer_id uuid, detail text)) as violations
  from ledger_check_step($1) s`;
const LAST = `select extract(epoch from completed_at)::float8 as "completedAtS", (select ${FINDINGS} from ledger_full_finding) as violations
  from ledger_full_check`;
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
   */
  everything(): Promise<Violation[]> {
    return patiently(this.db, this.limitMs, allViolations);
  }

  /** One step of the check of everything, of about so many lines and orders: one short transaction. */
  async step(rows: number): Promise<CheckStep> {
    const { rows: steps } = await this.db.query<CheckStep>({ text: STEP, values: [rows] });
    return steps[0]!;
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

async function allViolations(query: PatientQuery): Promise<Violation[]> {
  await query({ text: NOTHING_LEAVES });
  return violationsOfAll(query);
}

async function violationsOfAll(query: PatientQuery): Promise<Violation[]> {
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
  for (let start = 0; start < developers.length; start += TOGETHER) {
    const some = developers.slice(start, start + TOGETHER);
    violations.push(...(await query<Violation>({ text: ONES, values: [some] })));
    if (snapshot === null) continue;
    // nothing is added to what an earlier snapshot sees, so these agree however late they are read
    const read = await query<Total>({ text: TOTALS, values: [some, snapshot] });
    for (const total of read) count(total, 1n);
  }
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
