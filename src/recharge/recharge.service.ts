import { type Circle, circleOf } from '../core/circles.js';
import { AppError, fieldError } from '../core/errors.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { RechargeProvider } from '../core/services.js';
import type { OrderService, Placed } from '../orders/order.service.js';
import type { CircleFinder } from '../providers/ports/circle-finder.port.js';
import type { RechargeOrder, RechargePort, RechargeReceipt } from '../providers/ports/recharge.port.js';
import type { RechargeInput } from './recharge.types.js';

export interface RechargeProviders {
  uat: RechargePort;
  production: Record<RechargeProvider, RechargePort>;
  /** Finds the circle of a number for providers that need one. */
  circleFinder: CircleFinder;
}

/** Recharges a mobile number or DTH subscription (section 4.3). */
export class RechargeService {
  readonly #orders: OrderService;
  readonly #providers: RechargeProviders;
  readonly #maxAmountPaise: Paise;

  constructor(orders: OrderService, providers: RechargeProviders, maxAmountPaise: Paise) {
    this.#orders = orders;
    this.#providers = providers;
    this.#maxAmountPaise = maxAmountPaise;
  }

  /**
   * Errors before money moves: VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED, PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED.
   * A decline or reversal is in the result's status.
   */
  async recharge(principal: DeveloperPrincipal, input: RechargeInput): Promise<Placed<RechargeReceipt>> {
    const port =
      principal.environment === 'uat' ? this.#providers.uat : this.#providers.production[principal.rechargeProvider];
    if (input.amount > this.#maxAmountPaise)
      throw fieldError('input.amount', `Must be at most ${rupeesNumber(this.#maxAmountPaise)} rupees.`);
    // refused below, after the idempotency check: a repetition belongs to the provider that accepted the order, not to today's
    const problem = port.operatorProblem(input.operatorSpKey, input.operatorType);

    const {
      accountNumber,
      amount,
      operatorSpKey,
      operatorType,
      clientRequestId,
      circle,
      geocode,
      pincode,
      customerNumber,
    } = input;
    const order: Omit<RechargeOrder, 'reference' | 'amountPaise'> = {
      accountNumber,
      operatorSpKey,
      operatorType,
      geocode,
      pincode,
      customerNumber,
    };
    const needsCircle = port.needsCircle && operatorType === 'mobile';
    return this.#orders.place({
      principal,
      operation: 'recharge',
      amountPaise: amount,
      clientKey: clientRequestId ?? null,
      identity: { ...order, amount, circle },
      account: accountNumber,
      provider: port.provider,
      request: order,
      ...(problem !== undefined || needsCircle || !port.available
        ? {
            prepare: async () => {
              if (problem !== undefined) throw fieldError('input.operatorSpKey', problem);
              if (!port.available) throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: 5_000 });
              if (needsCircle) order.circle = await this.#circleFor(accountNumber, circle);
            },
          }
        : {}),
      send: (reference) => port.recharge({ ...order, reference, amountPaise: amount }),
    });
  }

  /** The given circle when it is known, else the one that the provider finds. Errors: VALIDATION_FAILED when neither helps. */
  async #circleFor(mobile: string, given: string | undefined): Promise<Circle> {
    const circle = (given && circleOf(given)) || (await this.#providers.circleFinder.findCircle(mobile));
    if (!circle)
      throw fieldError('input.circle', 'The circle of this number could not be found; send its name or code.');
    return circle;
  }
}
