import { UnreadablePart } from '../core/errors.js';
import type { Metrics } from '../core/metrics.js';
import type { Base } from '../db/database.js';
import { type ProviderStatusChecks, StatusCheckRegistry } from '../orders/outcomes.js';
import type { LeasedOrder } from '../orders/stored-order.js';
import type { CardBillsPort, CardPaymentOrder, CardPaymentReceipt } from '../providers/ports/card-bills.port.js';
import type { RechargeOrder, RechargePort, RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { Providers } from '../providers/providers.js';

/** Stored request. Amounts (bigint) do not survive JSON and are read from the order row. */
type Stored<T> = Omit<T, 'amountPaise' | 'reference'>;

const commonFields = (order: LeasedOrder) => ({
  reference: order.reference,
  amountPaise: order.amountPaise,
  placedAt: order.createdAt,
  checkedAt: order.leasedAt,
  ...(order.settledAt ? { settledAt: order.settledAt } : {}),
  attempt: order.statusChecks + 1,
  ...(order.providerTxnId ? { providerTxnId: order.providerTxnId } : {}),
});

function rechargeStatusChecks(port: RechargePort, recheckAfterMs: number): ProviderStatusChecks {
  return {
    canCheckStatus: port.canCheckStatus,
    notFoundIsFinal: port.notFoundIsFinal,
    recheckAfterMs,
    receiptOf: ({ providerTxnId }): RechargeReceipt => ({ providerTxnId, operatorRef: '' }),
    checkStatus: (order, request) =>
      port.checkStatus({ ...(request as Stored<RechargeOrder>), ...commonFields(order) }),
  };
}

function cardPaymentStatusChecks(port: CardBillsPort, recheckAfterMs: number): ProviderStatusChecks {
  return {
    canCheckStatus: port.canCheckStatus,
    notFoundIsFinal: port.notFoundIsFinal,
    recheckAfterMs,
    // is 0 if the transaction is unknown, because the contract requires an integer
    receiptOf: ({ providerTxnId }): CardPaymentReceipt => ({ utr: '', txid: Number(providerTxnId) || 0 }),
    checkStatus: async (order, request) => {
      const outcome = await port.checkStatus({ ...(request as Stored<CardPaymentOrder>), ...commonFields(order) });
      if (outcome.kind !== 'accepted') return outcome;
      return { ...outcome, value: { ...outcome.value, providerTxnId: String(outcome.value.txid) } };
    },
  };
}

/** Creates the status checks of all providers that have them. */
export function createStatusCheckRegistry(
  { config, log }: Base,
  providers: Providers,
  metrics: Metrics,
): StatusCheckRegistry {
  const statusChecks = new StatusCheckRegistry(({ error, orderId, provider }) => {
    metrics.counter('failedStatusChecks').add(1, provider);
    // the order store has already logged it
    if (!(error instanceof UnreadablePart))
      log.error({ err: error as Error, orderId, provider }, 'status check failed');
  });
  const { byProvider, otherwiseMs } = config.recheckAfter;
  // the sandbox announces its reversals
  const recheckAfterMs = (provider: string): number =>
    provider === 'SANDBOX' ? 0 : (byProvider.get(provider) ?? otherwiseMs);
  for (const port of providers.recharge.all)
    statusChecks.register('recharge', port.provider, rechargeStatusChecks(port, recheckAfterMs(port.provider)));
  for (const port of Object.values(providers.cardBills))
    statusChecks.register('card_payment', port.provider, cardPaymentStatusChecks(port, recheckAfterMs(port.provider)));
  return statusChecks;
}
