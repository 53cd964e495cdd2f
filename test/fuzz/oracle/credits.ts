import type { TestDatabase } from '../../support/database.js';
import type { FuzzCase, FuzzResponse } from '../case.js';

/** Mutations that credit wallets: by administrators, and with UAT test funds. */
const CREDITS = /\b(creditWallet|approveApprovalRequest|approveDeveloper|refillSandboxWallet)\b/;
const REFILL = '/api/v1/sandbox/refill';

/** Checks that money is credited at most as often as responses confirm it. */
export class CreditOracle {
  readonly #db: Pick<TestDatabase, 'query'>;
  #accepted = 0;
  #initialCount = 0;

  constructor(db: Pick<TestDatabase, 'query'>) {
    this.#db = db;
  }

  async start(): Promise<void> {
    this.#accepted = 0;
    this.#initialCount = await this.#count();
  }

  record(fuzzCase: FuzzCase, response: FuzzResponse): void {
    if (fuzzCase.host === 'uat' && response.status === 200 && fuzzCase.path.includes(REFILL)) this.#accepted += 1;
    if (fuzzCase.host === 'production' || !CREDITS.test(fuzzCase.body ?? '')) return;
    // a document may contain several of them under aliases
    const names = (fuzzCase.body ?? '').match(new RegExp(CREDITS, 'g'))?.length ?? 0;
    if (response.status === 200 && response.text.includes('"data":{')) this.#accepted += names;
  }

  async problems(): Promise<string[]> {
    const entered = (await this.#count()) - this.#initialCount;
    return entered > this.#accepted ? [`${entered} credits were posted, ${this.#accepted} accepted`] : [];
  }

  async #count(): Promise<number> {
    const [row] = await this.#db.query<{ count: string }>(`select count(*) from transfer where kind = 'top_up'`);
    return Number(row!.count);
  }
}
