import type { Environment } from '../core/environment.js';
import { AppError, fieldError, requireAtMost } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { OrderService } from '../orders/order.service.js';
import { type OrderResult } from '../orders/placement.js';
import { statusOf } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { assertReachable, callerOf } from '../providers/calls.js';
import type { CardBillsPort, CardPaymentOrder, CardPaymentReceipt } from '../providers/ports/card-bills.port.js';
import type { PayCardBillInput } from './card-bills.types.js';
import type { FetchedBills } from './fetched-bill.store.js';

const RETRY_AFTER_MS = 5_000;

/** Stored fields of a payment, besides its amount. */
type StoredPayment = Omit<CardPaymentOrder, 'reference' | 'amountPaise'>;

/** Pays fetched credit card bills (interface.md 4.5). */
export class BillPaymentService {
  constructor(
    private readonly orders: OrderService,
    private readonly bills: FetchedBills,
    private readonly providers: Record<Environment, CardBillsPort>,
    private readonly maxAmountPaise: Paise,
  ) {}

  /**
   * Pays a bill. Errors before money moves, in this order: VALIDATION_FAILED (shape, PAN, amount), DUPLICATE_ORDER,
   * VALIDATION_FAILED and BILL_PAYMENT_IN_PROGRESS (fetch_id), PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED. A
   * decline or reversal is in the status of the result.
   *
   * @param waitMs how long the caller wants to wait for the outcome
   */
  async pay(
    principal: DeveloperPrincipal,
    input: PayCardBillInput,
    waitMs?: number,
  ): Promise<OrderResult<CardPaymentReceipt>> {
    const { card, mobile, opcode, clientRequestId, amount, pan } = input;
    const port = this.providers[principal.environment];
    const caller = callerOf(principal, clientRequestId);
    requireAtMost(amount, this.maxAmountPaise);

    return this.orders
      .place<CardPaymentReceipt, StoredPayment>({
        principal,
        operation: 'card_payment',
        amountPaise: amount,
        clientKey: clientRequestId,
        identity: identityOf(input),
        isSameAs: (earlier) => {
          if (!this.#isSame(input, earlier))
            throw new AppError('DUPLICATE_ORDER', { orderId: clientRequestId, orderStatus: statusOf(earlier) });
          return true;
        },
        account: mobile,
        cardLast4: card.slice(-4),
        waitMs,
        provider: port.provider,
        request: async () => {
          // fetch ID of the provider, known after the fetch_id of this service has been checked
          const fetchId = await this.#requirePayable(principal, input);
          await assertReachable(port, caller, mobile);
          return { card, mobile, opcode, fetchId, pan: pan?.toUpperCase() };
        },
        send: (reference, order, permit) => port.pay({ ...order, reference, amountPaise: amount }, caller, permit),
      })
      .catch(async (error: unknown) => {
        // The balance may be insufficient because a simultaneous payment with this fetch_id used it. That error takes
        // precedence.
        if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE')
          await this.#requirePayable(principal, input);
        throw error;
      });
  }

  /** Compares the payment with the stored request. The bill is compared by its fingerprint. */
  #isSame(input: PayCardBillInput, earlierOrder: StoredOrder): boolean {
    const { request } = this.orders.earlierOrders.requestOf<StoredPayment>(earlierOrder);
    return (
      earlierOrder.fingerprint.equals(this.orders.fingerprintOf(identityOf(input))) &&
      earlierOrder.amountPaise === input.amount &&
      request.card === input.card &&
      request.mobile === input.mobile &&
      request.opcode === input.opcode
    );
  }

  /** Returns the provider's fetch ID if the caller may pay with the fetch_id of this service now. */
  async #requirePayable(principal: DeveloperPrincipal, input: PayCardBillInput): Promise<string> {
    const { developerId, environment } = principal;
    const { card, mobile, opcode, clientRequestId, fetchId } = input;
    const owner = { developerId, environment, card, mobile, opcode };
    const bill = await this.bills.find(owner, fetchId, this.orders.fingerprintOf(identityOf(input)));
    if (!bill)
      throw fetchIdError(
        'The fetch ID is unknown for this card, mobile number and operator code. Fetch the bill again.',
      );
    if (bill.payment) {
      // the payment was started in the meantime with this idempotency key: `place` returns it as a duplicate
      if (bill.payment.storedKey === this.orders.earlierOrders.storedKeyOf(clientRequestId))
        return bill.providerFetchId;
      switch (bill.payment.state) {
        case 'success':
          throw fetchIdError('The fetch ID has already been used for a payment. Fetch the bill again.');
        case 'open':
        case 'review':
          throw new AppError('BILL_PAYMENT_IN_PROGRESS', { retryAfterMs: RETRY_AFTER_MS });
      }
    }
    if (bill.expired) throw fetchIdError('The fetch ID expired after 24 hours. Fetch the bill again.');
    return bill.providerFetchId;
  }
}

/**
 * Returns the identity of a payment. It is only the fetch_id: a unique index on its fingerprint lets only one payment of the
 * bill hold money.
 */
const identityOf = ({ fetchId }: PayCardBillInput): object => ({ fetchId });

const fetchIdError = (message: string): AppError => fieldError('input.fetchId', 'REFERENCE', message);
