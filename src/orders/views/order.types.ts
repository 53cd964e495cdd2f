import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import { Operator } from '../../graphql-toolkit/code-tables.types.js';
import { EnvironmentEnum, type OrderStatus, OrderStatusEnum, Output } from '../../graphql-toolkit/graphql-types.js';
import { CLIENT_ORDER, NodeType, type ReadByClient } from '../../graphql-toolkit/node.js';
import { Agrees, Range, Text } from '../../graphql-toolkit/rules.js';
import { Instant, Rupees, SafeInt } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import { type DeclineReason, declineReasons } from '../../providers/decline-reasons.js';
import type { JudgedOrder } from './order-actions.js';

export const OrderKindEnum = words('OrderKind', 'Type of an order.', {
  recharge: 'Mobile or DTH recharge.',
  card_payment: 'Credit card bill payment.',
});
export type OrderKind = WordOf<typeof OrderKindEnum>;

export const MAX_WAIT_MS = 25_000;

/** Decorates an argument for the maximum time that a query for an order waits for its final status. */
export const WaitMs = (): PropertyDecorator => (target, name) => {
  Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description: `Maximum time to wait for the final status of a PENDING order, in milliseconds. At most ${MAX_WAIT_MS}.`,
  })(target, name);
  Range(0, MAX_WAIT_MS)(target, name);
};

/** References that identify an order. A caller sets exactly one of them. */
export interface OrderIdentifiers {
  id?: string | undefined;
  apiRequestId?: string | undefined;
  kind?: OrderKind | undefined;
  clientRequestId?: string | undefined;
}
export const hasOneIdentifier = ({ id, clientRequestId, apiRequestId }: OrderIdentifiers): boolean =>
  [id, clientRequestId, apiRequestId].filter((identifier) => identifier !== undefined).length === 1;
export const ONE_IDENTIFIER = 'Set exactly one identifier of the order.';
export const hasKindWithKey = ({ kind, clientRequestId }: OrderIdentifiers): boolean =>
  kind !== undefined || clientRequestId === undefined;
export const KEY_NEEDS_KIND = 'Required with `clientRequestId`, because each order kind has its own idempotency keys.';

@ArgsType()
export class OrderArguments {
  @Field(() => ID, { nullable: true, description: 'ID of the order.' })
  id?: string;

  @Field(() => OrderKindEnum, { nullable: true, description: 'Order kind. Required with `clientRequestId`.' })
  @Agrees<OrderArguments>(hasKindWithKey, KEY_NEEDS_KIND)
  kind?: OrderKind;

  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key of the order: `client_request_id` of a recharge, or `orderid` of a card bill payment.',
  })
  @Text(100)
  @Agrees<OrderArguments>(hasOneIdentifier, ONE_IDENTIFIER)
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'The `api_request_id` returned for the order.' })
  @Text(100)
  apiRequestId?: string;

  @WaitMs()
  waitMs?: number;
}

export const OrderEventKindEnum = words('OrderEventKind', 'Type of an order event.', {
  hold: 'The amount was held in the wallet.',
  send: 'The payment was sent to the provider. A payment is sent only once.',
  response: 'The provider returned a response, or none arrived in time.',
  status_check: 'The status was checked with the provider.',
  callback: 'The provider sent a callback.',
  review: 'The order entered manual review.',
  status_conflict: 'The provider reports a status that conflicts with the final status of the order.',
  resolution: 'Staff resolved the order.',
  settle: 'The debit became final.',
  refund: 'The payment failed and the amount was refunded.',
  reversal: 'The payment was reversed after it had succeeded, and the amount was refunded.',
  refund_reversal: 'The refund was reversed, because the provider completed the payment.',
});
export type OrderEventKind = WordOf<typeof OrderEventKindEnum>;

@Output({ description: 'An event in the timeline of an order.' })
export class OrderEvent {
  @Field(() => Instant, { description: 'Time of the event.' })
  at!: Date;

  @Field(() => OrderEventKindEnum, { description: 'Type of the event.' })
  kind!: OrderEventKind;

  @Field({ description: 'Summary in one line, such as "No response within 24 s" or "Status check: still unknown".' })
  summary!: string;

  @Field({ description: 'Details known at the time of the event, as text without personal data.' })
  detail!: string;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Amount moved or named in a callback, in rupees. Null if the event has no amount.',
  })
  amount!: Paise | null;

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the provider response. Null if there was no response.',
  })
  httpStatus!: number | null;

  @Field(() => Int, { nullable: true, description: 'Time the provider took to respond, in milliseconds.' })
  durationMs!: number | null;

  @Field(() => String, { nullable: true, description: 'Provider transaction ID, if the provider returned one.' })
  reference!: string | null;
}

export const DeclineReasonEnum = words(
  'DeclineReason',
  'Reason why a payment failed or was reversed, mapped from the documented provider codes.',
  Object.fromEntries(Object.entries(declineReasons).map(([reason, { message }]) => [reason, message])),
);

@Output({ description: 'Details of a failed or reversed payment.' })
export class Decline {
  @Field(() => DeclineReasonEnum, { description: 'Machine-readable reason.' })
  reason!: DeclineReason;

  @Field({ description: 'Human-readable explanation.' })
  message!: string;

  @Field({ description: 'Whether a new order with a new idempotency key may succeed later.' })
  retryable!: boolean;
}

@NodeType<Order>('ord', {
  clientPrefix: CLIENT_ORDER,
  description:
    'A recharge or card bill payment and its status. Numbers are masked for staff and for client tokens. For a client token the ID begins with `oct_`, so that a cache does not replace the unmasked order.',
})
export class Order implements ReadByClient {
  /** UUID of the order. It is used to load fields separately. */
  id!: string;
  isReadByClient?: boolean;
  developerId!: DeveloperId;
  /**
   * Fields that determine the allowed staff actions. They are omitted in the response to the call that placed the order, which
   * only its owner sees.
   */
  judged?: JudgedOrder;

  @Field(() => EnvironmentEnum, { description: 'Environment of the order: Production or UAT (test funds).' })
  environment!: Environment;

  @Field({ description: 'Reference generated by this service. The provider receives the order under this reference.' })
  apiRequestId!: string;

  @Field(() => String, { nullable: true, description: 'Idempotency key sent by the client, if any.' })
  clientRequestId!: string | null;

  @Field(() => OrderKindEnum, { description: 'Type of the order.' })
  kind!: OrderKind;

  @Field(() => OrderStatusEnum, { description: 'Latest known status.' })
  status!: OrderStatus;

  @Field(() => Rupees, { description: 'Amount in rupees.' })
  amount!: Paise;

  @Field(() => String, { nullable: true, description: 'Mobile or subscriber number. Recharges only.' })
  accountNumber!: string | null;

  @Field(() => Operator, {
    nullable: true,
    description: 'Operator of the recharge. Recharges only; null if the SP key is not in the operator table.',
  })
  operator!: Operator | null;

  @Field(() => String, {
    nullable: true,
    description: 'Last 4 characters of the card, prefixed with xxxx. Card bill payments only.',
  })
  card!: string | null;

  @Field(() => String, { nullable: true, description: 'Mobile number in the request. Card bill payments only.' })
  mobile!: string | null;

  @Field(() => String, { nullable: true, description: 'Reference of the operator. Recharges only.' })
  operatorRef!: string | null;

  @Field(() => String, { nullable: true, description: 'Provider transaction ID.' })
  providerTxnId!: string | null;

  @Field(() => String, { nullable: true, description: 'Payment reference (UTR). Card bill payments only.' })
  utr!: string | null;

  @Field(() => SafeInt, { nullable: true, description: 'Transaction ID of the payment. Card bill payments only.' })
  txid!: number | null;

  @Field(() => Decline, {
    nullable: true,
    description: 'Reason for the failure or reversal. Null unless the status is FAILED or REVERSED.',
  })
  decline!: Decline | null;

  @Field(() => Rupees, { description: 'Amount refunded to the wallet, in rupees. 0 if nothing has been refunded.' })
  refunded!: Paise;

  @Field(() => Instant, { description: 'Time the order was accepted.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the outcome became final. Null while the order is pending.',
  })
  settledAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time a successful payment was reversed. Null if the refund was reversed later.',
  })
  reversedAt!: Date | null;
}
