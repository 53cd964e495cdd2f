import { ArgsType, Field, ID, registerEnumType } from 'type-graphql';
import { OrderStatusEnum, Output } from '../core/graphql-types.js';
import type { Paise } from '../core/money.js';
import { Agrees, Text } from '../core/rules.js';
import { Instant, Rupees } from '../core/scalars.js';
import type { StoredOrder } from './order.store.js';

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
  @Field(() => OrderKindEnum, { description: 'Which money call.' })
  @Agrees<OrderArguments>(
    ({ clientKey, apiRequestId }) => (clientKey === undefined) !== (apiRequestId === undefined),
    'Give exactly one of clientKey and apiRequestId.',
  )
  kind!: OrderKind;

  @Field(() => String, { nullable: true, description: 'Your client_request_id or orderid.' })
  @Text(100)
  clientKey?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;
}

@Output({ description: 'One thing that happened to an order.' })
export class OrderEvent {
  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field({ description: 'hold, answer, enquiry, callback, review, decision, settle, refund or reversal.' })
  kind!: string;

  @Field({ description: 'What was known then, in words without personal data.' })
  detail!: string;
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

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;

  @Field(() => String, { nullable: true, description: 'Your key.' })
  clientKey!: string | null;

  @Field({ description: 'Our id of the request.' })
  apiRequestId!: string;

  @Field(() => Instant, { description: 'When it was accepted.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When the outcome became final.' })
  settledAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'When the provider took a success back.' })
  reversedAt!: Date | null;
}
