import { AppError } from '../core/errors.js';
import { isReference } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { noteOrder } from '../core/scope.js';
import { failureKindOf } from '../db/database-errors.js';
import type { StatusCheckStore } from '../orders/status-check.store.js';
import type { ProviderCallbacks } from '../providers/ports/callback.port.js';

/**
 * Maximum number of callbacks in the timeline of an order. A provider that repeats callbacks endlessly cannot fill the
 * disk.
 */
const MAX_PER_ORDER = 20;

/**
 * Result of a callback.
 *
 * - `unreadable`: the callback does not identify an order.
 * - `unknown_order`: no order of the provider has the reference.
 * - `archived`: the order has been archived. Staff should check it.
 * - `status_check`: the status will be checked with the provider.
 * - `status_conflict`: the callback reports success for a refunded order. Staff should check it.
 * - `noted`: no check is needed, because the order is still being sent, is in manual review, or already has the reported
 * status.
 */
export type CallbackResult = 'unreadable' | 'unknown_order' | 'archived' | 'status_check' | 'status_conflict' | 'noted';

/**
 * Callbacks of providers. A callback only triggers a status check. It moves no money and changes no status, so a forged,
 * repeated, conflicting or late callback has no effect.
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

  /** Returns the names of the providers that send callbacks, as in the path. */
  get names(): string[] {
    return [...this.#formats.keys()];
  }

  /**
   * Processes an authentic callback, which is stored when the promise resolves. Throws DEPENDENCY_DOWN, so that the provider
   * sends it again.
   *
   * @param fields query and body. Names are case-insensitive.
   */
  async receive(name: string, fields: ReadonlyMap<string, string>): Promise<CallbackResult> {
    const format = this.#formats.get(name)!;
    const callback = format.parse(new Map([...fields].map(([key, value]) => [key.toLowerCase(), value])));
    if (!callback) return 'unreadable';
    const { reference, status, providerStatus, providerTxnId, amountPaise } = callback;
    if (!isReference(reference)) return 'unknown_order';
    const detail = {
      providerStatus,
      providerTxnId,
      ...(amountPaise === undefined ? {} : { amountPaise: String(amountPaise) }),
    };
    try {
      const result = await this.store.recordCallback(format.provider, reference, status, MAX_PER_ORDER, detail);
      if (result !== 'unknown_order') noteOrder({ reference });
      if (result === 'archived')
        this.log.warn(
          { reference, provider: format.provider, says: status },
          'received a callback for an archived order',
        );
      if (result === 'status_conflict')
        this.log.error({ reference, provider: format.provider }, 'a callback reports success for a refunded order');
      return result;
    } catch (error) {
      const trouble = failureKindOf(error);
      if (trouble === 'away' || trouble === 'doubt') throw new AppError('DEPENDENCY_DOWN', { cause: error });
      throw error;
    }
  }
}
