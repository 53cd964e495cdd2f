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

export const OrderKindEnum = words('OrderKind', 'Which money call an order belongs to.', {
  recharge: 'A recharge.',
  card_payment: 'A credit card bill payment.',
});
export type OrderKind = WordOf<typeof OrderKindEnum>;

export const MAX_WAIT_MS = 25_000;

/** How long a question about an order waits for its verdict. */
export const WaitMs = (): PropertyDecorator => (target, name) => {
  Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description: `While it is PENDING: answer when it is decided, after so many milliseconds at the latest, ${MAX_WAIT_MS} at most.`,
  })(target, name);
  Range(0, MAX_WAIT_MS)(target, name);
};

/** The names of one order, of which a caller gives one. */
export interface OrderNames {
  id?: string | undefined;
  apiRequestId?: string | undefined;
  kind?: OrderKind | undefined;
  clientRequestId?: string | undefined;
}
export const hasOneName = ({ id, clientRequestId, apiRequestId }: OrderNames): boolean =>
  [id, clientRequestId, apiRequestId].filter((named) => named !== undefined).length === 1;
export const ONE_NAME = 'Name the order in exactly one way.';
export const hasKindWithKey = ({ kind, clientRequestId }: OrderNames): boolean =>
  kind !== undefined || clientRequestId === undefined;
export const KEY_NEEDS_KIND = 'Must be given with your own key: each money call has keys of its own.';

@ArgsType()
export class OrderArguments {
  @Field(() => ID, { nullable: true, description: 'Its id.' })
  id?: string;

  @Field(() => OrderKindEnum, { nullable: true, description: 'Which money call; your own key needs it.' })
  @Agrees<OrderArguments>(hasKindWithKey, KEY_NEEDS_KIND)
  kind?: OrderKind;

  @Field(() => String, { nullable: true, description: 'Your own key: client_request_id or orderid.' })
  @Text(100)
  @Agrees<OrderArguments>(hasOneName, ONE_NAME)
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;

  @WaitMs()
  waitMs?: number;
}

export const OrderEventKindEnum = words('OrderEventKind', 'What happened to an order.', {
  hold: 'Its amount left the wallet.',
  send: 'The provider was asked to perform it, once.',
  response: 'The provider returned a response, or none arrived in time.',
  status_check: 'The status was checked with the provider.',
  callback: 'The provider called back.',
  review: 'It was handed to a person.',
  status_conflict: 'The provider reports a status that conflicts with the final status of the order.',
  resolution: 'Staff resolved the order.',
  settle: 'The debit became final.',
  refund: 'The amount is back: it was not performed.',
  reversal: 'The amount is back: it was taken back after it had succeeded.',
  refund_reversal: 'The refund was reversed, because the provider completed the payment.',
});
export type OrderEventKind = WordOf<typeof OrderEventKindEnum>;

@Output({ description: 'One thing that happened to an order.' })
export class OrderEvent {
  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field(() => OrderEventKindEnum, { description: 'What.' })
  kind!: OrderEventKind;

  @Field({ description: 'Summary in one line, such as "No response within 24 s" or "Status check: still unknown".' })
  summary!: string;

  @Field({ description: 'What was known then, in words without personal data.' })
  detail!: string;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Rupees: what moved, or what a callback speaks of. Null where no amount was named.',
  })
  amount!: Paise | null;

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the provider’s answer; null where there was none.',
  })
  httpStatus!: number | null;

  @Field(() => Int, { nullable: true, description: 'How long the provider took, in milliseconds.' })
  durationMs!: number | null;

  @Field(() => String, { nullable: true, description: 'The provider’s transaction id, where it named one.' })
  reference!: string | null;
}

export const DeclineReasonEnum = words(
  'DeclineReason',
  'Why a payment was not performed, by the documented codes of its provider.',
  Object.fromEntries(Object.entries(declineReasons).map(([reason, { message }]) => [reason, message])),
);

@Output({ description: 'Why a payment was not performed, or was taken back.' })
export class Decline {
  @Field(() => DeclineReasonEnum, { description: 'Why it was declined or taken back, for programs.' })
  reason!: DeclineReason;

  @Field({ description: 'For people.' })
  message!: string;

  @Field({ description: 'Whether a new order may succeed later, with a key of its own.' })
  retryable!: boolean;
}

@NodeType<Order>('ord', {
  clientPrefix: CLIENT_ORDER,
  description:
    'A recharge or card payment and what became of it. Numbers are masked for staff and for client tokens. For a client token the ID begins with `oct_`, so that a cache does not replace the unmasked order.',
})
export class Order implements ReadByClient {
  /** Of its id, and what is read beside it. */
  id!: string;
  isReadByClient?: boolean;
  developerId!: DeveloperId;
  /** What staff may do to it follows from this; not of the answer to the call that placed it, which only its owner gets. */
  judged?: JudgedOrder;

  @Field(() => EnvironmentEnum, { description: 'Real money, or play money of UAT.' })
  environment!: Environment;

  @Field({ description: 'Our id of the request; what the provider knows the order by.' })
  apiRequestId!: string;

  @Field(() => String, { nullable: true, description: 'Your own key, where you sent one.' })
  clientRequestId!: string | null;

  @Field(() => OrderKindEnum, { description: 'Which money call.' })
  kind!: OrderKind;

  @Field(() => OrderStatusEnum, { description: 'Its state, as far as it is known.' })
  status!: OrderStatus;

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;

  @Field(() => String, { nullable: true, description: 'Recharges: the mobile or subscriber number.' })
  accountNumber!: string | null;

  @Field(() => Operator, {
    nullable: true,
    description: 'Recharges: who was recharged with; null for a key that is not in our table.',
  })
  operator!: Operator | null;

  @Field(() => String, { nullable: true, description: 'Card payments: the last 4 characters of the card behind xxxx.' })
  card!: string | null;

  @Field(() => String, { nullable: true, description: 'Card payments: the mobile number of the request.' })
  mobile!: string | null;

  @Field(() => String, { nullable: true, description: 'Recharges: the operator’s reference.' })
  operatorRef!: string | null;

  @Field(() => String, { nullable: true, description: 'The provider’s transaction id.' })
  providerTxnId!: string | null;

  @Field(() => String, { nullable: true, description: 'Card payments: the payment reference.' })
  utr!: string | null;

  @Field(() => SafeInt, { nullable: true, description: 'Card payments: the transaction id.' })
  txid!: number | null;

  @Field(() => Decline, { nullable: true, description: 'Why, when it is FAILED or REVERSED.' })
  decline!: Decline | null;

  @Field(() => Rupees, { description: 'What came back to the wallet; 0 until then.' })
  refunded!: Paise;

  @Field(() => Instant, { description: 'When it was accepted.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When the outcome became final.' })
  settledAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'When a success was taken back; null once it is charged again.',
  })
  reversedAt!: Date | null;
}
