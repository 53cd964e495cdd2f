import { Field } from 'type-graphql';
import { type Paise, rupees } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, CardIdentifier, Input, Pan, PositiveAmount, TenDigits, Text } from '../graphql-toolkit/rules.js';
import { CalendarDate, Rupees } from '../graphql-toolkit/scalars.js';
import { Charged } from '../ledger/charged.types.js';
import { WALLET_OF_PAYMENT, Wallet } from '../ledger/wallet.types.js';
import { Order } from '../orders/views/order.types.js';

/** Minimum amount of payments that require a PAN (interface.md 4.5, bill pay). */
const MIN_PAN_AMOUNT = rupees(50_000);

const hasRequiredPan = ({ amount, pan }: Partial<PayCardBillInput>): boolean =>
  pan !== undefined || amount === undefined || amount < MIN_PAN_AMOUNT;

@Input({ description: 'Bank, card and mobile number of the credit card bill to fetch.' })
export class FetchCardBillInput {
  @Field({
    description:
      'Last 4 digits of the card, or the identifier that the bank requires. Never send the full card number.',
  })
  @CardIdentifier()
  card!: string;

  @Field({ description: '10-digit mobile number registered with the bank.' })
  @TenDigits()
  mobile!: string;

  @Field({ description: 'Operator code of the bank, passed to the provider unchanged.' })
  @Text(32)
  opcode!: string;

  @Field({
    description:
      'Idempotency key of the request. The same request within 10 minutes returns the same bill without a fee.',
  })
  @Text(100)
  clientRequestId!: string;
}

@Input({ description: 'A payment for a fetched credit card bill.' })
export class PayCardBillInput {
  @Field({ description: 'Card, as in the bill fetch.' })
  @CardIdentifier()
  card!: string;

  @Field(() => Rupees, { description: 'Amount in rupees, greater than 0. It may differ from the bill amount.' })
  @PositiveAmount()
  amount!: Paise;

  @Field({ description: 'Mobile number, as in the bill fetch.' })
  @TenDigits()
  mobile!: string;

  @Field({ description: 'Operator code of the bank, as in the bill fetch.' })
  @Text(32)
  opcode!: string;

  @Field({
    description:
      'Idempotency key of the payment. A retry with the same key returns the first result; a different payment with it is rejected with DUPLICATE_ORDER.',
  })
  @Text(100)
  clientRequestId!: string;

  @Field({ description: 'Fetch ID of the bill. Valid for one payment within 24 hours.' })
  @Text(64)
  fetchId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'PAN of the payer. Required for amounts of 50,000.00 rupees or more.',
  })
  @Pan()
  @Agrees(hasRequiredPan, 'Required if the amount is 50000 rupees or more.', 'REQUIRED')
  pan?: string;
}

@Output({ description: 'A credit card bill.' })
export class CardBill {
  @Field({ description: 'ID of the fetched bill, required to pay it.' })
  fetchId!: string;

  @Field(() => CalendarDate, { description: 'Date of the bill.' })
  billDate!: string;

  @Field(() => Rupees, { description: 'Bill amount in rupees. Negative if the card has a credit balance.' })
  billAmount!: Paise;

  @Field(() => Rupees, { description: 'Minimum amount due, in rupees.' })
  minimumDue!: Paise;

  @Field(() => CalendarDate, { description: 'Due date of the bill.' })
  billDueDate!: string;

  @Field({ description: 'Name of the cardholder.' })
  customerName!: string;
}

@Output({ description: 'A fetched credit card bill.', implements: Charged })
export class FetchCardBillPayload extends Charged {
  @Field(() => CardBill, { description: 'The fetched bill.' })
  bill!: CardBill;

  @Field({ description: 'Idempotency key of the request.' })
  clientRequestId!: string;
}

@Output({
  description:
    'Result of a card bill payment. The status of the order is the outcome, including FAILED; only rejected requests are errors.',
})
export class PayCardBillPayload {
  @Field(() => Order, {
    description: 'The order. If it was declined, the status is FAILED with a reason, and the amount was refunded.',
  })
  order!: Order;

  @Field(() => Wallet, { nullable: true, description: WALLET_OF_PAYMENT })
  wallet!: Wallet | null;

  @Field({
    description:
      'Whether this is the result of an earlier payment with the same idempotency key. Nothing was charged again.',
  })
  replayed!: boolean;
}
