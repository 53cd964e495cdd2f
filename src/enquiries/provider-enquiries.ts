import { UnreadablePart } from '../core/errors.js';
import type { Metrics } from '../core/metrics.js';
import type { Base } from '../db/database.js';
import { EnquiryRegistry, type ProviderEnquiries } from '../orders/outcomes.js';
import type { LeasedOrder } from '../orders/stored-order.js';
import type { CardBillsPort, CardPaymentOrder, CardPaymentReceipt } from '../providers/ports/card-bills.port.js';
import type { RechargeOrder, RechargePort, RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { Providers } from '../providers/providers.js';

/** Amounts do not survive JSON as bigint; the order row holds them. */
type Stored<T> = Omit<T, 'amountPaise' | 'reference'>;

const common = (order: LeasedOrder) => ({
  reference: order.reference,
  amountPaise: order.amountPaise,
  placedAt: order.createdAt,
  askedAt: order.askedAt,
  ...(order.settledAt ? { settledAt: order.settledAt } : {}),
  attempt: order.enquiries + 1,
  ...(order.providerTxnId ? { providerTxnId: order.providerTxnId } : {}),
});

function rechargeEnquiries(port: RechargePort, recheckAfterMs: number): ProviderEnquiries {
  return {
    canEnquire: port.canEnquire,
    notFoundIsFinal: port.notFoundIsFinal,
    recheckAfterMs,
    receiptOf: ({ providerTxnId }): RechargeReceipt => ({ providerTxnId, operatorRef: '' }),
    enquire: (order, request) => port.enquire({ ...(request as Stored<RechargeOrder>), ...common(order) }),
  };
}

function cardPaymentEnquiries(port: CardBillsPort, recheckAfterMs: number): ProviderEnquiries {
  return {
    canEnquire: port.canEnquire,
    notFoundIsFinal: port.notFoundIsFinal,
    recheckAfterMs,
    // 0: nobody named a transaction, and the contract wants an integer
    receiptOf: ({ providerTxnId }): CardPaymentReceipt => ({ utr: '', txid: Number(providerTxnId) || 0 }),
    enquire: async (order, request) => {
      const outcome = await port.enquire({ ...(request as Stored<CardPaymentOrder>), ...common(order) });
      if (outcome.kind !== 'accepted') return outcome;
      return { ...outcome, value: { ...outcome.value, providerTxnId: String(outcome.value.txid) } };
    },
  };
}

/** How each provider that can be asked is asked. */
export function createEnquiryRegistry({ config, log }: Base, providers: Providers, metrics: Metrics): EnquiryRegistry {
  const enquiries = new EnquiryRegistry(({ error, orderId, provider }) => {
    metrics.counter('failedEnquiries').add(1, provider);
    // the store has logged it, once
    if (!(error instanceof UnreadablePart)) log.error({ err: error as Error, orderId, provider }, 'enquiry failed');
  });
  const { byProvider, otherwiseMs } = config.recheckAfter;
  // the sandbox says itself when it takes something back
  const recheckAfterMs = (provider: string): number =>
    provider === 'SANDBOX' ? 0 : (byProvider.get(provider) ?? otherwiseMs);
  for (const port of providers.recharge.all)
    enquiries.register('recharge', port.provider, rechargeEnquiries(port, recheckAfterMs(port.provider)));
  for (const port of Object.values(providers.cardBills))
    enquiries.register('card_payment', port.provider, cardPaymentEnquiries(port, recheckAfterMs(port.provider)));
  return enquiries;
}
