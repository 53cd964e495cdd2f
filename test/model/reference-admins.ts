import { isPayment } from '../../src/orders/states.js';
import { type CorrectionKind, SINGLE_ADMIN_PAISE } from './commands.js';
import type { AdminResult, CheckResult, Line } from './machine.js';
import type { Reference } from './reference.js';
import type { Order } from './reference-order.js';

/** Actions of admins in each state, and their results. */
export class ReferenceAdmins {
  readonly #reference: Reference;
  /** Debits by reference, with the admin who requested each; null when it is done. */
  readonly #debits = new Map<number, { amount: number; person: number | null }>();

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** Resolves an order in review, or confirms the resolution despite a conflicting provider status. */
  resolve(index: number, success: boolean, admin: number): AdminResult {
    const { orders, note } = this.#reference;
    const order = orders[index]!;
    if (!isPayment(order.call.operation)) return { result: 'no_such_order' };
    if (order.conflicting) {
      if (success !== isCharged(order)) return { result: 'wrong_state' };
      Object.assign(order, { conflicting: false, byAdmins: true });
      note('confirmed');
      return { result: 'confirmed' };
    }
    if (order.state !== 'review') return { result: 'wrong_state' };
    const { approvalRequest } = order;
    const needsOneAdmin = order.amount <= SINGLE_ADMIN_PAISE;
    if (!needsOneAdmin && approvalRequest?.success === success && approvalRequest.person === admin)
      return { result: 'same_person' };
    if (!needsOneAdmin && approvalRequest?.success !== success) {
      order.approvalRequest = { success, person: admin };
      return { result: 'requested' };
    }
    note(needsOneAdmin ? 'decided by one' : 'decided by two');
    this.#reference.resolve(order, success);
    return { result: 'executed', line: success ? null : this.#move('refund', order.amount) };
  }

  /** Requires two admins for real money. The request is validated again when it is approved. */
  correct(action: CorrectionKind, index: number, admin: number): AdminResult {
    const { orders, note } = this.#reference;
    const order = orders[index]!;
    if (!isPayment(order.call.operation)) return { result: 'no_such_order' };
    const isPossible =
      (action === 'reverse') === isCharged(order) && order.state !== 'open' && order.state !== 'review';
    const requestedBy = order.corrections.get(action);
    if (requestedBy === undefined) {
      if (!isPossible) return { result: 'wrong_state' };
      order.corrections.set(action, admin);
      return { result: 'requested' };
    }
    if (requestedBy === admin) return { result: 'same_person' };
    if (!isPossible) {
      note('correction too late');
      return { result: 'wrong_state' };
    }
    const rejected = action === 'refund_reversal' ? this.#rejectionOfCharge(order) : undefined;
    if (rejected) return { result: rejected };
    order.corrections.delete(action);
    return { result: 'executed', line: this.#corrected(order, action) };
  }

  #rejectionOfCharge(order: Order): 'insufficient' | 'bill_paid' | undefined {
    const { balance, note } = this.#reference;
    if (order.amount > balance) {
      note('not charged again without money');
      return 'insufficient';
    }
    if (order.state === 'failed' && this.#reference.isBillPaid(order.call)) {
      note('not charged again for a bill that was paid');
      return 'bill_paid';
    }
    return undefined;
  }

  #corrected(order: Order, action: CorrectionKind): Line {
    const { note } = this.#reference;
    const previousState = order.state;
    Object.assign(order, {
      state: 'success',
      reversed: action === 'reverse',
      conflicting: false,
      corrected: true,
      byAdmins: true,
      announced: false,
      silentlyReversed: false,
      checkRequested: false,
      doubtedAt: undefined,
    });
    if (action === 'reverse') {
      note('taken back by people');
      return this.#move('reversal', order.amount);
    }
    note(previousState === 'failed' ? 'charged again after a failure' : 'charged again after a reversal');
    return this.#move('refund_reversal', -order.amount);
  }

  /** Once per reference, and never more than the balance. */
  debit(amount: number, reference: number, admin: number): AdminResult {
    const { balance, note } = this.#reference;
    const earlier = this.#debits.get(reference);
    if (!earlier) {
      this.#debits.set(reference, { amount, person: admin });
      return { result: 'requested' };
    }
    if (earlier.amount !== amount) return { result: 'reference_taken' };
    if (earlier.person === null) return { result: 'repeated' };
    if (earlier.person === admin) return { result: 'same_person' };
    if (amount > balance) {
      note('not debited without money');
      return { result: 'insufficient' };
    }
    earlier.person = null;
    note('debited');
    return { result: 'executed', line: this.#move('debit', -amount) };
  }

  /** Moves no money. The next sweep checks the order in any state. */
  requestCheck(index: number): CheckResult {
    const { orders, note, now } = this.#reference;
    const order = orders[index]!;
    const rejected = rejectionOfCheck(order);
    if (rejected) {
      note('not asked');
      return rejected;
    }
    const isResolved = order.state === 'success' || order.state === 'failed';
    note(isResolved ? 'asked about a decided order' : 'asked about a pending order');
    Object.assign(order, { checkRequested: true, asked: 0 }, isResolved ? { doubtedAt: now } : {});
    return 'asked';
  }

  #move(kind: Line['kind'], amount: number): Line {
    this.#reference.balance += amount;
    return { kind, amount, balance: this.#reference.balance };
  }
}

function rejectionOfCheck({
  call,
  state,
  outcomeKnown: hasResponse,
}: Order): Exclude<CheckResult, 'asked'> | undefined {
  if (!isPayment(call.operation)) return 'no_such_order';
  if (call.capability === 'silent') return 'cannot_be_asked';
  return state === 'open' && !hasResponse ? 'sending' : undefined;
}

const isCharged = ({ state, reversed }: Order): boolean => state === 'success' && !reversed;
