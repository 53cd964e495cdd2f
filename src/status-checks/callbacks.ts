import { AppError } from '../core/errors.js';
import { isReference } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { noteOrder } from '../core/scope.js';
import { troubleOf } from '../db/trouble.js';
import type { StatusCheckStore } from '../orders/status-check.store.js';
import type { ProviderCallbacks } from '../providers/ports/callback.port.js';

/** Callbacks that an order's timeline keeps; a provider that repeats itself for ever fills no disk. */
const KEPT_PER_ORDER = 20;

/**
 * unreadable     it does not say which order it is about
 * unknown_order  no order of that provider has the reference
 * archived       its order is so old that it has left for the archive: somebody should look
 * status check        the provider will be asked
 * status conflict  it calls a refunded order a success: somebody should look
 * noted          there is nothing to ask: still being sent, with a person, or known as it says
 */
export type CallbackResult = 'unreadable' | 'unknown_order' | 'archived' | 'status_check' | 'status_conflict' | 'noted';

/**
 * Callbacks of providers. One is only ever a reason to check the status: it moves no money and no state, so that a forged, repeated,
 * contradicting or late one changes nothing.
 */
export class Callbacks {
  readonly #formats: ReadonlyMap<string, ProviderCallbacks>;

  constructor(
    private readonly store: StatusCheckStore,
    formats: readonly ProviderCallbacks[],
    private readonly log: Logger,
  ) {
    this.#formats = new Map(formats.map((format) => [format.name, format]));
  }

  /** Providers that call back, by their name in the path. */
  get names(): string[] {
    return [...this.#formats.keys()];
  }

  /**
   * Takes one authentic callback; it is stored when this resolves.
   *
   * @param fields query and body; names in any case
   * Errors: DEPENDENCY_DOWN, so that the provider repeats it.
   */
  async take(name: string, fields: ReadonlyMap<string, string>): Promise<CallbackResult> {
    const format = this.#formats.get(name)!;
    const callback = format.parse(new Map([...fields].map(([key, value]) => [key.toLowerCase(), value])));
    if (!callback) return 'unreadable';
    const { reference, says, providerStatus, providerTxnId, amountPaise } = callback;
    if (!isReference(reference)) return 'unknown_order';
    const detail = {
      providerStatus,
      providerTxnId,
      ...(amountPaise === undefined ? {} : { amountPaise: String(amountPaise) }),
    };
    try {
      const result = await this.store.recordCallback(format.provider, reference, says, KEPT_PER_ORDER, detail);
      if (result !== 'unknown_order') noteOrder({ reference });
      if (result === 'archived')
        this.log.warn({ reference, provider: format.provider, says }, 'a callback is about an archived order');
      if (result === 'status_conflict')
        this.log.error({ reference, provider: format.provider }, 'a callback calls a refunded order a success');
      return result;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === 'away' || trouble === 'doubt') throw new AppError('DEPENDENCY_DOWN', { cause: error });
      throw error;
    }
  }
}
