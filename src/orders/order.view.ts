import { operatorView } from '../code-tables/code-tables.types.js';
import { clientKeyOf, type KeptKey } from '../core/client-key.js';
import type { RequestContext } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import { timeOfId } from '../core/ids.js';
import { type Paise, ZERO } from '../core/money.js';
import { operatorOfSpKey } from '../core/operators.js';
import type { DeveloperId } from '../core/principal.js';
import type { NotedPayment } from '../core/request-notes.js';
import { maskDigits, maskedCard } from '../core/secret.js';
import { type DeclineReason, declineReasons } from '../providers/decline-reasons.js';
import { type Placed, statusOf } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import type { Decline, Order, OrderKind } from './order.types.js';
import type { StoredOrder } from './stored-order.js';

/** What is shown of a payment's request, as the features store it. */
export interface ShownRequest {
  accountNumber?: string;
  operatorSpKey?: number;
  mobile?: string;
  card?: string;
}

/** What is shown of what a success amounts to. */
interface ShownValue {
  operatorRef?: string;
  providerTxnId?: string;
  utr?: string;
  txid?: number;
}

/** What a view is made of. */
interface Shown
  extends Pick<Placed<ShownValue>, 'status' | 'settledAt' | 'reversedAt' | 'value' | 'decline' | 'providerTxnId'> {
  developerId: DeveloperId;
  environment: Environment;
  id: string;
  reference: string;
  kind: OrderKind;
  amountPaise: Paise;
  clientKey: string | null;
  createdAt: Date;
  request: ShownRequest;
}

/** A stored payment as its owner sees it, or as staff see it, who see no whole number. */
export function orderView(order: StoredOrder, store: OrderStore, { masked }: { masked: boolean }): Order {
  const request = store.decrypt<ShownRequest & KeptKey>(order.id, order.request);
  const { value, decline } = store.answerOf<ShownValue>(order);
  return viewOf(
    {
      developerId: order.developerId,
      environment: order.environment,
      id: order.id,
      reference: order.reference,
      kind: order.operation as OrderKind,
      status: statusOf(order),
      amountPaise: order.amountPaise,
      clientKey: clientKeyOf(order.storedKey, () => request),
      createdAt: timeOfId(order.id),
      settledAt: order.settledAt,
      reversedAt: order.reversedAt,
      request,
      value: value ?? undefined,
      decline,
      providerTxnId: order.providerTxnId,
    },
    masked,
  );
}

/** A payment as its owner sees it right after the call. */
export const placedView = (
  placed: Placed<ShownValue>,
  of: Pick<Shown, 'developerId' | 'environment' | 'kind' | 'amountPaise' | 'clientKey' | 'request'>,
): Order => viewOf({ ...placed, ...of, id: placed.orderId }, false);

/** What the rest of the request knows of the payment that it came to. */
export function notePayment(
  { reference, status, replayed, received }: Placed<unknown> & Pick<NotedPayment, 'received'>,
  clientRequestId: string | undefined,
  context: RequestContext,
): void {
  if (replayed) context.replayed = true;
  if (context.notes)
    context.notes.payment = {
      apiRequestId: reference,
      clientRequestId: clientRequestId ?? null,
      status,
      replayed,
      received,
    };
}

function viewOf(shown: Shown, masked: boolean): Order {
  const { developerId, environment, id, kind, status, amountPaise, value, settledAt, reversedAt, createdAt } = shown;
  const { accountNumber, operatorSpKey, mobile, card } = shown.request;
  const show = (digits: string): string => (masked ? maskDigits(digits) : digits);
  const operator = operatorSpKey === undefined ? undefined : operatorOfSpKey(operatorSpKey);
  const decline = declineOf(shown);
  return {
    developerId,
    environment,
    id,
    kind,
    status,
    createdAt,
    settledAt,
    reversedAt,
    apiRequestId: shown.reference,
    clientRequestId: shown.clientKey,
    amount: amountPaise,
    accountNumber: accountNumber === undefined ? null : show(accountNumber),
    operator: operator ? operatorView(operator) : null,
    card: card === undefined ? null : maskedCard(card),
    mobile: mobile === undefined ? null : show(mobile),
    operatorRef: value?.operatorRef || null,
    providerTxnId: value?.providerTxnId || shown.providerTxnId || null,
    utr: value?.utr || null,
    txid: value?.txid || null,
    decline,
    refunded: decline ? amountPaise : ZERO,
  };
}

function declineOf({ status, decline = 'UNSPECIFIED' }: Pick<Shown, 'status' | 'decline'>): Decline | null {
  switch (status) {
    case 'failed':
      return because(decline);
    case 'reversed':
      return because('REVERSED_BY_PROVIDER');
    case 'pending':
    case 'success':
      return null;
  }
}

const because = (reason: DeclineReason): Decline => ({ reason, ...declineReasons[reason] });
