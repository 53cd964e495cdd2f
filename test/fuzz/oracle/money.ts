import type { TestDatabase } from '../../support/database.js';
import { type Answer, type FuzzCase, principalOf } from '../case.js';
import type { Account } from '../support/accounts.js';
import { type Charge, chargesOf } from './charges.js';

/** An order is finished after a caller was answered that it is pending: a moment later, but on a busy machine. */
const SETTLE_MS = 60_000;
const LOOK_AGAIN_MS = 200;

interface Reported {
  /** With when it was heard, in milliseconds since the batch began. */
  charges: (Charge & { kind: string; ms: number })[];
  pending: Set<string>;
  /** Of every payment that was accepted. */
  keys: Set<string>;
}

export interface MoneyProblem {
  problem: string;
  /** Orders that no answer has named, and answers that name none: those of lookups. */
  unnamed: string;
}

interface Moved {
  wallet: string;
  /** Its api_request_id; of a lead fee the lead. */
  reference: string;
  key: string | null;
  operation: string;
  paise: number;
  state: string;
  /** Since the batch began. */
  ms: number;
}

/** The account of documents that were changed so much that an answer need not say what it cost. */
const UNCOUNTED = 'garbled';

/** What answers said that they took, against what the books took: nothing moves by a call that was refused. */
export class MoneyOracle {
  readonly #db: Pick<TestDatabase, 'query'>;
  readonly #wallets: ReadonlyMap<string, string>;
  readonly #settleMs: number;
  #reported = new Map<string, Reported>();
  #since = '';
  #sinceMs = 0;

  constructor(db: Pick<TestDatabase, 'query'>, accounts: readonly Account[], settleMs = SETTLE_MS) {
    this.#db = db;
    this.#settleMs = settleMs;
    this.#wallets = new Map(
      accounts
        .filter(({ name }) => name !== UNCOUNTED)
        .flatMap(({ name, developerId }) =>
          ['uat', 'production'].map((environment): [string, string] => [
            `${name}-${environment}`,
            `${developerId}:${environment}`,
          ]),
        ),
    );
  }

  /** Begins a batch. */
  async begin(): Promise<void> {
    this.#reported = new Map();
    const [now] = await this.#db.query<{ now: string }>('select now()::text as now');
    this.#since = now!.now;
    this.#sinceMs = performance.now();
  }

  hear(given: FuzzCase, answer: Answer): void {
    const wallet = this.#wallets.get(principalOf(given) ?? '');
    if (wallet === undefined || given.host === 'console' || answer.status >= 400) return;
    const charges = chargesOf(json(answer.text), answer.headers['idempotent-replayed'] === 'true');
    if (charges.length === 0) return;
    const reported = this.#reported.get(wallet) ?? { charges: [], pending: new Set<string>(), keys: new Set<string>() };
    this.#reported.set(wallet, reported);
    for (const charge of charges) {
      const { key, pending } = charge;
      reported.charges.push({ ...charge, kind: given.kind, ms: Math.round(performance.now() - this.#sinceMs) });
      if (key !== undefined) reported.keys.add(key);
      if (key !== undefined && pending) reported.pending.add(key);
    }
  }

  /** One sentence for each wallet whose books say something else than the answers. */
  async problems(): Promise<MoneyProblem[]> {
    const end = Date.now() + this.#settleMs;
    for (;;) {
      const problems = this.#compare(await this.#moved(), await this.#earlier());
      if (problems.length === 0 || Date.now() >= end) return problems;
      await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
    }
  }

  #compare(moved: readonly Moved[], earlier: ReadonlySet<string>): MoneyProblem[] {
    const taken = new Map<string, number>();
    for (const { wallet, reference, key, paise, state } of moved) {
      const { pending } = this.#reported.get(wallet) ?? { pending: new Set<string>() };
      const wasPending = (key !== null && pending.has(key)) || pending.has(reference);
      // what was refunded counts only when its caller was answered "pending" before
      if (state === 'failed' && !wasPending) continue;
      taken.set(wallet, (taken.get(wallet) ?? 0) + paise);
    }
    return [...this.#wallets.values()].flatMap((wallet) => {
      const books = taken.get(wallet) ?? 0;
      // a look at an order of an earlier batch takes nothing
      const own = this.#reported.get(wallet)?.charges.filter(({ key }) => key === undefined || !earlier.has(key)) ?? [];
      const reported = own.reduce((sum, { paise }) => sum + paise, 0);
      if (books === reported) return [];
      const problem = `wallet ${wallet}: the books took ${books} paise, the answers say ${reported}`;
      const unnamed = {
        moved: moved.filter((row) => row.wallet === wallet && !this.#isNamed(row)),
        heard: own.filter(({ key }) => key === undefined),
      };
      return [{ problem, unnamed: JSON.stringify(unnamed) }];
    });
  }

  #isNamed({ wallet, reference, key }: Moved): boolean {
    const keys = this.#reported.get(wallet)?.keys ?? new Set<string>();
    return (key !== null && keys.has(key)) || keys.has(reference);
  }

  /** Of the payments that answers named, those that were made before this batch. */
  async #earlier(): Promise<Set<string>> {
    const keys = [...this.#reported.values()].flatMap(({ keys: named }) => [...named]);
    const rows = await this.#db.query<{ reference: string; key: string | null }>(
      `select reference, client_key as key from orders
       where created_at < $1::timestamptz - interval '5 ms' and (client_key = any($2) or reference = any($2))`,
      [this.#since, keys],
    );
    return new Set(rows.flatMap(({ reference, key }) => [reference, key ?? '']));
  }

  /** Orders and lead fees of this batch. */
  async #moved(): Promise<Moved[]> {
    const rows = await this.#db.query<Omit<Moved, 'paise'> & { paise: string }>(
      `select developer_id || ':' || environment as wallet, reference, client_key as key, operation,
         amount_paise::text as paise, state, round(extract(epoch from created_at - $1::timestamptz) * 1000)::integer as ms
       from orders where created_at >= $1::timestamptz - interval '5 ms'
       union all
       select developer_id || ':' || environment, subject_id::text as reference, null, kind, amount_paise::text, 'success',
         round(extract(epoch from created_at - $1::timestamptz) * 1000)::integer
       from transfer where kind = 'lead_fee' and created_at >= $1::timestamptz`,
      [this.#since],
    );
    return rows.map((row) => ({ ...row, paise: Number(row.paise) }));
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
