import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { type KnownOrder, type Placed, statusOf } from '../orders/earlier-orders.js';
import type { RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargeEcho, RechargeService } from './recharge.service.js';
import { RechargeInput, RechargeResult } from './recharge.types.js';

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
    return resultOf(placed, input);
  }

  /** The order that a refused request names by its key, if there is one. `input` holds what could be read of it. */
  async known(principal: DeveloperPrincipal, input: Partial<RechargeInput> = {}): Promise<KnownOrder | undefined> {
    const { clientRequestId } = input;
    if (clientRequestId === undefined) return undefined;
    const order = await this.#recharges.placedWith(principal, clientRequestId);
    return (
      order && {
        id: order.id,
        apiRequestId: order.reference,
        status: statusOf(order),
        answer: async () => {
          const { placed, recharge } = await this.#recharges.outcomeOf(order, input);
          return resultOf(placed, recharge);
        },
      }
    );
  }
}

/** Errors: PROVIDER_DECLINED, REVERSED. */
function resultOf(
  { status, reference, createdAt, value, providerTxnId, balancePaise, replayed }: Placed<RechargeReceipt>,
  { accountNumber, amount, clientRequestId }: RechargeEcho,
): RechargeResult {
  switch (status) {
    case 'failed':
      throw new AppError('PROVIDER_DECLINED', { apiRequestId: reference, replayed: replayed || undefined });
    case 'reversed':
      throw new AppError('REVERSED', { apiRequestId: reference, replayed: replayed || undefined });
    case 'success':
    case 'pending':
      return {
        status,
        message: status === 'success' ? 'Recharge successful.' : pendingMessage(reference, clientRequestId),
        amount,
        createdAt,
        operatorRef: value?.operatorRef || null,
        accountNumber,
        apiRequestId: reference,
        providerTxnId: value?.providerTxnId || providerTxnId || null,
        clientRequestId: clientRequestId ?? null,
        walletBalance: balancePaise,
      };
  }
}

/** A request without a key must not be repeated: it would be another recharge. */
const pendingMessage = (reference: string, clientRequestId: string | undefined): string =>
  `The outcome is not known yet. Do not create a new order: ${
    clientRequestId === undefined
      ? `ask GET /api/v1/recharge/status?api_request_id=${reference} what became of this one.`
      : 'repeat this request with the same client_request_id.'
  }`;
