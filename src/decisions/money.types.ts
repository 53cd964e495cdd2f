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

@Input({ description: 'Money that enters or leaves a wallet.' })
class WalletMovementInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => EnvironmentEnum, { description: 'Which wallet.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'Rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;
}

@Input({ description: 'Money that is to leave a wallet, such as a credit that was mistyped.' })
export class DebitWalletInput extends WalletMovementInput {
  @Field({ description: 'What it corrects, such as a bank reference: debited once per wallet.' })
  @Text(100)
  reference!: string;

  @Field({ description: 'Why, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Money that arrived for a developer.' })
export class CreditWalletInput extends WalletMovementInput {
  @Field({
    description:
      'Source of the money: credited once per wallet. Case and the number of spaces are ignored. In production without `utr`, a reference that has the form of a UTR is used as the UTR: 12 digits, or 16 or 22 letters and digits that begin with four letters and have at least eight digits.',
  })
  @Text(100)
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'UTR or RRN of the bank transfer, 12 to 22 letters and digits; case and spaces are ignored. Credited once over all production wallets. A second credit of a UTR, and a production credit without a UTR, require a reason and a second person. Not stored in UAT.',
  })
  @Utr()
  utr?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the audit log. Required in production without a UTR.',
  })
  @Text(500)
  reason?: string;
}

@Output({ description: 'A decision about an order that moves no money.' })
export class OrderPayload {
  @Field(() => Order, { description: 'The order; account and mobile are masked.' })
  order!: Order;
}

@Input({ description: 'An order that its provider is to be asked about.' })
export class CheckOrderStatusInput {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;
}

@Input({ description: 'Orders that their providers are to be asked about.' })
export class CheckOrderStatusesInput {
  @Field(() => [ID], { description: 'The orders; 1 to 200 different ones.' })
  @Distinct(1, MAX_ORDERS)
  orderIds!: string[];
}

@Output({ description: 'Whether the provider of an order is asked.' })
export class OrderStatusCheck {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field(() => ErrorCodeEnum, {
    nullable: true,
    description:
      'Null: it is asked now. Else why not: RECORD_NOT_FOUND, ORDER_ARCHIVED, or CONFLICT where the provider knows no status check or the order is still being sent.',
  })
  code!: ErrorCode | null;
}

@Output({ description: 'Which orders providers are asked about.' })
export class CheckOrderStatusesPayload {
  @Field(() => [OrderStatusCheck], { description: 'Every order of the list, as it was given.' })
  @Entries(MAX_ORDERS)
  results!: readonly OrderStatusCheck[];
}

@Input({ description: 'A success that is to be taken back.' })
export class ReverseOrderInput {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field({ description: 'How you know that it was not performed, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'An order that was given back and is to be charged all the same.' })
export class ReverseRefundInput {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field({ description: 'How you know that it was performed, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Output({ description: 'A decision that was carried out at once, and the money that moved.' })
export class WalletUpdated {
  @Field(() => Wallet, { nullable: true, description: 'The wallet as it is now.' })
  wallet!: Wallet | null;

  @Field(() => StatementEntry, {
    nullable: true,
    description: 'The last movement of the wallet for it; null where the wallet itself has none.',
  })
  entry!: StatementEntry | null;

  @Field(() => Order, { nullable: true, description: 'The order that it was about; null for a credit or debit.' })
  order!: Order | null;

  @Field({ description: 'It was done before, with the same reference: nothing moved now.' })
  replayed!: boolean;
}

@Output({ description: 'A decision that waits for a second person: nothing has moved.' })
export class ApprovalRequestCreated {
  @Field(() => ApprovalRequest, { description: 'What waits.' })
  approvalRequest!: ApprovalRequest;

  @Field({ description: 'The same was requested before, and goes on waiting.' })
  replayed!: boolean;
}

@Output({ description: 'What a second person carried out.' })
export class ApprovalRequestApproved {
  @Field(() => ApprovalRequest, {
    description: 'The approval request, which waits no more; its `order` is as it is now.',
  })
  approvalRequest!: ApprovalRequest;

  @Field(() => Developer, {
    nullable: true,
    description: 'The account that it changed, or whose money moved; null for a list of orders, and a white label.',
  })
  developer!: Developer | null;

  @Field(() => User, { nullable: true, description: 'The person whom it was about; null when it was about none.' })
  user!: User | null;

  @Field(() => [ResolvedOrder], {
    nullable: true,
    description:
      'What became of each order of a list; null when it was about none. Those decided meanwhile are REJECTED.',
  })
  @Entries(MAX_ORDERS)
  results!: readonly ResolvedOrder[] | null;
}

@Output({ description: 'A decision that changes nothing: what was decided before is confirmed.' })
export class OrderUnchanged {
  @Field(() => Order, { nullable: true, description: 'The order that it was about.' })
  order!: Order | null;

  @Field({ description: 'The same was there already.' })
  replayed!: boolean;
}

export const MoneyOutcome = createUnionType({
  name: 'MoneyOutcome',
  description: 'What a decision about money did, or that it waits for a second person.',
  types: () => [WalletUpdated, ApprovalRequestCreated, ApprovalRequestApproved, OrderUnchanged] as const,
});
type Named<Name extends string, Type> = Type & { unionType: Name };
export type MoneyOutcome =
  | Named<'WalletUpdated', WalletUpdated>
  | Named<'ApprovalRequestCreated', ApprovalRequestCreated>
  | Named<'ApprovalRequestApproved', ApprovalRequestApproved>
  | Named<'OrderUnchanged', OrderUnchanged>;

@Output({ description: 'What a decision about money did.' })
export class MoneyPayload {
  @Field(() => MoneyOutcome, { description: 'What came of it.' })
  outcome!: MoneyOutcome;
}
