import { leadStatusOf } from '../../src/leads/lead.status.js';
import {
  countsAsNotFound,
  isPayment,
  nextDoubtStep,
  nextStep,
  type OutcomeKind,
  recheckAfter,
} from '../../src/orders/states.js';
import { AMOUNTS, type Call, type CorrectionKind, LEAD_FEE, LOOKUP_FEE, SINGLE_ADMIN_PAISE } from './commands.js';
import {
  type AdminResult,
  type CallReply,
  type CallResult,
  type CheckResult,
  CLOCK_LIMIT_MS,
  LEASE_MS,
  type Line,
  LOOKUP_KEY_MS,
  type Machine,
  POLICY,
  RECHECK_MS,
  type Snapshot,
} from './machine.js';
import type { World } from './world.js';

interface Order {
  call: Call;
  amount: number;
  key: number | null;
  state: 'open' | 'success' | 'failed' | 'review';
  reversed: boolean;
  conflicting: boolean;
  /** Admins resolved it, and the provider has not reported a success since. */
  byAdmins: boolean;
  /** For an order without a status check: the sending process and the sweeper exclude each other. */
  claimed: 'send' | 'never send' | undefined;
  /** Step of its last transfer. */
  step: number;
  createdAt: number;
  settledAt: number;
  unknownSince: number | undefined;
  dueAt: number | undefined;
  quietUntil: number;
  doubtedSince: number | undefined;
  asked: number;
  statusChecks: number;
  notFound: number;
  approvalRequest?: { success: boolean; person: number };
  corrections: Map<CorrectionKind, number>;
}

const CAPABILITIES = {
  direct: { canCheckStatus: true, notFoundIsFinal: true },
  silent: { canCheckStatus: false, notFoundIsFinal: false },
  cautious: { canCheckStatus: true, notFoundIsFinal: false },
} as const;

/**
 * The money state machine of src/orders/states.ts by itself: orders and a wallet in memory, with time that only passes when it is
 * advanced. Every posting is a transfer, and no two may have the same subject and step.
 */
export class PureMachine implements Machine {
  readonly #world: World;
  readonly #orders: Order[] = [];
  readonly #transfers = new Map<string, number>();
  readonly #references = new Set<number>();
  readonly #leads = new Map<number, { status: string; approvedOnce: boolean }>();
  readonly #violations: string[] = [];
  readonly #debits = new Map<number, { amount: number; person: number | null }>();
  #balance = 0;
  #now = 0;
  #aheadMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'> {
    if (this.#references.has(reference)) return 'duplicate';
    this.#references.add(reference);
    this.#post(`top-up ${reference}`, 1, amount);
    return 'posted';
  }

  async call(call: Call): Promise<CallReply[]> {
    return Array.from({ length: call.times }, () => this.#place(call));
  }

  #place(call: Call): CallReply {
    const { operation, key, body } = call;
    for (const order of this.#orders) {
      const expired =
        !isPayment(order.call.operation) && order.state === 'success' && this.#now - order.settledAt >= LOOKUP_KEY_MS;
      if (expired) order.key = null;
    }
    const earlier =
      key === null ? undefined : this.#orders.find((order) => order.call.operation === operation && order.key === key);
    if (earlier) {
      const other = operation === 'recharge' && earlier.call.body !== body;
      return { result: other ? 'key_reused' : resultOf(earlier), replayed: true };
    }
    const amount = operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[body]!;
    if (amount > this.#balance) return { result: 'insufficient', replayed: false };
    if (this.#isBillTaken(call)) return { result: 'bill_taken', replayed: false };
    const index = this.#world.accept(call);
    this.#post(`order ${index}`, 1, -amount);
    const order: Order = {
      call,
      amount,
      key,
      state: 'open',
      reversed: false,
      conflicting: false,
      byAdmins: false,
      claimed: undefined,
      step: 1,
      createdAt: this.#now,
      settledAt: 0,
      unknownSince: undefined,
      dueAt: this.#now + LEASE_MS,
      quietUntil: 0,
      doubtedSince: undefined,
      asked: 0,
      statusChecks: 0,
      notFound: 0,
      corrections: new Map(),
    };
    this.#orders.push(order);
    if (call.crash === 'before_claim') return { result: 'died', replayed: false };
    if (!this.#canLeave(index)) return { result: resultOf(order), replayed: false };
    if (call.crash === 'before_send') return { result: 'died', replayed: false };
    const providerStatus = this.#world.send(index);
    if (call.crash === 'after_send') return { result: 'died', replayed: false };
    this.#apply(index, providerStatus, false);
    return { result: resultOf(order), replayed: false };
  }

  /** Claims an order without a status check; a sweeper at the same time is first or second at random. */
  #canLeave(index: number): boolean {
    const order = this.#orders[index]!;
    const { sweeper } = order.call;
    if (!mustBeClaimed(order)) return true;
    const sweeperIsFirst = sweeper === 'before_claim' || (sweeper === 'at_claim' && index % 2 === 0);
    if (sweeper !== 'away') this.#now += LEASE_MS;
    if (sweeperIsFirst) this.#sweepAll();
    const claimed = claim(order, 'send');
    if (sweeper !== 'away' && !sweeperIsFirst) this.#sweepAll();
    return claimed;
  }

  #isBillTaken({ operation, bill }: Call): boolean {
    return (
      operation === 'card_payment' &&
      this.#orders.some(({ call, state }) => call.operation === operation && call.bill === bill && state !== 'failed')
    );
  }

  /** Applies a provider result to an open order. */
  #apply(index: number, providerStatus: OutcomeKind, isStatusCheck: boolean): void {
    const order = this.#orders[index]!;
    const ageMs = this.#now - order.createdAt;
    const sentAgeMs = order.unknownSince === undefined ? null : this.#now - order.unknownSince;
    if (isStatusCheck) order.statusChecks++;
    const { operation, capability } = order.call;
    const step = nextStep(
      providerStatus,
      {
        operation,
        ...CAPABILITIES[capability],
        notFoundBefore: order.notFound,
        ageMs,
        sentAgeMs,
        statusChecks: order.statusChecks,
      },
      POLICY,
    );
    switch (step.kind) {
      case 'settle':
      case 'refund':
        this.#resolve(index, step.kind === 'settle');
        return;
      case 'wait':
      case 'review': {
        if (!isStatusCheck) order.unknownSince = this.#now;
        order.unknownSince ??= this.#now;
        order.notFound = countsAsNotFound(providerStatus, sentAgeMs, POLICY) ? order.notFound + 1 : 0;
        if (isStatusCheck) order.quietUntil = this.#now + POLICY.scheduleMs[0]!;
        if (step.kind === 'review') order.state = 'review';
        order.dueAt = step.dueMs === null ? undefined : this.#now + step.dueMs;
      }
    }
  }

  #resolve(index: number, success: boolean): void {
    const order = this.#orders[index]!;
    this.#post(`order ${index}`, 2, success ? 0 : order.amount);
    order.state = success ? 'success' : 'failed';
    order.settledAt = this.#now;
    order.step = 2;
    const recheckMs = recheckAfter(order.call.operation, {
      ...CAPABILITIES[order.call.capability],
      recheckAfterMs: RECHECK_MS,
    });
    order.dueAt = success && recheckMs !== null ? this.#now + recheckMs : undefined;
    order.asked = order.quietUntil = 0;
    if (!success && !isPayment(order.call.operation)) order.key = null;
  }

  async sweep(): Promise<void> {
    if (Math.abs(this.#aheadMs) <= CLOCK_LIMIT_MS) this.#sweepAll();
  }

  #sweepAll(): void {
    this.#orders.forEach((order, index) => {
      if (order.dueAt === undefined || order.dueAt > this.#now) return;
      order.dueAt = order.quietUntil = this.#now + LEASE_MS;
      order.asked++;
      const providerStatus = this.#statusOf(index);
      if (order.state === 'open' || order.state === 'review') this.#apply(index, providerStatus, true);
      else if (order.state === 'success' && !order.reversed) this.#checkDoubt(index, providerStatus);
      else this.#checkRefunded(order, providerStatus);
    });
  }

  #statusOf(index: number): OutcomeKind {
    const order = this.#orders[index]!;
    if (mustBeClaimed(order) && claim(order, 'never send')) return 'declined';
    const canCheckStatus = isPayment(order.call.operation) && CAPABILITIES[order.call.capability].canCheckStatus;
    return canCheckStatus ? this.#world.checkStatus(index, this.#now - order.createdAt) : 'unknown';
  }

  #checkRefunded(order: Order, providerStatus: OutcomeKind): void {
    order.dueAt = order.doubtedSince = undefined;
    order.quietUntil = this.#now + POLICY.scheduleMs[0]!;
    if (providerStatus === 'accepted') order.conflicting = true;
  }

  #checkDoubt(index: number, providerStatus: OutcomeKind): void {
    const order = this.#orders[index]!;
    const sinceSettled = this.#now - order.settledAt;
    const routine = order.doubtedSince === undefined;
    let step = nextDoubtStep(
      providerStatus,
      {
        canCheckStatus: CAPABILITIES[order.call.capability].canCheckStatus,
        namesTransaction: providerStatus === 'accepted' || this.#world.reversed(index),
        routine,
        statusChecks: order.asked,
        ageMs: order.doubtedSince === undefined ? sinceSettled - RECHECK_MS : this.#now - order.doubtedSince,
      },
      POLICY,
    );
    if (providerStatus === 'accepted') order.byAdmins = false;
    if (step.kind === 'reverse' && order.byAdmins) step = { kind: 'over' };
    order.quietUntil = this.#now + POLICY.scheduleMs[0]!;
    const { canCheckStatus } = CAPABILITIES[order.call.capability];
    const recheckAt =
      canCheckStatus && !routine && sinceSettled < RECHECK_MS ? order.settledAt + RECHECK_MS : undefined;
    order.dueAt = step.kind === 'wait' ? this.#now + step.dueMs : step.kind === 'over' ? recheckAt : undefined;
    if (step.kind === 'over' || step.kind === 'review') order.doubtedSince = undefined;
    if (step.kind === 'review' || (step.kind === 'over' && providerStatus === 'declined')) order.conflicting = true;
    if (step.kind === 'reverse') this.#undo(index, 'reverse');
  }

  /** The next transfer of a payment, which reverses the previous one. */
  #undo(index: number, action: CorrectionKind): void {
    const order = this.#orders[index]!;
    this.#post(`order ${index}`, ++order.step, action === 'reverse' ? order.amount : -order.amount);
    order.state = 'success';
    order.reversed = action === 'reverse';
    order.conflicting = false;
    order.dueAt = order.doubtedSince = undefined;
    order.quietUntil = 0;
  }

  async callback(index: number, status: string): Promise<void> {
    const order = this.#orders[index];
    if (!order || !isPayment(order.call.operation)) return;
    if (status === 'success' && (order.state === 'failed' || order.reversed)) order.conflicting = true;
    const isConflicting =
      order.state === 'success' && !order.reversed && (status === 'failure' || status === 'unexpected');
    if (isConflicting) order.doubtedSince = this.#now;
    const pending =
      (order.state === 'open' && order.unknownSince !== undefined) ||
      (order.state === 'review' && order.dueAt !== undefined);
    if (!isConflicting && !pending) return;
    order.asked = 0;
    order.dueAt = Math.min(order.dueAt ?? Number.POSITIVE_INFINITY, Math.max(this.#now, order.quietUntil));
  }

  async resolve(index: number, success: boolean, admin: number): Promise<AdminResult> {
    const order = this.#orders[index]!;
    if (!isPayment(order.call.operation)) return { result: 'no_such_order' };
    if (order.conflicting) {
      if (success !== (order.state === 'success' && !order.reversed)) return { result: 'wrong_state' };
      order.conflicting = false;
      order.byAdmins = true;
      return { result: 'confirmed' };
    }
    if (order.state !== 'review') return { result: 'wrong_state' };
    if (order.amount > SINGLE_ADMIN_PAISE) {
      if (order.approvalRequest?.success !== success) {
        order.approvalRequest = { success, person: admin };
        return { result: 'requested' };
      }
      if (order.approvalRequest.person === admin) return { result: 'same_person' };
    }
    this.#resolve(index, success);
    order.byAdmins = true;
    return { result: 'executed', line: success ? null : this.#line('refund', order.amount) };
  }

  async correct(action: CorrectionKind, index: number, admin: number): Promise<AdminResult> {
    const order = this.#orders[index]!;
    if (!isPayment(order.call.operation)) return { result: 'no_such_order' };
    const { corrections, state, reversed, amount } = order;
    const isPossible = action === 'reverse' ? state === 'success' && !reversed : state === 'failed' || reversed;
    const requestedBy = corrections.get(action);
    if (requestedBy === admin) return { result: 'same_person' };
    if (!isPossible) return { result: 'wrong_state' };
    if (requestedBy === undefined) {
      corrections.set(action, admin);
      return { result: 'requested' };
    }
    if (action === 'refund_reversal' && amount > this.#balance) return { result: 'insufficient' };
    if (action === 'refund_reversal' && state === 'failed' && this.#isBillTaken(order.call))
      return { result: 'bill_paid' };
    corrections.delete(action);
    order.byAdmins = true;
    this.#undo(index, action);
    const line = action === 'reverse' ? this.#line('reversal', amount) : this.#line('refund_reversal', -amount);
    return { result: 'executed', line };
  }

  async debit(amount: number, reference: number, admin: number): Promise<AdminResult> {
    const earlier = this.#debits.get(reference);
    if (!earlier) {
      this.#debits.set(reference, { amount, person: admin });
      return { result: 'requested' };
    }
    if (earlier.amount !== amount) return { result: 'reference_taken' };
    if (earlier.person === null) return { result: 'repeated' };
    if (earlier.person === admin) return { result: 'same_person' };
    if (amount > this.#balance) return { result: 'insufficient' };
    earlier.person = null;
    this.#post(`debit ${reference}`, 1, -amount);
    return { result: 'executed', line: this.#line('debit', -amount) };
  }

  #line(kind: Line['kind'], amount: number): Line {
    return { kind, amount, balance: this.#balance };
  }

  async requestCheck(index: number): Promise<CheckResult> {
    const order = this.#orders[index]!;
    if (!isPayment(order.call.operation)) return 'no_such_order';
    if (!CAPABILITIES[order.call.capability].canCheckStatus) return 'cannot_be_asked';
    if (order.state === 'open' && order.unknownSince === undefined) return 'sending';
    order.asked = 0;
    order.dueAt = Math.min(order.dueAt ?? Number.POSITIVE_INFINITY, Math.max(this.#now, order.quietUntil));
    if (order.state === 'success' || order.state === 'failed') order.doubtedSince = this.#now;
    return 'asked';
  }

  clock(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }

  elapsedMs(): number {
    return 0;
  }

  async lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'> {
    const status = leadStatusOf(word);
    const earlier = this.#leads.get(lead);
    if (status === undefined || status === earlier?.status) return { charged: 0 };
    const charged = status === 'approved' && !earlier?.approvedOnce ? LEAD_FEE : 0;
    if (charged > this.#balance) return 'insufficient';
    if (charged > 0) this.#post(`lead ${lead}`, 1, -charged);
    this.#leads.set(lead, { status, approvedOnce: (earlier?.approvedOnce ?? false) || status === 'approved' });
    return { charged };
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
  }

  async snapshot(): Promise<Snapshot> {
    return {
      balance: this.#balance,
      orders: this.#orders.map(({ state, reversed, conflicting }) => ({ state, reversed, conflicting })),
    };
  }

  async violations(): Promise<string[]> {
    const sum = [...this.#transfers.values()].reduce((total, change) => total + change, 0);
    if (sum !== this.#balance) this.#violations.push(`balance ${this.#balance}, transfers ${sum}`);
    this.#orders.forEach(({ state, reversed, step, amount }, index) => {
      const resolved = this.#transfers.has(`order ${index}/2`);
      if (resolved !== (state === 'success' || state === 'failed')) this.#violations.push(`order ${index} is ${state}`);
      const steps = Array.from(
        { length: step },
        (_, before) => this.#transfers.get(`order ${index}/${before + 1}`) ?? 0,
      );
      const charged = -steps.reduce((total, change) => total + change, 0);
      if (charged !== (state === 'failed' || reversed ? 0 : amount))
        this.#violations.push(`order ${index} has ${charged}`);
    });
    return this.#violations;
  }

  /** One transfer; `change` is its effect on the wallet. */
  #post(subject: string, step: number, change: number): void {
    const id = `${subject}/${step}`;
    if (this.#transfers.has(id)) this.#violations.push(`${id} was posted twice`);
    this.#transfers.set(id, change);
    this.#balance += change;
    if (this.#balance < 0) this.#violations.push(`${id} overdraws the wallet`);
  }
}

function resultOf({ state, reversed }: Order): CallResult {
  if (reversed) return 'reversed';
  return state === 'success' || state === 'failed' ? state : 'pending';
}

const mustBeClaimed = ({ call }: Order): boolean =>
  isPayment(call.operation) && !CAPABILITIES[call.capability].canCheckStatus;

/** The first claim applies; the claim of a sweeper can be repeated by the next sweeper. */
function claim(order: Order, purpose: 'send' | 'never send'): boolean {
  const isFree = order.claimed === undefined || (purpose === 'never send' && order.claimed === 'never send');
  if (order.state !== 'open' || !isFree) return false;
  order.claimed = purpose;
  return true;
}
