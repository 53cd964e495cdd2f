import type { TestDatabase } from '../../support/database.js';
import { type FuzzCase, type FuzzResponse, principalOf } from '../case.js';
import { type Account, FEE_PAISE } from '../support/accounts.js';
import { type Charge, type Claim, chargesOf, claimOf, isDelivered } from './charges.js';

/** A pending order is completed after the response, usually within a moment, but later on a busy machine. */
const SETTLE_MS = 60_000;
const RETRY_MS = 200;

interface Reported {
  /** With the time of the response, in milliseconds since the start of the batch. */
  charges: (Charge & { kind: string; ms: number })[];
  pending: Set<string>;
  /** Keys of all accepted payments. */
  keys: Set<string>;
}

export interface MoneyProblem {
  problem: string;
  /** Orders that no response identifies, and responses that identify no order, such as those of lookups. */
  unnamed: string;
  /** Request that was charged without a matching response. */
  given?: FuzzCase;
}

interface RecordedRequest {
  given: FuzzCase;
  claim: Claim;
  responseText: string;
  /** Time at which the request was sent, in milliseconds since the start of the batch. */
  fromMs: number;
  toMs: number;
}

export interface MoneyParts {
  /** Sends a case again. */
  send: (fuzzCase: FuzzCase) => Promise<FuzzResponse>;
  settleMs?: number;
}

interface Moved {
  wallet: string;
  /** Its api_request_id; for a lead fee, the lead. */
  reference: string;
  key: string | null;
  operation: string;
  paise: number;
  state: string;
  /** Milliseconds since the start of the batch. */
  ms: number;
}

/** Tolerance between the clock of the database and ours. */
const CLOCKS_MS = 20;

/** Account for documents that were changed so much that a response may not state its cost. */
const UNCOUNTED = 'garbled';

/** Claims in the order of the probability that they hide a fee. */
const CLAIMS_BY_DOUBT: readonly Claim[] = ['refused', 'silent', 'unknown', 'named'];

/**
 * Compares the charges in responses with the books: rejected calls move no money. If a response states that money may have been
 * kept, the same request is sent again, and must return the data without another fee or refund the fee.
 */
export class MoneyOracle {
  readonly #db: Pick<TestDatabase, 'query'>;
  readonly #wallets: ReadonlyMap<string, string>;
  readonly #parts: MoneyParts;
  #reported = new Map<string, Reported>();
  /** Requests by wallet. */
  #recorded = new Map<string, RecordedRequest[]>();
  /** Fees by wallet of requests whose replays delivered the paid data. */
  #delivered = new Map<string, number>();
  /** References in the responses to replays. */
  #repeated = new Set<string>();
  #since = '';
  #sinceMs = 0;

  constructor(db: Pick<TestDatabase, 'query'>, accounts: readonly Account[], parts: MoneyParts) {
    this.#db = db;
    this.#parts = parts;
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

  /** Starts a batch. */
  async start(): Promise<void> {
    this.#reported = new Map();
    this.#recorded = new Map();
    this.#delivered = new Map();
    this.#repeated = new Set();
    const [now] = await this.#db.query<{ now: string }>('select now()::text as now');
    this.#since = now!.now;
    this.#sinceMs = performance.now();
  }

  record(fuzzCase: FuzzCase, response: FuzzResponse): void {
    const wallet = this.#wallets.get(principalOf(fuzzCase) ?? '');
    if (wallet === undefined || fuzzCase.host === 'console') return;
    const body = json(response.text);
    const charges = chargesOf(body, response.headers['idempotent-replayed'] === 'true');
    const claim = claimOf(response.status, body, charges);
    const recorded = this.#recorded.get(wallet) ?? [];
    this.#recorded.set(wallet, recorded);
    const toMs = performance.now() - this.#sinceMs;
    const text = `${response.status} ${response.text.slice(0, 500)}`;
    recorded.push({ given: fuzzCase, claim, responseText: text, fromMs: toMs - response.elapsedMs, toMs });
    if (charges.length === 0) return;
    const reported = this.#reported.get(wallet) ?? { charges: [], pending: new Set<string>(), keys: new Set<string>() };
    this.#reported.set(wallet, reported);
    for (const charge of charges) {
      const { key, pending } = charge;
      reported.charges.push({ ...charge, kind: fuzzCase.kind, ms: Math.round(toMs) });
      if (key !== undefined) reported.keys.add(key);
      if (key !== undefined && pending) reported.pending.add(key);
    }
  }

  /** One sentence for each wallet whose books do not match the responses. */
  async problems(): Promise<MoneyProblem[]> {
    const { settleMs = SETTLE_MS } = this.#parts;
    const end = Date.now() + settleMs;
    for (let attempt = 0; ; attempt++) {
      const moved = (await this.#moved()).filter(({ reference }) => !this.#repeated.has(reference));
      const problems = this.#compare(moved, await this.#earlier());
      if (problems.length === 0 || (attempt > 0 && Date.now() >= end)) return problems.map(({ found }) => found);
      if (attempt === 0) for (const { wallet } of problems) await this.#replayUnknown(wallet, moved);
      else await new Promise((resume) => setTimeout(resume, RETRY_MS));
    }
  }

  /** Repeats requests for which money may have been kept. */
  async #replayUnknown(wallet: string, moved: readonly Moved[]): Promise<void> {
    const unknownRequests = (this.#recorded.get(wallet) ?? []).filter(({ claim }) => claim === 'unknown');
    for (const { given } of unknownRequests) {
      const response = await this.#parts.send(given);
      this.record(given, response);
      const body = json(response.text);
      const named = moved.filter(({ reference }) => response.text.includes(reference));
      for (const { reference } of named) this.#repeated.add(reference);
      if (named.length > 0 || !isDelivered(response.status, body) || chargesOf(body, false).length > 0) continue;
      this.#delivered.set(wallet, (this.#delivered.get(wallet) ?? 0) + FEE_PAISE);
    }
  }

  #compare(moved: readonly Moved[], earlier: ReadonlySet<string>): { wallet: string; found: MoneyProblem }[] {
    const debited = new Map<string, number>();
    for (const { wallet, reference, key, paise, state } of moved) {
      const { pending } = this.#reported.get(wallet) ?? { pending: new Set<string>() };
      const wasPending = (key !== null && pending.has(key)) || pending.has(reference);
      // a refund counts only if its caller received "pending" earlier
      if (state === 'failed' && !wasPending) continue;
      debited.set(wallet, (debited.get(wallet) ?? 0) + paise);
    }
    return [...this.#wallets.values()].flatMap((wallet) => {
      const books = debited.get(wallet) ?? 0;
      // reading an order of an earlier batch charges nothing
      const own = this.#reported.get(wallet)?.charges.filter(({ key }) => key === undefined || !earlier.has(key)) ?? [];
      const reported = own.reduce((sum, { paise }) => sum + paise, 0);
      const unexplained = books - reported;
      // a request without information about its fee may have paid, or only its replay
      if (unexplained === 0 || (unexplained > 0 && unexplained <= (this.#delivered.get(wallet) ?? 0))) return [];
      const problem = `wallet ${wallet}: the books debited ${books} paise, the responses state ${reported}`;
      const quiet = this.#quiet(moved.filter((row) => row.wallet === wallet && !this.#isNamed(row)));
      const unnamed = { moved: quiet, requests: own.filter(({ key }) => key === undefined) };
      const suspect = quiet.flatMap(({ requests }) => requests)[0]?.given;
      return [{ wallet, found: { problem, unnamed: JSON.stringify(unnamed), ...(suspect ? { given: suspect } : {}) } }];
    });
  }

  /** Charges without a response that identifies them, with the requests in progress at that time, rejected ones first. */
  #quiet(rows: readonly Moved[]): { row: Moved; requests: RecordedRequest[] }[] {
    const named = new Set<RecordedRequest>();
    return rows.flatMap((row) => {
      const during = (this.#recorded.get(row.wallet) ?? []).filter(
        ({ fromMs, toMs }) => fromMs - CLOCKS_MS <= row.ms && row.ms <= toMs + CLOCKS_MS,
      );
      const owner = during.find((recorded) => recorded.claim === 'named' && !named.has(recorded));
      if (owner || row.state === 'failed') {
        if (owner) named.add(owner);
        return [];
      }
      const requests = during.filter(({ claim }) => claim !== 'named');
      return [
        {
          row,
          requests: requests.toSorted((a, b) => CLAIMS_BY_DOUBT.indexOf(a.claim) - CLAIMS_BY_DOUBT.indexOf(b.claim)),
        },
      ];
    });
  }

  #isNamed({ wallet, reference, key }: Moved): boolean {
    const keys = this.#reported.get(wallet)?.keys ?? new Set<string>();
    return (key !== null && keys.has(key)) || keys.has(reference);
  }

  /** Payments in responses that were made before this batch. */
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
