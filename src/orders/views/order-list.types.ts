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
import { ProviderEnum, paymentProviders } from '../../providers/provider.enum.js';
import { DeclineReasonEnum, Order, type OrderKind, OrderKindEnum, WaitMs } from './order.types.js';

export const MAX_KEYS = 50;
/** Maximum date range of filters without an indexed reference, which would otherwise scan all months. */
export const MAX_DAYS_OF_ORDERS = 92;
/**
 * Maximum number of orders scanned for a page. Without it, a filter with few matches would scan millions of orders. The limit
 * is lower for one account, because its orders are spread across the table and cost more to read.
 */
export const MAX_SCANNED = { ofAccount: 10_000, ofAllAccounts: 20_000 };
const DAY_MS = 24 * 3_600_000;

type PartialFilter = Partial<ConsoleOrderFilter>;
const has =
  (filter: PartialFilter) =>
  (name: keyof ConsoleOrderFilter): boolean =>
    filter[name] !== undefined;

/** Indexed fields. They find orders of any age. */
const IDENTIFIER_FIELDS = [
  'reference',
  'accountNumber',
  'cardLast4',
  'operatorRef',
  'utr',
  'providerTxnId',
  'apiRequestId',
  'clientRequestId',
] as const;
/** Fields without an index. Orders are checked one by one, so a date range limits the scan. */
const UNINDEXED_FIELDS = [
  'kind',
  'status',
  'amount',
  'minAmount',
  'maxAmount',
  'operatorSpKey',
  'declineReason',
  'provider',
] as const;
/** Fields that apply only to recharges. */
const RECHARGE_FIELDS = ['operatorRef', 'operatorSpKey'] as const;

/** Whether the filter has an indexed field. */
export const hasIdentifier = (filter: PartialFilter): boolean => IDENTIFIER_FIELDS.some(has(filter));
/** Whether the filter has only fields without an index. */
export const isUnindexed = (filter: PartialFilter): boolean =>
  UNINDEXED_FIELDS.some(has(filter)) && !hasIdentifier(filter);
/** Returns the earliest time of a scan without an index. */
export const earliestStart = ({ to = new Date() }: PartialFilter): Date =>
  new Date(to.getTime() - MAX_DAYS_OF_ORDERS * DAY_MS);

const isBounded = (filter: PartialFilter): boolean =>
  filter.from === undefined || !isUnindexed(filter) || filter.from >= earliestStart(filter);

/** Restricts a field to the order kind that has it. */
const belongsToRecharges = (name: (typeof RECHARGE_FIELDS)[number]) =>
  Agrees<OrderFilter>(
    (filter) => !has(filter)(name) || filter.kind !== 'card_payment',
    'Only recharges have this field. Remove it, or set `kind` to RECHARGE.',
  );
const belongsToCardPayments = (name: 'utr' | 'cardLast4') =>
  Agrees<OrderFilter>(
    (filter) => !has(filter)(name) || (filter.kind !== 'recharge' && !RECHARGE_FIELDS.some(has(filter))),
    'Only card bill payments have this field. Set `kind` to CARD_PAYMENT and remove all fields that only recharges have.',
  );

/** Format of the global ID of an object other than an order. */
const OTHER_ID = /^(?!ord_|oct_)[a-z]{3}_(uat_|production_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Whether the provider processes payments of the given kind and environment. */
function canProcess({ provider, kind, environment }: PartialFilter): boolean {
  if (provider === undefined) return true;
  if (environment !== undefined && (provider === 'SANDBOX') !== (environment === 'uat')) return false;
  const kinds = kind === undefined ? Object.values(OrderKindEnum) : [kind];
  return kinds.some((orderKind) => paymentProviders[orderKind].includes(provider));
}

@Input({ description: 'Filters for orders. An order must match all given fields.' })
export class OrderFilter {
  @Field(() => OrderKindEnum, { nullable: true, description: 'Only orders of this kind.' })
  kind?: OrderKind;

  @Field(() => [OrderStatusEnum], { nullable: true, description: 'Only orders with one of these statuses.' })
  @Distinct(1, 4)
  status?: Order['status'][];

  @Field(() => Instant, { nullable: true, description: 'Only orders created at or after this time.' })
  @Agrees<OrderFilter>(
    isBounded,
    `Must be at most ${MAX_DAYS_OF_ORDERS} days before \`to\` if the filter has only kind, status, amount, operator, decline reason or provider.`,
  )
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only orders created before this time.' })
  @Agrees<OrderFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;

  @Field(() => Rupees, { nullable: true, description: 'Only orders with exactly this amount, in rupees.' })
  @PositiveAmount()
  @Agrees<OrderFilter>(
    ({ amount, minAmount, maxAmount }) => amount === undefined || (minAmount === undefined && maxAmount === undefined),
    'Cannot be combined with `minAmount` or `maxAmount`.',
  )
  amount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Only orders with at least this amount, in rupees.' })
  @PositiveAmount()
  minAmount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Only orders with at most this amount, in rupees.' })
  @PositiveAmount()
  @Agrees<OrderFilter>(
    ({ minAmount, maxAmount }) => minAmount === undefined || maxAmount === undefined || minAmount <= maxAmount,
    'Must be greater than or equal to `minAmount`.',
  )
  maxAmount?: Paise;

  @Field(() => Int, { nullable: true, description: 'Only recharges with this operator.' })
  @PositiveInteger()
  @belongsToRecharges('operatorSpKey')
  operatorSpKey?: number;

  @Field(() => [DeclineReasonEnum], {
    nullable: true,
    description: 'Only failed or reversed orders with one of these reasons.',
  })
  @Distinct(1, Object.keys(DeclineReasonEnum).length)
  @Agrees<OrderFilter>(
    ({ declineReason, status }) =>
      !declineReason || !status || status.some((value) => value === 'failed' || value === 'reversed'),
    'Only orders with the status FAILED or REVERSED have a decline reason.',
  )
  declineReason?: DeclineReason[];

  @Field(() => String, {
    nullable: true,
    description:
      'Only orders with this reference. Matches the account number, `apiRequestId`, order ID, idempotency key, operator reference, UTR, provider transaction ID or last 4 digits of the card.',
  })
  @Text(100)
  @Agrees<OrderFilter>(
    ({ reference }) => reference === undefined || !OTHER_ID.test(reference),
    'Must be a reference of an order. This is the ID of another type of object.',
    'REFERENCE',
  )
  reference?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Only orders with this mobile or subscriber number. For card bill payments, the mobile number in the request.',
  })
  @Text(32)
  accountNumber?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only card bill payments with these last 4 characters of the card.',
  })
  @Pattern(/^[ -~]{4}$/, 'Must be the last 4 characters of the card.')
  @belongsToCardPayments('cardLast4')
  cardLast4?: string;

  @Field(() => String, { nullable: true, description: 'Only the order with this `api_request_id`.' })
  @Pattern(/^[0-9A-Z]{25}$/, 'Must be an api_request_id: 25 digits and capital letters.')
  apiRequestId?: string;

  @Field(() => String, { nullable: true, description: 'Only orders with this idempotency key.' })
  @Text(100)
  clientRequestId?: string;

  @Field(() => String, { nullable: true, description: 'Only recharges with this operator reference.' })
  @Text(100)
  @belongsToRecharges('operatorRef')
  operatorRef?: string;

  @Field(() => String, { nullable: true, description: 'Only card bill payments with this payment reference (UTR).' })
  @Text(100)
  @belongsToCardPayments('utr')
  utr?: string;

  @Field(() => String, { nullable: true, description: 'Only orders with this provider transaction ID.' })
  @Text(100)
  providerTxnId?: string;
}

@Input({ description: 'Filters for orders in the console. An order must match all given fields.' })
export class ConsoleOrderFilter extends OrderFilter {
  @Field(() => ID, {
    nullable: true,
    description:
      'Only orders of this developer. Users of a developer account always see only the orders of that account.',
  })
  developerId?: string;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Only orders of this environment.' })
  environment?: Environment;

  @Field(() => ProviderEnum, { nullable: true, description: 'Only orders sent to this provider.' })
  @Agrees<ConsoleOrderFilter>(canProcess, 'This provider does not process payments of this kind and environment.')
  provider?: string;
}

@ArgsType()
export class ConsoleOrdersArguments extends PageArguments {
  @Field(() => ConsoleOrderFilter, {
    nullable: true,
    description: 'Filters for the list. If omitted, all orders are returned.',
  })
  filter?: ConsoleOrderFilter;
}

@ArgsType()
export class ConsoleOrderArguments {
  @Field(() => ID, { nullable: true, description: 'ID of the order.' })
  @Agrees<ConsoleOrderArguments>(
    ({ id, apiRequestId }) => (id === undefined) !== (apiRequestId === undefined),
    'Set exactly one of `id` and `apiRequestId`.',
  )
  id?: string;

  @Field(() => String, { nullable: true, description: 'The `api_request_id` returned for the order.' })
  @Text(100)
  apiRequestId?: string;

  @WaitMs()
  waitMs?: number;
}

@ArgsType()
export class OrdersArguments extends PageArguments {
  @Field(() => OrderFilter, {
    nullable: true,
    description: 'Filters for the list. If omitted, all orders are returned.',
  })
  filter?: OrderFilter;
}

@ArgsType()
export class OrdersByKeyArguments {
  @Field(() => OrderKindEnum, { description: 'Type of the orders.' })
  kind!: OrderKind;

  @Field(() => [String], { description: `Idempotency keys: 1 to ${MAX_KEYS} distinct values.` })
  @Distinct(1, MAX_KEYS)
  clientRequestIds!: string[];
}

@Output({
  description: `A page of orders, newest first. If the filter has no number or reference, a page scans at most ${MAX_SCANNED.ofAccount} orders of one account, or ${MAX_SCANNED.ofAllAccounts} of all accounts. Such a page can have fewer orders than requested, or none, and still have a next page.`,
})
export class OrderConnection extends connectionOf('Order', Order, { singular: 'order' }) {
  @Field(() => Instant, {
    nullable: true,
    description:
      'Creation time of the oldest order that was scanned. Older orders were not scanned, because the filter has no `from` or because the scan limit was reached and the next page continues there. Null if all orders that can match were scanned.',
  })
  searchedFrom!: Date | null;
}
