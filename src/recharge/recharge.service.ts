import { type Circle, circleOf } from '../core/circles.js';
import type { RequestContext } from '../core/context.js';
import { fieldError, requireAtMost } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { canonicalJson } from '../core/secret.js';
import { keyArchived } from '../orders/archived-orders.js';
import { type Placed } from '../orders/placement.js';
import type { Placing } from '../orders/placing.js';
import { type KnownOrder, keyReused } from '../orders/repetition.js';
import { statusOf } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { assertReachable, callerOf } from '../providers/calls.js';
import type { RechargeOrder, RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargePorts } from '../providers/providers.js';
import type { ReceivedAnswers } from './received-answers.js';
import type { RechargeInput } from './recharge.types.js';

/** What is stored of a recharge beside its amount. */
type StoredRecharge = Omit<RechargeOrder, 'reference' | 'amountPaise'>;

/** What an answer repeats of the request. */
export type RechargeEcho = Pick<RechargeInput, 'accountNumber' | 'amount' | 'clientRequestId' | 'operatorSpKey'>;

interface RechargeOutcome {
  placed: Placed<RechargeReceipt>;
  recharge: RechargeEcho;
}

/** A known order, and what became of it. */
interface KnownRecharge extends Omit<KnownOrder, 'answer'> {
  /** Errors: IDEMPOTENCY_KEY_REUSED when the request says another recharge or the order is archived. */
  outcome: () => RechargeOutcome | Promise<RechargeOutcome>;
}

/** Recharges a mobile number or DTH subscription (interface.md 4.3). */
export class RechargeService {
  constructor(
    private readonly orders: Placing,
    private readonly ports: RechargePorts,
    private readonly maxAmountPaise: Paise,
    private readonly received: ReceivedAnswers,
  ) {}

  /** Whether recharges of this account are simulated. */
  isTrial({ environment, rechargeProvider }: DeveloperPrincipal): boolean {
    return this.ports.of(environment, rechargeProvider).isTrial === true;
  }

  /**
   * Errors before money moves: VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED, LIKELY_DUPLICATE, PROVIDER_UNAVAILABLE,
   * INSUFFICIENT_BALANCE, OVERLOADED. A decline or reversal is in the result's status.
   *
   * @param arrivedMs earliest instant of the monotonic clock at which the request can have reached this machine
   * @param waitMs how long the caller wants to wait for the outcome
   */
  async recharge(
    principal: DeveloperPrincipal,
    input: RechargeInput,
    { arrivedMs, preferredWaitMs: waitMs }: Pick<RequestContext, 'arrivedMs' | 'preferredWaitMs'>,
  ): Promise<Placed<RechargeReceipt>> {
    const identity = identityOf(input);
    const port = this.ports.of(principal.environment, principal.rechargeProvider);
    requireAtMost(input.amount, this.maxAmountPaise);
    // refused below, after the idempotency check: a repetition belongs to the provider that accepted the order, not to today's
    const problem = port.operatorProblem(input.operatorSpKey, input.operatorType);

    // whatever else the input holds is stored, and so compared with that of a repetition
    const { amount, clientRequestId, circle, allowDuplicate, ...others } = input;
    const order: StoredRecharge = others;
    const { accountNumber } = order;
    const needsCircle = port.needsCircle && order.operatorType === 'mobile';
    const caller = callerOf(principal, clientRequestId);
    const complete = async (): Promise<StoredRecharge> => {
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
      // as it is where nothing can refuse it: the hold itself finds an earlier order then
      request: problem !== undefined || needsCircle || !port.available || port.isAway ? complete : order,
      send: (reference, request, permit) =>
        port.recharge({ ...request, reference, amountPaise: amount }, caller, permit),
    });
  }

  /** The caller has received the answer about a recharge without a key: an equal one is from now on another one. */
  answerReceived({ developerId }: DeveloperPrincipal, orderId: string): void {
    this.received.add({ developerId, orderId });
  }

  /** The order that a refused request names by its key, if there is one. `input` holds what could be read of it. */
  async known(principal: DeveloperPrincipal, input: Partial<RechargeInput>): Promise<KnownRecharge | undefined> {
    const { clientRequestId: clientKey } = input;
    if (clientKey === undefined) return undefined;
    const { earlier } = this.orders;
    const order = await earlier.byKey(principal, 'recharge', clientKey);
    if (order) {
      const { id, reference: apiRequestId } = order;
      return { id, apiRequestId, status: statusOf(order), outcome: () => this.#outcomeOf(order, input) };
    }
    const archived = await earlier.archivedByKey(principal, 'recharge', clientKey);
    if (!archived) return undefined;
    const { id, reference: apiRequestId, status } = archived;
    const outcome = (): never => {
      throw keyArchived({ operation: 'recharge', clientKey }, archived);
    };
    return { id, apiRequestId, status, outcome };
  }

  /**
   * What became of an earlier recharge, and what it was, for a request with the same key, of which perhaps not all could be
   * read. Errors: IDEMPOTENCY_KEY_REUSED when that is not the same recharge.
   */
  async #outcomeOf(earlier: StoredOrder, input: Partial<RechargeInput>): Promise<RechargeOutcome> {
    if (!this.#isSame(input, earlier)) throw keyReused(earlier);
    const { request, clientKey } = this.orders.earlier.requestOf<StoredRecharge>(earlier);
    return {
      placed: await this.orders.earlier.answerOf(earlier),
      recharge: {
        accountNumber: request.accountNumber,
        operatorSpKey: request.operatorSpKey,
        amount: earlier.amountPaise,
        clientRequestId: clientKey ?? undefined,
      },
    };
  }

  /** Compares with the stored request itself: it is there whatever has been configured since. */
  #isSame(input: Partial<RechargeInput>, earlier: StoredOrder): boolean {
    const { request } = this.orders.earlier.requestOf<StoredRecharge>(earlier);
    return isSameRecharge({ ...request, amount: earlier.amountPaise }, input);
  }

  /** The given circle when it is known, else the one that the provider finds. Errors: VALIDATION_FAILED when neither helps. */
  async #circleFor(mobile: string, given: string | undefined): Promise<Circle> {
    const circle = (given && circleOf(given)) || (await this.ports.circleFinder.findCircle(mobile));
    if (!circle)
      throw fieldError(
        'input.circle',
        'REQUIRED',
        'The circle of this number could not be found; send its name or code.',
      );
    return circle;
  }
}

/**
 * What a repetition with the same client_request_id may say differently: a phone has moved, a circle was looked up meanwhile.
 * Every other field of the input is part of the recharge that the key stands for, a new one too.
 */
export const MAY_DIFFER = [
  'clientRequestId',
  'circle',
  'geocode',
  'pincode',
  'customerNumber',
  'allowDuplicate',
] as const satisfies readonly (keyof RechargeInput)[];

type Identity = Partial<Omit<RechargeInput, (typeof MAY_DIFFER)[number]>>;

const ignored: ReadonlySet<string> = new Set(MAY_DIFFER);

/** What makes two requests with one key the same recharge. */
export const identityOf = (input: Identity): object =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !ignored.has(field)));

export const isSameRecharge = (one: Identity, other: Identity): boolean =>
  canonicalJson(identityOf(one)) === canonicalJson(identityOf(other));
