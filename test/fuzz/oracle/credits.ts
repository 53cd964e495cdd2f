import type { TestDatabase } from '../../support/database.js';
import type { Answer, FuzzCase } from '../case.js';

/** Mutations of the operator's people that put money into wallets. */
const CREDITS = /\b(creditWallet|approveProposal|approveDeveloper)\b/;

/** Money that enters: never more often than staff were answered that they did it. */
export class CreditOracle {
  readonly #db: Pick<TestDatabase, 'query'>;
  #accepted = 0;
  #before = 0;

  constructor(db: Pick<TestDatabase, 'query'>) {
    this.#db = db;
  }

  async begin(): Promise<void> {
    this.#accepted = 0;
    this.#before = await this.#count();
  }

  hear(given: FuzzCase, answer: Answer): void {
    if (given.host !== 'console' || !CREDITS.test(given.body ?? '')) return;
    // a document may hold several of them under aliases
    const names = (given.body ?? '').match(new RegExp(CREDITS, 'g'))?.length ?? 0;
    if (answer.status === 200 && answer.text.includes('"data":{')) this.#accepted += names;
  }

  async problems(): Promise<string[]> {
    const entered = (await this.#count()) - this.#before;
    return entered > this.#accepted ? [`${entered} credits were posted, ${this.#accepted} accepted`] : [];
  }

  async #count(): Promise<number> {
    const [row] = await this.#db.query<{ count: string }>(`select count(*) from transfer where kind = 'top_up'`);
    return Number(row!.count);
  }
}
