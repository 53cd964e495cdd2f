import { ArgsType, Field, ID } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import { EnvironmentEnum, OrderStatusEnum, Output, PageInfo } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Distinct, Input, PositiveAmount, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import { Order, type OrderKind, OrderKindEnum, WaitMs } from './order.types.js';

export const MAX_KEYS = 50;
/** What is found by its words alone would be searched through all months. */
const MAX_DAYS = 92;
const DAY_MS = 24 * 3_600_000;

/** Names what an index finds: then it may be of any age. */
const isNamed = (filter: Partial<ConsoleOrderFilter>): boolean =>
  (['accountNumber', 'operatorRef', 'utr', 'providerTxnId', 'apiRequestId', 'clientRequestId'] as const).some(
    (name) => filter[name] !== undefined,
  );

const isSifted = ({ kind, status, amount, provider }: Partial<ConsoleOrderFilter>): boolean =>
  [kind, status, amount, provider].some((value) => value !== undefined);

/** Orders are sifted one by one: a range bounds how many. */
function isBounded(filter: OrderFilter): boolean {
  if (!isSifted(filter) || isNamed(filter)) return true;
  const { from, to = new Date() } = filter;
  return from !== undefined && to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS;
}

@Input({ description: 'Which orders are listed: those that fit everything that is given.' })
export class OrderFilter {
  @Field(() => OrderKindEnum, { nullable: true, description: 'Of one money call.' })
  kind?: OrderKind;

  @Field(() => [OrderStatusEnum], { nullable: true, description: 'With one of these states.' })
  @Distinct(1, 4)
  status?: Order['status'][];

  @Field(() => Instant, { nullable: true, description: 'Accepted at this instant or later.' })
  @Agrees(isBounded, `Give it, at most ${MAX_DAYS} days before \`to\`, with kind, status, amount or provider.`)
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Accepted before this instant.' })
  @Agrees<OrderFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;

  @Field(() => Rupees, { nullable: true, description: 'Of exactly this amount, in rupees.' })
  @PositiveAmount()
  amount?: Paise;

  @Field(() => String, {
    nullable: true,
    description: 'Of this mobile or subscriber number; of a card payment, its card as it was sent.',
  })
  @Text(32)
  accountNumber?: string;

  @Field(() => String, { nullable: true, description: 'With this id of ours.' })
  @Text(100)
  apiRequestId?: string;

  @Field(() => String, { nullable: true, description: 'With this key of their caller.' })
  @Text(100)
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'Recharges with this reference of the operator.' })
  @Text(100)
  operatorRef?: string;

  @Field(() => String, { nullable: true, description: 'Card payments with this payment reference.' })
  @Text(100)
  utr?: string;

  @Field(() => String, { nullable: true, description: 'With this transaction id of the provider.' })
  @Text(100)
  providerTxnId?: string;
}

@Input({ description: 'Which orders are listed: those that fit everything that is given.' })
export class ConsoleOrderFilter extends OrderFilter {
  @Field(() => ID, { nullable: true, description: 'Of this developer; a developer’s user sees its own alone.' })
  developerId?: string;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Real money or play money.' })
  environment?: Environment;

  @Field(() => ProviderEnum, { nullable: true, description: 'Who was asked to perform them.' })
  provider?: string;
}

@ArgsType()
export class ConsoleOrdersArguments extends PageArguments {
  @Field(() => ConsoleOrderFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: ConsoleOrderFilter;
}

@ArgsType()
export class ConsoleOrderArguments {
  @Field(() => ID, { nullable: true, description: 'Its id.' })
  @Agrees<ConsoleOrderArguments>(
    ({ id, apiRequestId }) => (id === undefined) !== (apiRequestId === undefined),
    'Give exactly one of the id of the order and our request id.',
  )
  id?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;

  @WaitMs()
  waitMs?: number;
}

@ArgsType()
export class OrdersArguments extends PageArguments {
  @Field(() => OrderFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: OrderFilter;
}

@ArgsType()
export class OrdersByKeyArguments {
  @Field(() => OrderKindEnum, { description: 'Which money call.' })
  kind!: OrderKind;

  @Field(() => [String], { description: `Your own keys, 1 to ${MAX_KEYS} different ones.` })
  @Distinct(1, MAX_KEYS)
  clientRequestIds!: string[];
}

@Output({ description: 'An order with its position.' })
export class OrderEdge {
  @Field({ description: 'Position of the order.' })
  cursor!: string;

  @Field(() => Order, { description: 'The order.' })
  node!: Order;
}

@Output({ description: 'A page of orders, newest first.' })
export class OrderConnection {
  @Field(() => [OrderEdge], { description: 'The orders.' })
  edges!: OrderEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}
