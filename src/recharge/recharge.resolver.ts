import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { RechargeService } from './recharge.service.js';
import { RechargeInput, RechargeResult } from './recharge.types.js';

const MESSAGES = {
  success: 'Recharge successful.',
  pending:
    'The outcome is not known yet. Do not create a new order: repeat this request with the same client_request_id.',
};

@Resolver()
export class RechargeResolver {
  readonly #recharges: RechargeService;

  constructor(recharges: RechargeService) {
    this.#recharges = recharges;
  }

  @Mutation(() => RechargeResult, {
    nullable: true,
    description: 'Recharges a prepaid mobile number or DTH subscription from the wallet.',
  })
  async recharge(
    @Arg('input', () => RechargeInput, { description: 'What to recharge.' }) input: RechargeInput,
    @Ctx() context: RequestContext,
  ): Promise<RechargeResult> {
    const placed = await this.#recharges.recharge(developerOf(context), input);
    if (placed.replayed) context.replayed = true;
    const { status, reference, createdAt, value, balancePaise } = placed;
    switch (status) {
      case 'failed':
        throw new AppError('PROVIDER_DECLINED', { apiRequestId: reference, replayed: placed.replayed || undefined });
      case 'reversed':
        throw new AppError('REVERSED', { apiRequestId: reference, replayed: placed.replayed || undefined });
      case 'success':
      case 'pending':
        return {
          status,
          message: MESSAGES[status],
          amount: input.amount,
          createdAt,
          operatorRef: value?.operatorRef || null,
          accountNumber: input.accountNumber,
          apiRequestId: reference,
          providerTxnId: value?.providerTxnId || null,
          clientRequestId: input.clientRequestId ?? null,
          walletBalance: balancePaise,
        };
    }
  }
}
