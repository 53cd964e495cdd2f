import { forOrder } from '../core/scope.js';
import type { LedgerService, Operation } from '../ledger/ledger.service.js';
import type { EnquiryOutcome } from '../providers/outcome.js';
import type { EnquiryStore } from './enquiry.store.js';
import type { OrderStore } from './order.store.js';
import type { LeasedOrder, StoredOrder } from './stored-order.js';

/** What can be asked about an order of one provider. */
export interface ProviderEnquiries {
  canEnquire: boolean;
  notFoundIsFinal: boolean;
  /** Every settled payment is asked about once more after this time; 0: never, because a daily statement tells. */
  recheckAfterMs: number;
  /** What is known of a success that a person decided, in the shape of the port's receipt. */
  receiptOf(order: StoredOrder): object;
  /** `request` is the decrypted request that the order was placed with. */
  enquire(order: LeasedOrder, request: unknown): Promise<EnquiryOutcome<{ providerTxnId: string }>>;
}

/** An enquiry that threw. */
export interface EnquiryFailure {
  orderId: string;
  provider: string;
  error: unknown;
}

/** Finds the enquiries of an order's operation and provider. Lookups are never enquired about. */
export class EnquiryRegistry {
  readonly #known = new Map<string, ProviderEnquiries>();

  constructor(private readonly onFailure: (failure: EnquiryFailure) => void = () => {}) {}

  register(operation: Operation, provider: string, enquiries: ProviderEnquiries): this {
    this.#known.set(`${operation}/${provider}`, enquiries);
    return this;
  }

  of(operation: Operation, provider: string): ProviderEnquiries | undefined {
    return this.#known.get(`${operation}/${provider}`);
  }

  /**
   * Asks about an order; `request` decrypts what it was placed with. One that throws, because of a request without its key or of
   * a defect, says nothing and has been asked all the same: else the order would be asked about for ever, and no person would learn of it.
   */
  async ask(
    enquiries: ProviderEnquiries,
    order: LeasedOrder,
    request: () => unknown,
  ): Promise<EnquiryOutcome<{ providerTxnId: string }>> {
    try {
      return await forOrder(order, () => enquiries.enquire(order, request()));
    } catch (error) {
      this.onFailure({ orderId: order.id, provider: order.provider, error });
      return { kind: 'unknown', evidence: { reason: 'enquiry_failed' } };
    }
  }

  /** Every provider that has orders to sweep. */
  readonly providers = (): string[] => [
    ...new Set([...this.#known.keys()].map((key) => key.slice(key.indexOf('/') + 1))),
  ];
}

/** What those work with who ask about orders and apply what they are told. */
export interface EnquiryParts {
  ledger: LedgerService;
  store: OrderStore;
  enquiryStore: EnquiryStore;
  enquiries: EnquiryRegistry;
}
