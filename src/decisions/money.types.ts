import { createUnionType, Field, ID } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import { User } from '../accounts/people/people.types.js';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import type { Environment } from '../core/environment.js';
import type { ErrorCode } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import { EnvironmentEnum, ErrorCodeEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Distinct, Input, PositiveAmount, Text, Utr } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { StatementEntry, Wallet } from '../ledger/wallet.types.js';
import { Order } from '../orders/views/order.types.js';
import { MAX_ORDERS, ResolvedOrder } from './bulk-decision.types.js';

@Input({ description: 'Amount to add to or take out of a wallet.' })
class WalletMovementInput {
  @Field(() => ID, { description: 'ID of the developer.' })
  developerId!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the wallet.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'Amount in rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;
}

@Input({ description: 'Debit of a wallet, for example to undo an incorrect credit.' })
export class DebitWalletInput extends WalletMovementInput {
  @Field({
    description:
      'Reference of the corrected transaction, such as a bank reference. Each reference is debited once per wallet.',
  })
  @Text(100)
  reference!: string;

  @Field({ description: 'Reason for the audit log, 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Credit of a wallet.' })
export class CreditWalletInput extends WalletMovementInput {
  @Field({
    description:
      'Reference of the source of the money. Each reference can be credited once per wallet. Case and the number of spaces are ignored. In Production without `utr`, a reference in the form of a UTR is used as the UTR: 12 digits, or 16 or 22 letters and digits that begin with four letters and contain at least eight digits.',
  })
  @Text(100)
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'UTR or RRN of the bank transfer, 12 to 22 letters and digits; case and spaces are ignored. Credited once across all Production wallets. A second credit of a UTR, and a Production credit without a UTR, require a reason and a second person. Not stored in UAT.',
  })
  @Utr()
  utr?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the audit log. Required in Production without a UTR.',
  })
  @Text(500)
  reason?: string;
}

@Output({ description: 'Result of a status check.' })
export class OrderPayload {
  @Field(() => Order, { description: 'Order, with masked account and mobile numbers.' })
  order!: Order;
}

@Input({ description: 'Order to check with its provider.' })
export class CheckOrderStatusInput {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;
}

@Input({ description: 'Orders to check with their providers.' })
export class CheckOrderStatusesInput {
  @Field(() => [ID], { description: 'IDs of the orders; 1 to 200 distinct IDs.' })
  @Distinct(1, MAX_ORDERS)
  orderIds!: string[];
}

@Output({ description: 'Result for one order of `checkOrderStatuses`.' })
export class OrderStatusCheck {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;

  @Field(() => ErrorCodeEnum, {
    nullable: true,
    description:
      'Error code if the status cannot be checked: RECORD_NOT_FOUND, ORDER_ARCHIVED, or CONFLICT if the provider has no status check or the order is still being sent. Null if the status check was started.',
  })
  code!: ErrorCode | null;
}

@Output({ description: 'Results of checking several orders.' })
export class CheckOrderStatusesPayload {
  @Field(() => [OrderStatusCheck], { description: 'Result for each order, in the order of the input.' })
  @Entries(MAX_ORDERS)
  results!: readonly OrderStatusCheck[];
}

@Input({ description: 'Successful order to reverse.' })
export class ReverseOrderInput {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;

  @Field({
    description: 'Evidence that the provider did not complete the payment, for the audit log; 1 to 500 characters.',
  })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Refunded order whose refund is to be reversed.' })
export class ReverseRefundInput {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;

  @Field({ description: 'Evidence that the provider completed the payment, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Output({ description: 'Change that was made immediately, with the money that moved.' })
export class WalletUpdated {
  @Field(() => Wallet, { nullable: true, description: 'Wallet after the change. Null if no wallet balance changed.' })
  wallet!: Wallet | null;

  @Field(() => StatementEntry, {
    nullable: true,
    description: 'Last statement entry that the change added to the wallet. Null if the wallet balance did not change.',
  })
  entry!: StatementEntry | null;

  @Field(() => Order, { nullable: true, description: 'Order that was changed. Null for a credit or debit.' })
  order!: Order | null;

  @Field({ description: 'Whether the change was already made with the same reference. No money moved this time.' })
  replayed!: boolean;
}

@Output({ description: 'Change that requires a second person. No money has moved.' })
export class ApprovalRequestCreated {
  @Field(() => ApprovalRequest, { description: 'Approval request for the change.' })
  approvalRequest!: ApprovalRequest;

  @Field({ description: 'Whether an approval request for the same change is already pending.' })
  replayed!: boolean;
}

@Output({ description: 'Change that was made after approval.' })
export class ApprovalRequestApproved {
  @Field(() => ApprovalRequest, {
    description: 'Approved approval request. Its `order` shows the current state.',
  })
  approvalRequest!: ApprovalRequest;

  @Field(() => Developer, {
    nullable: true,
    description: 'Account that was changed or whose money moved. Null for a list of orders and for a white label.',
  })
  developer!: Developer | null;

  @Field(() => User, { nullable: true, description: 'User who was changed. Null for other actions.' })
  user!: User | null;

  @Field(() => [ResolvedOrder], {
    nullable: true,
    description:
      'Result for each order of a list. Null for other actions. Orders that were resolved after approval was requested are REJECTED.',
  })
  @Entries(MAX_ORDERS)
  results!: readonly ResolvedOrder[] | null;
}

@Output({ description: 'Confirmation of an existing final status. Nothing changed.' })
export class OrderUnchanged {
  @Field(() => Order, { nullable: true, description: 'Order that was confirmed.' })
  order!: Order | null;

  @Field({ description: 'Whether the final status was already confirmed.' })
  replayed!: boolean;
}

export const MoneyOutcome = createUnionType({
  name: 'MoneyOutcome',
  description: 'Outcome of a money mutation: the change, or its approval request.',
  types: () => [WalletUpdated, ApprovalRequestCreated, ApprovalRequestApproved, OrderUnchanged] as const,
});
type Named<Name extends string, Type> = Type & { unionType: Name };
export type MoneyOutcome =
  | Named<'WalletUpdated', WalletUpdated>
  | Named<'ApprovalRequestCreated', ApprovalRequestCreated>
  | Named<'ApprovalRequestApproved', ApprovalRequestApproved>
  | Named<'OrderUnchanged', OrderUnchanged>;

@Output({ description: 'Result of a money mutation.' })
export class MoneyPayload {
  @Field(() => MoneyOutcome, { description: 'Outcome of the mutation.' })
  outcome!: MoneyOutcome;
}
