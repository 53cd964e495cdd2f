import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { walletView } from '../ledger/wallet.types.js';
import { chargedView } from '../orders/charged-lookup.js';
import { notePayment, resultView } from '../orders/views/order.view.js';
import type { BillFetchService } from './bill-fetch.service.js';
import type { BillPaymentService } from './bill-payment.service.js';
import { FetchCardBillInput, FetchCardBillPayload, PayCardBillInput, PayCardBillPayload } from './card-bills.types.js';

@Resolver()
export class CardBillsResolver {
  constructor(
    private readonly fetches: BillFetchService,
    private readonly payments: BillPaymentService,
  ) {}

  @Mutation(() => FetchCardBillPayload, {
    nullable: true,
    description: 'Fetches a credit card bill. The fee is refunded if the provider fails.',
  })
  async fetchCardBill(
    @Arg('input', () => FetchCardBillInput, { description: 'Bank, card and mobile number of the bill to fetch.' })
    input: FetchCardBillInput,
    @Ctx() context: RequestContext,
  ): Promise<FetchCardBillPayload> {
    const { clientRequestId } = input;
    const result = await this.fetches.fetch(developerOf(context), input);
    const { billAmountPaise, minimumDuePaise, ...bill } = result.value;
    return {
      ...chargedView(result, context),
      clientRequestId,
      bill: { ...bill, billAmount: billAmountPaise, minimumDue: minimumDuePaise },
    };
  }

  @Mutation(() => PayCardBillPayload, {
    nullable: true,
    description: 'Pays a fetched credit card bill from the wallet.',
  })
  async payCardBill(
    @Arg('input', () => PayCardBillInput, { description: 'Bill and amount to pay.' }) input: PayCardBillInput,
    @Ctx() context: RequestContext,
  ): Promise<PayCardBillPayload> {
    const principal = developerOf(context);
    const { developerId, environment } = principal;
    const { amount, clientRequestId, card, mobile } = input;
    const result = await this.payments.pay(principal, input, context.preferredWaitMs);
    notePayment(result, clientRequestId, context);
    return {
      order: resultView(result, {
        developerId,
        environment,
        kind: 'card_payment',
        amountPaise: amount,
        clientKey: clientRequestId,
        request: { card, mobile },
      }),
      wallet: walletView(principal, result),
      replayed: result.replayed,
    };
  }
}
