import { type Circle, circleOf } from '../core/circles.js';
import type { RequestContext } from '../core/context.js';
import { fieldError, requireAtMost } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { canonicalJson } from '../core/secret.js';
import { keyArchived } from '../orders/archived-orders.js';
import { type KnownOrder, keyReused } from '../orders/earlier-orders.js';
import type { OrderService } from '../orders/order.service.js';
import { type OrderResult } from '../orders/placement.js';
import { statusOf } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { assertReachable, callerOf } from '../providers/calls.js';
import type { RechargeOrder, RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargePorts } from '../providers/providers.js';
import type { ReceivedResponses } from './received-responses.js';
import type { RechargeInput } from './recharge.types.js';

/** Stored fields of a recharge, besides its amount. */
type StoredRecharge = Omit<RechargeOrder, 'reference' | 'amountPaise'>;

/** Fields of the request that the response repeats. */
export type RechargeEcho = Pick<RechargeInput, 'accountNumber' | 'amount' | 'clientRequestId' | 'operatorSpKey'>;

interface RechargeOutcome {
  result: OrderResult<RechargeReceipt>;
  recharge: RechargeEcho;
}

/** Earlier order with its outcome. */
interface KnownRecharge extends Omit<KnownOrder, 'replay'> {
  /** Returns the outcome. Throws IDEMPOTENCY_KEY_REUSED if the request does not match the recharge or the order is archived. */
  outcome: () => RechargeOutcome | Promise<RechargeOutcome>;
}

/** Recharges a mobile number or DTH subscription (interface.md 4.3). */
export class RechargeService {
  constructor(
    private readonly orders: OrderService,
    private readonly ports: RechargePorts,
    private readonly maxAmountPaise: Paise,
    private readonly receivedResponses: ReceivedResponses,
  ) {}

  /** Returns whether recharges of this account are simulated. */
  isTrial({ environment, rechargeProvider }: DeveloperPrincipal): boolean {
    return this.ports.of(environment, rechargeProvider).isTrial === true;
  }

  /**
   * Places a recharge. Errors before money moves: VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED, LIKELY_DUPLICATE,
   * PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED. A decline or reversal is in the status of the result.
   *
   * @param context `arrivedMs` is the earliest time of the monotonic clock at which the request can have reached this host.
   * `preferredWaitMs` is how long the caller wants to wait for the outcome.
   */
  async recharge(
    principal: DeveloperPrincipal,
    input: RechargeInput,
    { arrivedMs, preferredWaitMs: waitMs }: Pick<RequestContext, 'arrivedMs' | 'preferredWaitMs'>,
  ): Promise<OrderResult<RechargeReceipt>> {
    const identity = identityOf(input);
    const port = this.ports.of(principal.environment, principal.rechargeProvider);
    requireAtMost(input.amount, this.maxAmountPaise);
    // the error is thrown below, after the idempotency check: a retry belongs to the provider that accepted the order, not to
    // the current one
    const problem = port.operatorProblem(input.operatorSpKey, input.operatorType);

    // all other fields of the input are stored, and therefore compared with those of a retry
    const { amount, clientRequestId, circle, allowDuplicate, ...storedFields } = input;
    const order: StoredRecharge = storedFields;
    const { accountNumber } = order;
    const needsCircle = port.needsCircle && order.operatorType === 'mobile';
    const caller = callerOf(principal, clientRequestId);
    const completeOrder = async (): Promise<StoredRecharge> => {
      if (problem !== undefined) throw fieldError('input.operatorSpKey', 'REFERENCE', problem);
      await assertReachable(port, caller, accountNumber);
      return needsCircle ? { ...order, circle: await this.#circleFor(accountNumber, circle) } : order;
    };
    return this.orders.place<RechargeReceipt, StoredRecharge>({
      principal,
      operation: 'recharge',
      amountPaise: amount,
      clientKey: clientRequestId ?? null,
      identity,
      isSameAs: (earlier) => this.#isSame(input, earlier),
      keyless:
        clientRequestId === undefined && !allowDuplicate ? { guardS: principal.duplicateGuardS, arrivedMs } : undefined,
      waitMs,
      account: accountNumber,
      operatorSpKey: order.operatorSpKey,
      provider: port.provider,
      // this is a plain value if no check can reject the request, because the hold itself detects an earlier order
      request: problem !== undefined || needsCircle || !port.available || port.isDown ? completeOrder : order,
      send: (reference, request, permit) =>
        port.recharge({ ...request, reference, amountPaise: amount }, caller, permit),
    });
  }

  /**
   * Notes that the caller has received the response to a recharge without an idempotency key. From now on, an identical request
   * is a new recharge.
   */
  responseReceived({ developerId }: DeveloperPrincipal, orderId: string): void {
    this.receivedResponses.add({ developerId, orderId });
  }

  /**
   * Returns the order with the idempotency key of a rejected request, if there is one. `input` contains the fields that could be
   * parsed.
   */
  async findKnownOrder(
    principal: DeveloperPrincipal,
    input: Partial<RechargeInput>,
  ): Promise<KnownRecharge | undefined> {
    const { clientRequestId: clientKey } = input;
    if (clientKey === undefined) return undefined;
    const { earlierOrders } = this.orders;
    const order = await earlierOrders.byKey(principal, 'recharge', clientKey);
    if (order) {
      const { id, reference: apiRequestId } = order;
      return { id, apiRequestId, status: statusOf(order), outcome: () => this.#outcomeOf(order, input) };
    }
    const archived = await earlierOrders.archivedByKey(principal, 'recharge', clientKey);
    if (!archived) return undefined;
    const { id, reference: apiRequestId, status } = archived;
    const outcome = (): never => {
      throw keyArchived({ operation: 'recharge', clientKey }, archived);
    };
    return { id, apiRequestId, status, outcome };
  }

  /**
   * Returns the outcome and request of an earlier recharge, for a request with the same idempotency key that may have been
   * parsed only in part. Throws IDEMPOTENCY_KEY_REUSED if the two do not match.
   */
  async #outcomeOf(earlierOrder: StoredOrder, input: Partial<RechargeInput>): Promise<RechargeOutcome> {
    if (!this.#isSame(input, earlierOrder)) throw keyReused(earlierOrder);
    const { request, clientKey } = this.orders.earlierOrders.requestOf<StoredRecharge>(earlierOrder);
    return {
      result: await this.orders.earlierOrders.resultOf(earlierOrder),
      recharge: {
        accountNumber: request.accountNumber,
        operatorSpKey: request.operatorSpKey,
        amount: earlierOrder.amountPaise,
        clientRequestId: clientKey ?? undefined,
      },
    };
  }

  /** Compares the request with the stored request, which does not depend on the current configuration. */
  #isSame(input: Partial<RechargeInput>, earlierOrder: StoredOrder): boolean {
    const { request } = this.orders.earlierOrders.requestOf<StoredRecharge>(earlierOrder);
    return isSameRecharge({ ...request, amount: earlierOrder.amountPaise }, input);
  }

  /**
   * Returns the circle in the request if it is known, otherwise the one that the provider finds. Throws VALIDATION_FAILED if
   * there is neither.
   */
  async #circleFor(mobile: string, requested: string | undefined): Promise<Circle> {
    const circle = (requested && circleOf(requested)) || (await this.ports.circleFinder.findCircle(mobile));
    if (!circle)
      throw fieldError(
        'input.circle',
        'REQUIRED',
        'The circle of this number could not be determined. Send the name or code of the circle.',
      );
    return circle;
  }
}

/**
 * Fields that may differ in a retry with the same client_request_id, for example because the customer has moved or the circle
 * was looked up in the meantime. Every other field, including fields added later, must match the recharge of the key.
 */
export const NON_IDENTITY_FIELDS = [
  'clientRequestId',
  'circle',
  'geocode',
  'pincode',
  'customerNumber',
  'allowDuplicate',
] as const satisfies readonly (keyof RechargeInput)[];

type Identity = Partial<Omit<RechargeInput, (typeof NON_IDENTITY_FIELDS)[number]>>;

const nonIdentityFields: ReadonlySet<string> = new Set(NON_IDENTITY_FIELDS);

/** Returns the fields that determine whether two requests with one idempotency key are the same recharge. */
export const identityOf = (input: Identity): object =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !nonIdentityFields.has(field)));

export const isSameRecharge = (a: Identity, b: Identity): boolean =>
  canonicalJson(identityOf(a)) === canonicalJson(identityOf(b));
