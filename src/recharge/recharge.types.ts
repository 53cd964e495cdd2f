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
/** Of satellite TV. It takes every mobile number, so that what is neither is wrong whatever the operator type turns out to be. */
const SUBSCRIBER_NUMBER = /^[A-Za-z0-9-]{4,20}$/;

const accountFits = ({ operatorType, accountNumber }: Partial<RechargeInput>): boolean =>
  accountNumber === undefined || (operatorType === 'mobile' ? MOBILE_NUMBER : SUBSCRIBER_NUMBER).test(accountNumber);

@Input({ description: 'A recharge of a prepaid mobile number or a DTH subscription.' })
export class RechargeInput {
  @Field({ description: 'Mobile: 10-digit number. DTH: subscriber or account number, 4 to 20 characters.' })
  @Agrees(accountFits, 'Must be a 10-digit mobile number, or for DTH 4 to 20 letters, digits and hyphens.', 'PATTERN', {
    pattern: SUBSCRIBER_NUMBER.source,
  })
  accountNumber!: string;

  @Field(() => Rupees, { description: 'Rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;

  @Field(() => Int, { description: 'Operator code (SP key).' })
  @PositiveInteger()
  operatorSpKey!: number;

  @Field(() => OperatorTypeEnum, { description: 'What is recharged.' })
  operatorType!: OperatorType;

  @Field(() => String, {
    nullable: true,
    description: 'Your unique order id: a repetition gets the first answer instead of a second recharge.',
  })
  @Text(100)
  clientRequestId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Mobile: circle name or code from the lookups. Not used for DTH.',
  })
  @Text(100)
  circle?: string;

  @Field(() => String, { nullable: true, description: 'Latitude and longitude of the sale.' })
  @Text(50)
  geocode?: string;

  @Field(() => String, { nullable: true, description: 'PIN code of the sale.' })
  @Text(20)
  pincode?: string;

  @Field(() => String, { nullable: true, description: 'Contact number of the customer.' })
  @Text(50)
  customerNumber?: string;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description:
      'Without a key: perform it although it is equal to a recharge of the last minutes. Of no effect where there is a key.',
  })
  allowDuplicate?: boolean | null;
}

export const WarningCodeEnum = words('WarningCode', 'What may be wrong with a call that was done all the same.', {
  likely_duplicate: 'An equal recharge was performed in the last three minutes, and neither has a clientRequestId.',
  unread_key:
    'The request has no clientRequestId, and a field of REST or a header that is named like one. It is not read: the same request again is another recharge.',
  missing_key: 'In UAT: the request has no clientRequestId, so that the same request again is another recharge.',
  unknown_operator: 'In UAT: no operator is known by this operatorSpKey. In production the provider decides about it.',
});

@Output({ description: 'What may be wrong with a call that was done all the same.' })
export class Warning {
  @Field(() => WarningCodeEnum, { description: 'What it is.' })
  code!: (typeof WarningCodeEnum)[keyof typeof WarningCodeEnum];

  @Field({ description: 'The same for people.' })
  message!: string;

  @Field(() => ID, { nullable: true, description: 'The other order that it is about.' })
  orderId!: string | null;

  @Field(() => String, { nullable: true, description: 'Our id of that order, as Order.apiRequestId has it.' })
  apiRequestId!: string | null;
}

@Output({
  description: 'A recharge, whatever became of it: its status says it. Only a request that is refused is an error.',
})
export class RechargePayload {
  @Field(() => Order, { description: 'The order. FAILED with its reason when it was declined: the money is back.' })
  order!: Order;

  @Field(() => Wallet, { nullable: true, description: WALLET_OF_PAYMENT })
  wallet!: Wallet | null;

  @Field({ description: 'The answer about an earlier recharge with the same key: nothing was charged again.' })
  replayed!: boolean;

  @Field(() => [Warning], { description: 'What may be wrong with it although it was done; mostly empty.' })
  @Entries(WITH_PARENT)
  warnings!: Warning[];
}
