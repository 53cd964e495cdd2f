import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { operatorOfSpKey } from '../core/operators.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { orderNodeId } from '../graphql-toolkit/node.js';
import { walletView } from '../ledger/wallet.types.js';
import type { EarlierPayment, Placed } from '../orders/placement.js';
import type { KnownOrder } from '../orders/repetition.js';
import { notePayment, placedView } from '../orders/views/order.view.js';
import type { RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargeEcho, RechargeService } from './recharge.service.js';
import { RechargeInput, RechargePayload, type Warning } from './recharge.types.js';

@Resolver()
export class RechargeResolver {
  constructor(private readonly recharges: RechargeService) {}

  @Mutation(() => RechargePayload, {
    nullable: true,
    description: 'Recharges a prepaid mobile number or DTH subscription from the wallet.',
  })
  async recharge(
    @Arg('input', () => RechargeInput, { description: 'What to recharge.' }) input: RechargeInput,
    @Ctx() context: RequestContext,
  ): Promise<RechargePayload> {
    const principal = developerOf(context);
    const placed = await this.recharges.recharge(principal, input, context);
    const { clientRequestId } = input;
    // "pending" is no answer to what became of it
    const isHeard = clientRequestId === undefined && placed.status !== 'pending';
    notePayment(
      { ...placed, received: isHeard ? () => this.recharges.answerReceived(principal, placed.orderId) : undefined },
      clientRequestId,
      context,
    );
    const warnings = warningsOf(input, { isTrial: this.recharges.isTrial(principal) }, context);
    return payloadOf(principal, placed, input, warnings);
  }

  /** The order that a refused request names by its key, if there is one. `input` holds what could be read of it. */
  async known(principal: DeveloperPrincipal, input: Partial<RechargeInput> = {}): Promise<KnownOrder | undefined> {
    const known = await this.recharges.known(principal, input);
    if (!known) return undefined;
    const { outcome, ...order } = known;
    return {
      ...order,
      answer: async () => {
        const { placed, recharge } = await outcome();
        return payloadOf(principal, placed, recharge, []);
      },
    };
  }
}

const likelyDuplicate = ({ orderId, reference }: EarlierPayment): Warning => ({
  code: 'likely_duplicate',
  message: `An equal recharge was performed in the last three minutes, ${reference}. If this one was not meant, stop repeating requests without a key.`,
  orderId: orderNodeId(orderId),
  apiRequestId: reference,
});

const warning = (code: Warning['code'], message: string): Warning => ({
  code,
  message,
  orderId: null,
  apiRequestId: null,
});

/** Possible mistakes in a request that was accepted. In production the provider decides about unknown operators. */
function warningsOf(
  { clientRequestId, allowDuplicate, operatorSpKey }: RechargeInput,
  { isTrial }: { isTrial: boolean },
  { likeKeys = [] }: RequestContext,
): Warning[] {
  const warnings: Warning[] = [];
  if (clientRequestId === undefined)
    if (likeKeys.length > 0)
      for (const name of likeKeys)
        warnings.push(
          warning('unread_key', `${name} is not read: the key is client_request_id, or the header Idempotency-Key.`),
        );
    else if (isTrial && !allowDuplicate)
      warnings.push(
        warning(
          'missing_key',
          'Without client_request_id the same request again is another recharge. Give each order a key.',
        ),
      );
  if (isTrial && !operatorOfSpKey(operatorSpKey))
    warnings.push(
      warning(
        'unknown_operator',
        `No operator is known by operator_sp_key ${operatorSpKey}: see GET /api/v1/operators.`,
      ),
    );
  return warnings;
}

function payloadOf(
  { developerId, environment }: DeveloperPrincipal,
  placed: Placed<RechargeReceipt>,
  { amount, clientRequestId, ...request }: RechargeEcho,
  warnings: readonly Warning[],
): RechargePayload {
  const owner = { developerId, environment };
  const order = { ...owner, kind: 'recharge', amountPaise: amount, clientKey: clientRequestId ?? null } as const;
  return {
    wallet: walletView(owner, placed),
    order: placedView(placed, { ...order, request }),
    replayed: placed.replayed,
    warnings: [...(placed.likelyDuplicateOf ? [likelyDuplicate(placed.likelyDuplicateOf)] : []), ...warnings],
  };
}
