import { Field, ID, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import type { OperatorType } from '../core/operators.js';
import { OperatorTypeEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Agrees, Input, PositiveAmount, PositiveInteger, Text } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { WALLET_OF_PAYMENT, Wallet } from '../ledger/wallet.types.js';
import { Order } from '../orders/views/order.types.js';

const MOBILE_NUMBER = /^[0-9]{10}$/;
/**
 * DTH subscriber number. The pattern also matches every mobile number, so a text that does not match it is invalid for both
 * operator types.
 */
const SUBSCRIBER_NUMBER = /^[A-Za-z0-9-]{4,20}$/;

const isValidAccount = ({ operatorType, accountNumber }: Partial<RechargeInput>): boolean =>
  accountNumber === undefined || (operatorType === 'mobile' ? MOBILE_NUMBER : SUBSCRIBER_NUMBER).test(accountNumber);

@Input({ description: 'A recharge of a prepaid mobile number or a DTH subscription.' })
export class RechargeInput {
  @Field({
    description:
      'Account to recharge. Mobile: 10-digit number. DTH: subscriber or account number, 4 to 20 letters, digits and hyphens.',
  })
  @Agrees(
    isValidAccount,
    'Must be a 10-digit mobile number or, for DTH, 4 to 20 letters, digits and hyphens.',
    'PATTERN',
    {
      pattern: SUBSCRIBER_NUMBER.source,
    },
  )
  accountNumber!: string;

  @Field(() => Rupees, { description: 'Amount in rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;

  @Field(() => Int, { description: 'Operator code (SP key).' })
  @PositiveInteger()
  operatorSpKey!: number;

  @Field(() => OperatorTypeEnum, { description: 'Type of the account to recharge.' })
  operatorType!: OperatorType;

  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key of the order. A retry with the same key returns the first result and does not create a second recharge.',
  })
  @Text(100)
  clientRequestId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Circle name or code from the lookups. Mobile only; ignored for DTH.',
  })
  @Text(100)
  circle?: string;

  @Field(() => String, { nullable: true, description: 'Latitude and longitude of the point of sale.' })
  @Text(50)
  geocode?: string;

  @Field(() => String, { nullable: true, description: 'PIN code of the point of sale.' })
  @Text(20)
  pincode?: string;

  @Field(() => String, { nullable: true, description: 'Contact number of the customer.' })
  @Text(50)
  customerNumber?: string;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description:
      'Whether to place a recharge without an idempotency key even if it is identical to a recharge of the last few minutes. Has no effect on a request with a key.',
  })
  allowDuplicate?: boolean | null;
}

export const WarningCodeEnum = words('WarningCode', 'Type of a warning about a call that was completed.', {
  likely_duplicate:
    'An identical recharge succeeded in the last three minutes, and neither request has a `clientRequestId`.',
  unread_key:
    'The request has no `clientRequestId`, but a REST field or header with a similar name, which is ignored. A retry of the request creates another recharge.',
  missing_key: 'UAT only: the request has no `clientRequestId`, so a retry creates another recharge.',
  unknown_operator:
    'UAT only: the `operatorSpKey` is not in the operator table. In Production the provider decides whether it is valid.',
});

@Output({ description: 'A possible mistake in a call that was completed.' })
export class Warning {
  @Field(() => WarningCodeEnum, { description: 'Warning code.' })
  code!: (typeof WarningCodeEnum)[keyof typeof WarningCodeEnum];

  @Field({ description: 'Human-readable text of the warning.' })
  message!: string;

  @Field(() => ID, { nullable: true, description: 'ID of the other order that the warning refers to, if any.' })
  orderId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reference of the other order that the warning refers to, if any.',
  })
  apiRequestId!: string | null;
}

@Output({
  description:
    'Result of a recharge. The status of the order is the outcome, including FAILED; only rejected requests are errors.',
})
export class RechargePayload {
  @Field(() => Order, {
    description: 'The order. If it was declined, the status is FAILED with a reason, and the amount was refunded.',
  })
  order!: Order;

  @Field(() => Wallet, { nullable: true, description: WALLET_OF_PAYMENT })
  wallet!: Wallet | null;

  @Field({
    description:
      'Whether this is the result of an earlier recharge with the same idempotency key. Nothing was charged again.',
  })
  replayed!: boolean;

  @Field(() => [Warning], {
    description: 'Possible mistakes in the request, which was completed anyway. Usually empty.',
  })
  @Entries(WITH_PARENT)
  warnings!: Warning[];
}
