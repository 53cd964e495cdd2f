import type { Call, Capability, Script } from './commands.js';

export type ProviderStatus = 'accepted' | 'declined' | 'unknown' | 'not_found';

/** One exchange with a provider, as it happened. */
export interface Exchange {
  order: number;
  kind: 'send' | 'status_check';
  status: ProviderStatus;
  /** The provider included its transaction ID. */
  named: boolean;
  ageMs: number;
}

interface Transaction {
  script: Script;
  capability: Capability;
  sends: number;
  noise: Script['noise'][number][];
  reversed: boolean;
  /** Number of status checks that do not show the reversal yet. */
  lateBy: number;
}

export const VISIBILITY_MS = 15 * 60_000;

/**
 * The providers, with the real outcomes. They can be silent, late and forgetful, but their statements are true: a processed
 * payment is never reported as failed, nor as not found once it must be visible, if "not found" is a proof.
 */
export class World {
  readonly #transactions: Transaction[] = [];
  #exchanges: Exchange[] = [];

  /** Records an accepted order that has not been sent. Returns its number. */
  accept({ script, capability }: Call): number {
    this.#transactions.push({ script, capability, sends: 0, noise: [...script.noise], reversed: false, lateBy: 0 });
    return this.#transactions.length - 1;
  }

  send(order: number): ProviderStatus {
    const transaction = this.#transactions[order]!;
    if (++transaction.sends > 1) throw new Error(`Order ${order} was sent twice.`);
    const { processed: hasProcessed, responds: responses } = transaction.script;
    const status = !responses ? 'unknown' : hasProcessed ? 'accepted' : 'declined';
    return this.#note({ order, kind: 'send', status, named: status === 'accepted', ageMs: 0 });
  }

  checkStatus(order: number, ageMs: number): ProviderStatus {
    const transaction = this.#transactions[order]!;
    if (transaction.capability === 'silent') throw new Error(`The provider of order ${order} has no status check.`);
    const status = this.#statusOf(transaction, ageMs);
    return this.#note({
      order,
      kind: 'status_check',
      status,
      named: status === 'accepted' || (status === 'declined' && transaction.reversed),
      ageMs,
    });
  }

  /** Reverses a processed transaction; has no effect on other transactions. */
  reverse(order: number, lateBy: number): void {
    if (this.hasProcessed(order) && !this.reversed(order))
      Object.assign(this.#transactions[order]!, { reversed: true, lateBy });
  }

  /** Money moved at the provider at some time. */
  hasProcessed(order: number): boolean {
    const { sends, script } = this.#transactions[order]!;
    return sends > 0 && script.processed;
  }

  /** The call was sent to the provider. */
  sent(order: number): boolean {
    return this.#transactions[order]!.sends > 0;
  }

  reversed(order: number): boolean {
    return this.#transactions[order]!.reversed;
  }

  get orders(): number {
    return this.#transactions.length;
  }

  /** Exchanges since the last call. */
  takeExchanges(): Exchange[] {
    return this.#exchanges.splice(0);
  }

  #statusOf(transaction: Transaction, ageMs: number): ProviderStatus {
    const { script, sends, noise, capability } = transaction;
    if (transaction.reversed) return transaction.lateBy-- > 0 ? 'accepted' : 'declined';
    const next = noise.shift() ?? script.afterwards;
    if (next === 'unknown') return 'unknown';
    if (next === 'not_found') {
      const mustBeVisible = capability === 'direct' && ageMs >= VISIBILITY_MS;
      return sends > 0 && script.processed && mustBeVisible ? 'unknown' : 'not_found';
    }
    if (sends === 0) return 'not_found';
    return script.processed ? 'accepted' : 'declined';
  }

  #note(exchange: Exchange): ProviderStatus {
    this.#exchanges.push(exchange);
    return exchange.status;
  }
}
