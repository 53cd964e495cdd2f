import { ArgsType, Field, ID, registerEnumType } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { OrderStatusEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees, SafeInt } from '../graphql-toolkit/scalars.js';
import type { StoredOrder } from './stored-order.js';

export const OrderKindEnum = { RECHARGE: 'recharge', CARD_PAYMENT: 'card_payment' } as const;
export type OrderKind = (typeof OrderKindEnum)[keyof typeof OrderKindEnum];
registerEnumType(OrderKindEnum, {
  name: 'OrderKind',
  description: 'Which money call an order belongs to.',
  valuesConfig: {
    RECHARGE: { description: 'A recharge.' },
    CARD_PAYMENT: { description: 'A credit card bill payment.' },
  },
});

@ArgsType()
export class OrderArguments {
  @Field(() => OrderKindEnum, { nullable: true, description: 'Which money call; your own key needs it.' })
  @Agrees<OrderArguments>(
    ({ kind, clientRequestId }) => kind !== undefined || clientRequestId === undefined,
    'Must be given with your own key: each money call has keys of its own.',
  )
  kind?: OrderKind;

  @Field(() => String, { nullable: true, description: 'Your own key: client_request_id or orderid.' })
  @Text(100)
  @Agrees<OrderArguments>(
    ({ clientRequestId, apiRequestId }) => (clientRequestId === undefined) !== (apiRequestId === undefined),
    'Give exactly one of your own key and our request id.',
  )
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;
}

@Output({ description: 'One thing that happened to an order.' })
export class OrderEvent {
  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field({
    description:
      'hold, send, answer, enquiry, callback, review, contradiction, decision, settle, refund, reversal or charge_again.',
  })
  kind!: string;

  @Field({ description: 'What was known then, in words without personal data.' })
  detail!: string;
}

@Output({ description: 'What the answer to the call holds, as far as it is known. Numbers are masked on the console.' })
export class OrderReceipt {
  @Field(() => String, { nullable: true, description: 'Recharges: the account number of the request.' })
  accountNumber!: string | null;

  @Field(() => String, { nullable: true, description: 'Recharges: operator reference.' })
  operatorRef!: string | null;

  @Field(() => String, { nullable: true, description: 'Provider transaction id.' })
  providerTxnId!: string | null;

  @Field(() => String, { nullable: true, description: 'Card payments: the mobile number of the request.' })
  mobile!: string | null;

  @Field(() => String, { nullable: true, description: 'Card payments: the last 4 characters of the card behind xxxx.' })
  card!: string | null;

  @Field(() => String, { nullable: true, description: 'Card payments: payment reference.' })
  utr!: string | null;

  @Field(() => SafeInt, { nullable: true, description: 'Card payments: transaction id.' })
  txid!: number | null;
}

@Output({ description: 'A recharge or card payment and what became of it.' })
export class Order {
  /** What the timeline reads by. */
  source!: StoredOrder;

  @Field(() => ID, { description: 'Internal id.' })
  id!: string;

  @Field(() => OrderKindEnum, { description: 'Which money call.' })
  kind!: OrderKind;

  @Field(() => OrderStatusEnum, { description: 'What is known.' })
  status!: 'pending' | 'success' | 'failed';

  @Field({ description: 'Human-readable text.' })
  message!: string;

  @Field(() => String, { nullable: true, description: 'Why it failed: PROVIDER_DECLINED or REVERSED.' })
  code!: string | null;

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;

  @Field(() => String, { nullable: true, description: 'Your own key.' })
  clientRequestId!: string | null;

  @Field({ description: 'Our id of the request.' })
  apiRequestId!: string;

  @Field(() => Instant, { description: 'When it was accepted.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When the outcome became final.' })
  settledAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'When a success was taken back; null once it is charged again.',
  })
  reversedAt!: Date | null;

  @Field(() => OrderReceipt, { description: 'What the answer to the call holds.' })
  receipt!: OrderReceipt;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Balance of the caller’s wallet now, in rupees; null in lists and on the console.',
  })
  walletBalance!: Paise | null;
}
