import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { StatementStatusEnum } from '../decisions/bulk-decision.types.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { type OrderStatus, OrderStatusEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import type { StatementStatus } from '../providers/provider.js';
import type { DifferenceKind } from './compare.js';
import type { DifferenceResolution } from './difference.store.js';

export const StatementDifferenceKindEnum = words<DifferenceKind>(
  'StatementDifferenceKind',
  'Kind of a difference between the statement of a provider and our orders.',
  {
    missing_at_provider: 'The statement has no line for the order.',
    order_not_found: 'No order matches the statement line.',
    archived: 'The order of the statement line is archived. The archive file contains the final status of the order.',
    amount_differs: 'The order and the statement line have different amounts.',
    status_differs: 'The order and the statement line have different statuses.',
    duplicate: 'The statement lists a completed payment more than once.',
  },
);

export const StatementDifferenceResolutionEnum = words<DifferenceResolution>(
  'StatementDifferenceResolution',
  'Resolution of a difference.',
  {
    staff: 'An administrator or finance user resolved the difference and gave a reason.',
    later_run: 'A later run of `gateway reconcile` no longer found the difference.',
  },
);

@Input({ description: 'Filter for differences. A difference must match all given fields.' })
export class StatementDifferenceFilter {
  @Field(() => ProviderEnum, { nullable: true, description: 'Only differences of statements of this provider.' })
  provider?: string;

  @Field(() => [StatementDifferenceKindEnum], {
    nullable: true,
    description: 'Only differences of one of these kinds.',
  })
  @Distinct(1, Object.keys(StatementDifferenceKindEnum).length)
  kind?: DifferenceKind[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'True for resolved differences only, false for unresolved differences only.',
  })
  resolved?: boolean;

  @Field(() => ID, { nullable: true, description: 'Only differences of the order with this ID.' })
  orderId?: string;

  @Field(() => Instant, { nullable: true, description: 'Only differences first found at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only differences first found before this time.' })
  @Agrees<StatementDifferenceFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class StatementDifferencesArguments extends PageArguments {
  @Field(() => StatementDifferenceFilter, { nullable: true, description: 'Filter. Omit to list all differences.' })
  filter?: StatementDifferenceFilter;
}

@Output({
  description:
    'Difference between the statement of a provider and our orders, found by `gateway reconcile`. Differences that staff resolved are kept permanently, differences that a later run resolved for 400 days.',
})
export class StatementDifference {
  /** ID of the user for `resolvedBy`. */
  resolvedById!: string | null;

  @Field(() => ID, { description: 'ID of the difference, for `resolveStatementDifference`. Not supported by `node`.' })
  id!: string;

  @Field(() => ProviderEnum, { description: 'Provider of the statement.' })
  provider!: string;

  @Field(() => StatementDifferenceKindEnum, { description: 'Kind of the difference.' })
  kind!: DifferenceKind;

  @Field(() => ID, { description: 'Run of `gateway reconcile` that reported the difference last.' })
  runId!: string;

  @Field(() => Instant, { description: 'Time of the run that reported the difference last.' })
  runAt!: Date;

  @Field({ description: 'SHA-256 of the statement file of the run `runId`, in hexadecimal.' })
  fileHash!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Line number in the statement file. Null if there is no matching line.',
  })
  line!: number | null;

  @Field(() => ID, { nullable: true, description: 'ID of the order; null without an order.' })
  orderId!: string | null;

  @Field({ description: 'Reference of the order (`apiRequestId`), or of the line if there is no order.' })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Account number of the line, masked. Null if there is no matching line.',
  })
  account!: string | null;

  @Field(() => OrderStatusEnum, {
    nullable: true,
    description: 'Status of the order when the difference was found; null without an order.',
  })
  orderStatus!: OrderStatus | null;

  @Field(() => Rupees, { nullable: true, description: 'Amount of the order; null without an order.' })
  orderAmount!: Paise | null;

  @Field(() => StatementStatusEnum, {
    nullable: true,
    description: 'Status of the line. Null if there is no matching line.',
  })
  lineStatus!: StatementStatus | null;

  @Field(() => Rupees, { nullable: true, description: 'Amount of the line. Null if there is no matching line.' })
  lineAmount!: Paise | null;

  @Field(() => Instant, { description: 'Time the order was placed; without an order, the time of the line.' })
  at!: Date;

  @Field(() => Instant, { description: 'Time the difference was first found.' })
  foundAt!: Date;

  @Field(() => StatementDifferenceResolutionEnum, {
    nullable: true,
    description: 'Resolution of the difference; null while unresolved.',
  })
  resolution!: DifferenceResolution | null;

  @Field(() => Instant, { nullable: true, description: 'Time the difference was resolved.' })
  resolvedAt!: Date | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Run that no longer found the difference; null unless a later run resolved the difference.',
  })
  resolvedByRunId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason given by the user. Null unless a user resolved the difference.',
  })
  reason!: string | null;
}

@Output({ description: 'Page of statement differences, newest first.' })
export class StatementDifferenceConnection extends connectionOf('StatementDifference', StatementDifference, {
  singular: 'statement difference',
}) {}

@Input({ description: 'Difference to resolve, and the reason.' })
export class ResolveStatementDifferenceInput {
  @Field(() => ID, { description: 'ID of the difference.' })
  differenceId!: string;

  @Field({ description: 'Explanation of the difference, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Output({ description: 'Resolved difference.' })
export class ResolveStatementDifferencePayload {
  @Field(() => StatementDifference, { description: 'Difference after the change.' })
  difference!: StatementDifference;
}
