import { clientKeyOf, isHashedKey, type KeptKey, maskedKey } from '../../core/card-number.js';
import { isClientToken, mustMaskKeys, mustMaskNumbers, type RequestContext } from '../../core/context.js';
import type { Environment } from '../../core/environment.js';
import { UnreadablePart } from '../../core/errors.js';
import { timeOfId } from '../../core/ids.js';
import { type Paise, ZERO } from '../../core/money.js';
import { operatorOfSpKey } from '../../core/operators.js';
import type { DeveloperId } from '../../core/principal.js';
import type { NotedPayment } from '../../core/scope.js';
import { maskDigits, maskedCard } from '../../core/secret.js';
import { operatorView } from '../../graphql-toolkit/code-tables.types.js';
import { type DeclineReason, declineReasons } from '../../providers/decline-reasons.js';
import { type OrderStore, readOrUnreadable } from '../order.store.js';
import { type OrderResult } from '../placement.js';
import { statusOf } from '../states.js';
import type { StoredOrder } from '../stored-order.js';
import type { Decline, Order, OrderKind } from './order.types.js';

/** Displayed fields of a payment request, as the features store them. */
export interface DisplayedRequest {
  accountNumber?: string;
  operatorSpKey?: number;
  mobile?: string;
  card?: string;
}

/** Displayed fields of a successful outcome. */
interface DisplayedValue {
  operatorRef?: string;
  providerTxnId?: string;
  utr?: string;
  txid?: number;
}

interface ViewSource
  extends Pick<
    OrderResult<DisplayedValue>,
    'status' | 'settledAt' | 'reversedAt' | 'reversedBy' | 'value' | 'decline' | 'providerTxnId'
  > {
  developerId: DeveloperId;
  environment: Environment;
  id: string;
  reference: string;
  kind: OrderKind;
  amountPaise: Paise;
  clientKey: string | null;
  createdAt: Date;
  request: DisplayedRequest;
}

/** Displayed fields of a stored payment. */
export type DisplayedOrder = Pick<
  StoredOrder,
  | 'developerId'
  | 'environment'
  | 'id'
  | 'reference'
  | 'operation'
  | 'state'
  | 'amountPaise'
  | 'storedKey'
  | 'providerTxnId'
  | 'settledAt'
  | 'reversedAt'
  | 'reversedBy'
  | 'request'
  | 'result'
>;

export interface Masking {
  /** Whether to mask account and mobile numbers. */
  masked: boolean;
  /** Whether to mask card numbers in the idempotency key. */
  maskedKeys?: boolean;
  /** Whether the reader uses a client token. */
  isReadByClient?: boolean;
}

export const maskingFor = (context: RequestContext): Masking => ({
  masked: mustMaskNumbers(context),
  maskedKeys: mustMaskKeys(context),
  isReadByClient: isClientToken(context),
});

/**
 * Returns a stored payment as its owner sees it or, with masked numbers, as staff see it. If its request or response cannot be
 * decrypted, the fields that need it become the error `UnreadablePart`; all other fields keep their values.
 */
export function orderView(order: StoredOrder, store: OrderStore, masking: Masking): Order {
  const { operation, provider, state, unknownSince, reversedAt, statusConflictAt } = order;
  const view = outcomeView(order, store, masking);
  view.judged = { operation, provider, state, unknownSince, reversedAt, statusConflictAt };
  return view;
}

/** Returns the same view as `orderView` for a payment with a final outcome. */
export function outcomeView(order: DisplayedOrder, store: OrderStore, masking: Masking): Order {
  const request = readOrUnreadable(() => store.decrypt<DisplayedRequest & KeptKey>(order.id, order.request));
  const result = readOrUnreadable(() => store.resultOf<DisplayedValue>(order));
  const isRequestUnreadable = request instanceof UnreadablePart;
  const { value, decline } = result instanceof UnreadablePart ? { value: null } : result;
  const view = viewOf(
    {
      developerId: order.developerId,
      environment: order.environment,
      id: order.id,
      reference: order.reference,
      kind: order.operation as OrderKind,
      status: statusOf(order),
      amountPaise: order.amountPaise,
      clientKey: isRequestUnreadable ? order.storedKey : clientKeyOf(order.storedKey, () => request),
      createdAt: timeOfId(order.id),
      settledAt: order.settledAt,
      reversedAt: order.reversedAt,
      reversedBy: order.reversedBy,
      request: isRequestUnreadable ? {} : request,
      value: value ?? undefined,
      decline,
      providerTxnId: order.providerTxnId,
    },
    masking,
  );
  if (isRequestUnreadable) {
    markUnreadable(view, requestFields[view.kind], request);
    if (order.storedKey !== null && isHashedKey(order.storedKey)) markUnreadable(view, ['clientRequestId'], request);
  }
  if (result instanceof UnreadablePart && view.status !== 'failed') {
    markUnreadable(view, resultFields[view.kind], result);
    // the row also stores the transaction ID
    if (view.providerTxnId === null) markUnreadable(view, ['providerTxnId'], result);
  }
  return view;
}

type LossyField =
  | 'clientRequestId'
  | 'accountNumber'
  | 'operator'
  | 'card'
  | 'mobile'
  | 'operatorRef'
  | 'providerTxnId'
  | 'utr'
  | 'txid';

/** Fields that are stored only in the request or the response of an order. */
const requestFields: Readonly<Record<OrderKind, readonly LossyField[]>> = {
  recharge: ['accountNumber', 'operator'],
  card_payment: ['card', 'mobile'],
};
const resultFields: Readonly<Record<OrderKind, readonly LossyField[]>> = {
  recharge: ['operatorRef'],
  card_payment: ['utr', 'txid'],
};

/** Replaces fields with an error. Both GraphQL engines treat an error value as the failure of that field. */
function markUnreadable(view: Order, fields: readonly LossyField[], error: UnreadablePart): void {
  for (const field of fields) view[field] = error as never;
}

/** Returns a value of a view for readers outside of GraphQL, or null if it cannot be decrypted. */
export const readable = <T>(value: T): T | null => (value instanceof UnreadablePart ? null : value);

/** Returns a payment as displayed to its owner right after the call. */
export const resultView = (
  result: OrderResult<DisplayedValue>,
  details: Pick<ViewSource, 'developerId' | 'environment' | 'kind' | 'amountPaise' | 'clientKey' | 'request'>,
): Order => viewOf({ ...result, ...details, id: result.orderId }, { masked: false });

/** Records the resulting payment for later steps of the request, such as its log line. */
export function notePayment(
  { reference, status, replayed, received }: OrderResult<unknown> & Pick<NotedPayment, 'received'>,
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

function viewOf(source: ViewSource, { masked, maskedKeys = false, isReadByClient = false }: Masking): Order {
  const { developerId, environment, id, kind, status, amountPaise, value, settledAt, reversedAt, createdAt } = source;
  const { accountNumber, operatorSpKey, mobile, card } = source.request;
  const display = (digits: string): string => (masked ? maskDigits(digits) : digits);
  const operator = operatorSpKey === undefined ? undefined : operatorOfSpKey(operatorSpKey);
  const decline = declineOf(source);
  return {
    developerId,
    environment,
    id,
    isReadByClient,
    kind,
    status,
    createdAt,
    settledAt,
    reversedAt,
    apiRequestId: source.reference,
    clientRequestId: source.clientKey !== null && maskedKeys ? maskedKey(source.clientKey) : source.clientKey,
    amount: amountPaise,
    accountNumber: accountNumber === undefined ? null : display(accountNumber),
    operator: operator ? operatorView(operator) : null,
    card: card === undefined ? null : maskedCard(card),
    mobile: mobile === undefined ? null : display(mobile),
    operatorRef: value?.operatorRef || null,
    providerTxnId: value?.providerTxnId || source.providerTxnId || null,
    utr: value?.utr || null,
    txid: value?.txid || null,
    decline,
    refunded: decline ? amountPaise : ZERO,
  };
}

function declineOf({
  status,
  decline = 'UNSPECIFIED',
  reversedBy,
}: Pick<ViewSource, 'status' | 'decline' | 'reversedBy'>): Decline | null {
  switch (status) {
    case 'failed':
      return declineFor(decline);
    case 'reversed':
      return declineFor(reversedBy === 'support' ? 'REVERSED_BY_SUPPORT' : 'REVERSED_BY_PROVIDER');
    case 'pending':
    case 'success':
      return null;
  }
}

const declineFor = (reason: DeclineReason): Decline => ({ reason, ...declineReasons[reason] });
