import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { maskedCard } from '../core/secret.js';
import type { BillFetchService } from './bill-fetch.service.js';
import type { BillPaymentService } from './bill-payment.service.js';
import { CardBillResult, CardPaymentResult, FetchCardBillInput, PayCardBillInput } from './card-bills.types.js';

const PAYMENT_MESSAGES = {
  success: 'Bill paid successfully.',
  pending:
    'The outcome is not known yet. Do not pay again under a new orderid: repeat this request, and the duplicate error tells the state of this order.',
};

@Resolver()
export class CardBillsResolver {
  readonly #fetches: BillFetchService;
  readonly #payments: BillPaymentService;

  constructor(fetches: BillFetchService, payments: BillPaymentService) {
    this.#fetches = fetches;
    this.#payments = payments;
  }

  @Mutation(() => CardBillResult, {
    nullable: true,
    description: 'Fetches a credit card bill. The fee is refunded when the provider fails.',
  })
  async fetchCardBill(
    @Arg('input', () => FetchCardBillInput, { description: 'Which bill.' }) input: FetchCardBillInput,
    @Ctx() context: RequestContext,
  ): Promise<CardBillResult> {
    const { value, feePaise, balancePaise, replayed } = await this.#fetches.fetch(developerOf(context), input);
    if (replayed) context.replayed = true;
    const { billAmountPaise, minimumDuePaise, ...bill } = value;
    return {
      ...bill,
      billAmount: billAmountPaise,
      minimumDue: minimumDuePaise,
      orderId: input.orderId,
      message: 'Bill fetched successfully.',
      fee: feePaise,
      walletBalance: balancePaise,
    };
  }

  @Mutation(() => CardPaymentResult, {
    nullable: true,
    description: 'Pays a fetched credit card bill from the wallet.',
  })
  async payCardBill(
    @Arg('input', () => PayCardBillInput, { description: 'What to pay.' }) input: PayCardBillInput,
    @Ctx() context: RequestContext,
  ): Promise<CardPaymentResult> {
    const { status, reference, value, balancePaise } = await this.#payments.pay(developerOf(context), input);
    switch (status) {
      case 'failed':
        throw new AppError('PROVIDER_DECLINED', { apiRequestId: reference });
      case 'reversed':
        throw new AppError('REVERSED', { apiRequestId: reference });
      case 'success':
      case 'pending':
        return {
          status,
          message: PAYMENT_MESSAGES[status],
          utr: value?.utr || null,
          card: maskedCard(input.card),
          txid: value?.txid ?? null,
          amount: input.amount,
          mobile: input.mobile,
          orderId: input.orderId,
          walletBalance: balancePaise,
        };
    }
  }
}
