import { clientKeyOf } from '../core/client-key.js';
import { type ErrorCode, errorCatalogue } from '../core/error-catalogue.js';
import { timeOfId } from '../core/ids.js';
import type { Paise } from '../core/money.js';
import { maskDigits, maskedCard } from '../core/secret.js';
import type { OrderStore } from './order.store.js';
import type { Order, OrderKind, OrderReceipt } from './order.types.js';
import type { OrderState } from './states.js';
import type { StoredOrder } from './stored-order.js';

const STATUS: Record<OrderState, Order['status']> = {
  open: 'pending',
  review: 'pending',
  success: 'success',
  failed: 'failed',
};

const MESSAGES = {
  success: 'The provider performed the order; the debit is final.',
  pending: 'The outcome is not known yet and the money is held. Do not create a new order: ask again later.',
};

/** Requests and answers as the features store them. */
interface StoredRequest {
  accountNumber?: string;
  mobile?: string;
  card?: string;
}
interface StoredAnswer {
  value: { operatorRef?: string; providerTxnId?: string; utr?: string; txid?: number } | null;
}

/** An order as its owner sees it, or as staff see it, who see no whole number. */
export function orderView(
  order: StoredOrder,
  store: OrderStore,
  { walletBalance, masked }: { walletBalance: Paise | null; masked: boolean },
): Order {
  const status = order.reversedAt ? 'failed' : STATUS[order.state];
  const code: ErrorCode | null = order.reversedAt ? 'REVERSED' : status === 'failed' ? 'PROVIDER_DECLINED' : null;
  return {
    source: order,
    id: order.id,
    kind: order.operation as OrderKind,
    status,
    message: status === 'failed' ? errorCatalogue[code!].message : MESSAGES[status],
    code,
    amount: order.amountPaise,
    clientRequestId: clientKeyOf(order.storedKey, () => store.decrypt(order.id, order.request)),
    apiRequestId: order.reference,
    createdAt: timeOfId(order.id),
    settledAt: order.settledAt,
    reversedAt: order.reversedAt,
    receipt: receiptOf(order, store, masked),
    walletBalance,
  };
}

function receiptOf(order: StoredOrder, store: OrderStore, masked: boolean): OrderReceipt {
  const show = (digits: string): string => (masked ? maskDigits(digits) : digits);
  const { accountNumber, mobile, card } = store.decrypt<StoredRequest>(order.id, order.request);
  const value = order.answer ? store.decrypt<StoredAnswer>(order.id, order.answer).value : null;
  return {
    accountNumber: accountNumber === undefined ? null : show(accountNumber),
    operatorRef: value?.operatorRef || null,
    providerTxnId: value?.providerTxnId || order.providerTxnId || null,
    mobile: mobile === undefined ? null : show(mobile),
    card: card === undefined ? null : maskedCard(card),
    utr: value?.utr || null,
    txid: value?.txid || null,
  };
}
