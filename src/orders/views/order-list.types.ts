import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, OrderStatusEnum, Output } from '../../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import {
  Agrees,
  Distinct,
  Input,
  Pattern,
  PositiveAmount,
  PositiveInteger,
  Text,
} from '../../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import type { DeclineReason } from '../../providers/decline-reasons.js';
import { ProviderEnum, performers } from '../../providers/provider.enum.js';
import { DeclineReasonEnum, Order, type OrderKind, OrderKindEnum, WaitMs } from './order.types.js';

export const MAX_KEYS = 50;
/** What is found by its words alone would be searched through all months. */
export const MAX_DAYS_OF_ORDERS = 92;
/** So many orders a page looks at: one that few fit would look at millions. Those of one account lie apart, so that each costs more. */
export const MAX_LOOKED_AT = { ofOne: 10_000, ofEverybody: 20_000 };
const DAY_MS = 24 * 3_600_000;

type Given = Partial<ConsoleOrderFilter>;
const has =
  (filter: Given) =>
  (name: keyof ConsoleOrderFilter): boolean =>
    filter[name] !== undefined;

/** What an index finds: then it may be of any age. */
const NAMES = [
  'reference',
  'accountNumber',
  'cardLast4',
  'operatorRef',
  'utr',
  'providerTxnId',
  'apiRequestId',
  'clientRequestId',
] as const;
/** What orders are sifted by, one by one: a range bounds how many are looked at. */
const WORDS = [
  'kind',
  'status',
  'amount',
  'minAmount',
  'maxAmount',
  'operatorSpKey',
  'declineReason',
  'provider',
] as const;
/** What orders of one kind alone have. */
const OF_RECHARGES = ['operatorRef', 'operatorSpKey'] as const;

/** By what an index finds. */
export const isNamed = (filter: Given): boolean => NAMES.some(has(filter));
/** One by one: by words alone. */
export const isSifted = (filter: Given): boolean => WORDS.some(has(filter)) && !isNamed(filter);
/** From when on orders are sifted at the earliest. */
export const bound = ({ to = new Date() }: Given): Date => new Date(to.getTime() - MAX_DAYS_OF_ORDERS * DAY_MS);

const isBounded = (filter: Given): boolean =>
  filter.from === undefined || !isSifted(filter) || filter.from >= bound(filter);

/** A field that only one kind of payment has. */
const belongsToRecharges = (name: (typeof OF_RECHARGES)[number]) =>
  Agrees<OrderFilter>(
    (filter) => !has(filter)(name) || filter.kind !== 'card_payment',
    'Only recharges have one: leave it out, or ask for kind RECHARGE.',
  );
const belongsToCardPayments = (name: 'utr' | 'cardLast4') =>
  Agrees<OrderFilter>(
    (filter) => !has(filter)(name) || (filter.kind !== 'recharge' && !OF_RECHARGES.some(has(filter))),
    'Only card payments have one: leave it out, or ask for kind CARD_PAYMENT and for nothing that only recharges have.',
  );

/** The id of something else, as an answer gave it. */
const OTHER_ID = /^(?!ord_|oct_)[a-z]{3}_(uat_|production_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Who performed payments that fit the kind and the environment. */
function mayHavePerformed({ provider, kind, environment }: Given): boolean {
  if (provider === undefined) return true;
  if (environment !== undefined && (provider === 'SANDBOX') !== (environment === 'uat')) return false;
  const kinds = kind === undefined ? Object.values(OrderKindEnum) : [kind];
  return kinds.some((one) => performers[one].includes(provider));
}

@Input({ description: 'Which orders are listed: those that fit everything that is given.' })
export class OrderFilter {
  @Field(() => OrderKindEnum, { nullable: true, description: 'Of one money call.' })
  kind?: OrderKind;

  @Field(() => [OrderStatusEnum], { nullable: true, description: 'With one of these states.' })
  @Distinct(1, 4)
  status?: Order['status'][];

  @Field(() => Instant, { nullable: true, description: 'Accepted at this instant or later.' })
  @Agrees<OrderFilter>(
    isBounded,
    `Must be at most ${MAX_DAYS_OF_ORDERS} days before \`to\` with kind, status, amounts, operator, decline or provider alone.`,
  )
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Accepted before this instant.' })
  @Agrees<OrderFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;

  @Field(() => Rupees, { nullable: true, description: 'Of exactly this amount, in rupees.' })
  @PositiveAmount()
  @Agrees<OrderFilter>(
    ({ amount, minAmount, maxAmount }) => amount === undefined || (minAmount === undefined && maxAmount === undefined),
    'Give an exact amount, or a least and a greatest one.',
  )
  amount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Of this amount or more, in rupees.' })
  @PositiveAmount()
  minAmount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Of this amount or less, in rupees.' })
  @PositiveAmount()
  @Agrees<OrderFilter>(
    ({ minAmount, maxAmount }) => minAmount === undefined || maxAmount === undefined || minAmount <= maxAmount,
    'Must not be less than `minAmount`.',
  )
  maxAmount?: Paise;

  @Field(() => Int, { nullable: true, description: 'Recharges with this operator.' })
  @PositiveInteger()
  @belongsToRecharges('operatorSpKey')
  operatorSpKey?: number;

  @Field(() => [DeclineReasonEnum], {
    nullable: true,
    description: 'That have failed or were reversed for one of these reasons.',
  })
  @Distinct(1, Object.keys(DeclineReasonEnum).length)
  @Agrees<OrderFilter>(
    ({ declineReason, status }) =>
      !declineReason || !status || status.some((one) => one === 'failed' || one === 'reversed'),
    'Only orders that are FAILED or REVERSED have one.',
  )
  declineReason?: DeclineReason[];

  @Field(() => String, {
    nullable: true,
    description:
      'With this reference, whichever it is: its number, our request id, the id of the order, its caller’s key, the operator’s reference, the UTR, the provider’s transaction id, or the last 4 digits of its card.',
  })
  @Text(100)
  @Agrees<OrderFilter>(
    ({ reference }) => reference === undefined || !OTHER_ID.test(reference),
    'Must be a reference of an order: this is the id of something else.',
    'REFERENCE',
  )
  reference?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Of this mobile or subscriber number; of a card payment, the mobile number of its request.',
  })
  @Text(32)
  accountNumber?: string;

  @Field(() => String, { nullable: true, description: 'Card payments by a card that ends so: its last 4 characters.' })
  @Pattern(/^[ -~]{4}$/, 'Must be the last 4 characters of the card.')
  @belongsToCardPayments('cardLast4')
  cardLast4?: string;

  @Field(() => String, { nullable: true, description: 'With this id of ours.' })
  @Pattern(/^[0-9A-Z]{25}$/, 'Must be an api_request_id: 25 digits and capital letters.')
  apiRequestId?: string;

  @Field(() => String, { nullable: true, description: 'With this key of their caller.' })
  @Text(100)
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'Recharges with this reference of the operator.' })
  @Text(100)
  @belongsToRecharges('operatorRef')
  operatorRef?: string;

  @Field(() => String, { nullable: true, description: 'Card payments with this payment reference.' })
  @Text(100)
  @belongsToCardPayments('utr')
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
  @Agrees<ConsoleOrderFilter>(mayHavePerformed, 'It performs no payments of this kind and environment.')
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

@Output({
  description: `A page of orders, newest first. What is sifted without a number or reference is looked for in ${MAX_LOOKED_AT.ofOne} orders of an account at most, or in ${MAX_LOOKED_AT.ofEverybody} of everybody's: then a page has fewer than were asked for, or none, and there is a next one.`,
})
export class OrderConnection extends connectionOf('Order', Order, { one: 'order' }) {
  @Field(() => Instant, {
    nullable: true,
    description:
      'Orders from before it were not looked at, because the filter says no `from`, or because the next page goes on there; null when all were that may fit.',
  })
  searchedFrom!: Date | null;
}
