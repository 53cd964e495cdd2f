import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { operatorOfSpKey } from '../core/operators.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { orderNodeId } from '../graphql-toolkit/node.js';
import { walletView } from '../ledger/wallet.types.js';
import type { KnownOrder } from '../orders/earlier-orders.js';
import type { EarlierPayment, OrderResult } from '../orders/placement.js';
import { notePayment, resultView } from '../orders/views/order.view.js';
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
    @Arg('input', () => RechargeInput, { description: 'Recharge to place.' }) input: RechargeInput,
    @Ctx() context: RequestContext,
  ): Promise<RechargePayload> {
    const principal = developerOf(context);
    const result = await this.recharges.recharge(principal, input, context);
    const { clientRequestId } = input;
    // "pending" does not tell the caller the outcome
    const isFinal = clientRequestId === undefined && result.status !== 'pending';
    notePayment(
      { ...result, received: isFinal ? () => this.recharges.responseReceived(principal, result.orderId) : undefined },
      clientRequestId,
      context,
    );
    const warnings = warningsOf(input, { isTrial: this.recharges.isTrial(principal) }, context);
    return payloadOf(principal, result, input, warnings);
  }

  /**
   * Returns the order with the idempotency key of a rejected request, if there is one. `input` contains the fields that could be
   * parsed.
   */
  async findKnownOrder(
    principal: DeveloperPrincipal,
    input: Partial<RechargeInput> = {},
  ): Promise<KnownOrder | undefined> {
    const knownOrder = await this.recharges.findKnownOrder(principal, input);
    if (!knownOrder) return undefined;
    const { outcome, ...order } = knownOrder;
    return {
      ...order,
      replay: async () => {
        const { result, recharge } = await outcome();
        return payloadOf(principal, result, recharge, []);
      },
    };
  }
}

const likelyDuplicate = ({ orderId, reference }: EarlierPayment): Warning => ({
  code: 'likely_duplicate',
  message: `An identical recharge (${reference}) succeeded in the last three minutes. If this recharge was not intended, send an idempotency key with each request, so that a retry returns the first order.`,
  orderId: orderNodeId(orderId),
  apiRequestId: reference,
});

const warning = (code: Warning['code'], message: string): Warning => ({
  code,
  message,
  orderId: null,
  apiRequestId: null,
});

/** Returns the possible mistakes in a request that was accepted. In Production the provider decides about unknown operators. */
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
          warning(
            'unread_key',
            `${name} is ignored. Send the idempotency key as client_request_id or in the Idempotency-Key header.`,
          ),
        );
    else if (isTrial && !allowDuplicate)
      warnings.push(
        warning(
          'missing_key',
          'Without client_request_id, a retry of this request creates another recharge. Send a unique client_request_id with each order.',
        ),
      );
  if (isTrial && !operatorOfSpKey(operatorSpKey))
    warnings.push(
      warning(
        'unknown_operator',
        `Unknown operator_sp_key ${operatorSpKey}. See GET /api/v1/operators for valid values.`,
      ),
    );
  return warnings;
}

function payloadOf(
  { developerId, environment }: DeveloperPrincipal,
  result: OrderResult<RechargeReceipt>,
  { amount, clientRequestId, ...request }: RechargeEcho,
  warnings: readonly Warning[],
): RechargePayload {
  const owner = { developerId, environment };
  const order = { ...owner, kind: 'recharge', amountPaise: amount, clientKey: clientRequestId ?? null } as const;
  return {
    wallet: walletView(owner, result),
    order: resultView(result, { ...order, request }),
    replayed: result.replayed,
    warnings: [...(result.likelyDuplicateOf ? [likelyDuplicate(result.likelyDuplicateOf)] : []), ...warnings],
  };
}
