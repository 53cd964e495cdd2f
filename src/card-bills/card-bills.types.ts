import { Field } from 'type-graphql';
import { type Paise, rupees } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, CardIdentifier, Input, Pan, PositiveAmount, TenDigits, Text } from '../graphql-toolkit/rules.js';
import { CalendarDate, Rupees } from '../graphql-toolkit/scalars.js';
import { Charged } from '../ledger/charged.types.js';
import { WALLET_OF_PAYMENT, Wallet } from '../ledger/wallet.types.js';
import { Order } from '../orders/views/order.types.js';

/** Payments from here on need a PAN (interface.md 4.5, bill pay). */
const PAN_FROM_PAISE = rupees(50_000);

const hasPanWhereNeeded = ({ amount, pan }: Partial<PayCardBillInput>): boolean =>
  pan !== undefined || amount === undefined || amount < PAN_FROM_PAISE;

@Input({ description: 'Which credit card bill to fetch.' })
export class FetchCardBillInput {
  @Field({ description: 'The last 4 digits, or the identifier that the bank asks for. Never the whole card number.' })
  @CardIdentifier()
  card!: string;

  @Field({ description: 'The 10-digit mobile number that is registered with the bank.' })
  @TenDigits()
  mobile!: string;

  @Field({ description: 'The bank’s operator code, passed on as it is.' })
  @Text(32)
  opcode!: string;

  @Field({ description: 'Your order id. The same request within 10 minutes gets the same bill for nothing.' })
  @Text(100)
  clientRequestId!: string;
}

@Input({ description: 'A payment for a fetched credit card bill.' })
export class PayCardBillInput {
  @Field({ description: 'As it was fetched.' })
  @CardIdentifier()
  card!: string;

  @Field(() => Rupees, { description: 'Rupees, greater than 0. May differ from the bill.' })
  @PositiveAmount()
  amount!: Paise;

  @Field({ description: 'As it was fetched.' })
  @TenDigits()
  mobile!: string;

  @Field({ description: 'As it was fetched.' })
  @Text(32)
  opcode!: string;

  @Field({
    description:
      'Your unique payment order id: a repetition gets the first answer; another payment with it is refused with DUPLICATE_ORDER.',
  })
  @Text(100)
  clientRequestId!: string;

  @Field({ description: 'From the bill; pays once, for 24 hours.' })
  @Text(64)
  fetchId!: string;

  @Field(() => String, { nullable: true, description: 'The payer’s PAN; required at 50,000.00 rupees or more.' })
  @Pan()
  @Agrees(hasPanWhereNeeded, 'Required when the amount is 50000 rupees or more.', 'REQUIRED')
  pan?: string;
}

@Output({ description: 'A credit card bill.' })
export class CardBill {
  @Field({ description: 'Pass it to the payment of this bill.' })
  fetchId!: string;

  @Field(() => CalendarDate, { description: 'When the bill was made.' })
  billDate!: string;

  @Field(() => Rupees, { description: 'Rupees; negative when the card has a credit.' })
  billAmount!: Paise;

  @Field(() => Rupees, { description: 'The least that has to be paid, in rupees.' })
  minimumDue!: Paise;

  @Field(() => CalendarDate, { description: 'When it has to be paid.' })
  billDueDate!: string;

  @Field({ description: 'Name of the cardholder.' })
  customerName!: string;
}

@Output({ description: 'A credit card bill that was fetched.', implements: Charged })
export class FetchCardBillPayload extends Charged {
  @Field(() => CardBill, { description: 'The bill.' })
  bill!: CardBill;

  @Field({ description: 'Echo of the request.' })
  clientRequestId!: string;
}

@Output({
  description: 'A card payment, whatever became of it: its status says it. Only a request that is refused is an error.',
})
export class PayCardBillPayload {
  @Field(() => Order, { description: 'The order. FAILED with its reason when it was declined: the money is back.' })
  order!: Order;

  @Field(() => Wallet, { nullable: true, description: WALLET_OF_PAYMENT })
  wallet!: Wallet | null;

  @Field({ description: 'The answer about an earlier payment with the same key: nothing was charged again.' })
  replayed!: boolean;
}
