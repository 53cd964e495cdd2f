import type { Paise } from '../core/money.js';
import { operatorOfSpKey } from '../core/operators.js';
import type { DeveloperId } from '../core/principal.js';
import { operatorView } from '../graphql-toolkit/code-tables.types.js';
import type { Order } from '../orders/views/order.types.js';
import { declineReasons } from '../providers/decline-reasons.js';
import { type OrderEventKind, orderEventKinds, type WebhookEvent } from './webhook-event.js';

const SETTLED_AT = new Date('2026-03-01T04:30:00.412Z');
const REVERSED_AT = new Date('2026-03-01T09:12:44.087Z');

const common = {
  developerId: '019aafe0-0000-7000-8000-000000000001' as DeveloperId,
  environment: 'production',
  createdAt: SETTLED_AT,
  settledAt: SETTLED_AT,
} as const;
const noDetails = {
  accountNumber: null,
  operator: null,
  card: null,
  mobile: null,
  operatorRef: null,
  utr: null,
  txid: null,
};

const recharge: Omit<Order, 'status' | 'decline' | 'refunded' | 'reversedAt'> = {
  ...common,
  ...noDetails,
  id: '019aafe0-0000-7000-8000-000000000002',
  kind: 'recharge',
  apiRequestId: '03H9WUIF88YK47TSCAGJQ719D',
  clientRequestId: 'guide-1',
  amount: 19_900n as Paise,
  accountNumber: 'xxxxxx3210',
  operator: operatorView(operatorOfSpKey(116)!),
  operatorRef: 'RJ0301100000412',
  providerTxnId: 'RP20260301100000',
};
const payment: typeof recharge = {
  ...common,
  ...noDetails,
  id: '019aafe0-0000-7000-8000-000000000003',
  kind: 'card_payment',
  apiRequestId: '03H9WUIF9DJ2W8QD1V54Z0KXM',
  clientRequestId: 'PAY-1001',
  amount: 747_512n as Paise,
  card: 'xxxx3008',
  mobile: 'xxxxxx3210',
  utr: '606011223344',
  txid: 1_785_394_800_512,
  providerTxnId: '1785394800512',
};

const OUTCOME: Readonly<Record<OrderEventKind, Pick<Order, 'status' | 'decline' | 'refunded' | 'reversedAt'>>> = {
  succeeded: { status: 'success', decline: null, refunded: 0n as Paise, reversedAt: null },
  failed: { status: 'failed', decline: declineOf('OPERATOR_UNAVAILABLE'), refunded: 0n as Paise, reversedAt: null },
  reversed: {
    status: 'reversed',
    decline: declineOf('REVERSED_BY_PROVIDER'),
    refunded: 0n as Paise,
    reversedAt: REVERSED_AT,
  },
};

function declineOf(reason: keyof typeof declineReasons): Order['decline'] {
  return { reason, ...declineReasons[reason] };
}

/** Receipt fields of a failed order. */
const NO_RECEIPT = { operatorRef: null, utr: null, txid: null };

const sampleOf = (order: typeof recharge, event: OrderEventKind): WebhookEvent => ({
  orderId: order.id,
  reference: order.apiRequestId,
  operation: order.kind,
  event,
  step: event === 'reversed' ? 3 : 2,
  environment: order.environment,
  occurredAt: event === 'reversed' ? REVERSED_AT : SETTLED_AT,
  order: { ...order, ...(event === 'failed' ? NO_RECEIPT : {}), ...OUTCOME[event] },
});

/** One event of every type, for the documentation. */
export const sampleEvents: readonly WebhookEvent[] = [
  ...[recharge, payment].flatMap((order) => orderEventKinds.map((event) => sampleOf(order, event))),
  {
    orderId: '019aafe0-0000-7000-8000-000000000004',
    reference: 'test-03H9WUIFA1B2C3D4E5F6G7H8J',
    operation: 'test',
    event: 'sent',
    step: 1,
    environment: 'production',
    occurredAt: SETTLED_AT,
    order: null,
  },
];
