import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { walletView } from '../ledger/wallet.views.js';
import { type KnownOrder, type Placed, statusOf } from '../orders/earlier-orders.js';
import { notePayment, placedView } from '../orders/order.view.js';
import type { RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargeEcho, RechargeService } from './recharge.service.js';
import { RechargeInput, RechargePayload } from './recharge.types.js';

@Resolver()
export class RechargeResolver {
  readonly #recharges: RechargeService;

  constructor(recharges: RechargeService) {
    this.#recharges = recharges;
  }

  @Mutation(() => RechargePayload, {
    nullable: true,
    description: 'Recharges a prepaid mobile number or DTH subscription from the wallet.',
  })
  async recharge(
    @Arg('input', () => RechargeInput, { description: 'What to recharge.' }) input: RechargeInput,
    @Ctx() context: RequestContext,
  ): Promise<RechargePayload> {
    const principal = developerOf(context);
    const placed = await this.#recharges.recharge(principal, input);
    notePayment(placed, input.clientRequestId, context);
    return payloadOf(principal, placed, input);
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
          return payloadOf(principal, placed, recharge);
        },
      }
    );
  }
}

function payloadOf(
  { developerId, environment }: DeveloperPrincipal,
  placed: Placed<RechargeReceipt>,
  { amount, clientRequestId, ...request }: RechargeEcho,
): RechargePayload {
  const owner = { developerId, environment };
  const order = { ...owner, kind: 'recharge', amountPaise: amount, clientKey: clientRequestId ?? null } as const;
  return {
    order: placedView(placed, { ...order, request }),
    wallet: walletView(owner, placed),
    replayed: placed.replayed,
  };
}
