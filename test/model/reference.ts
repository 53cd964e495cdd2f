import { AMOUNTS, type Call, LEAD_FEE, LOOKUP_FEE } from './commands.js';
import {
  ADVANCES,
  type CallResult,
  CLOCK_LIMIT_MS,
  LEASE_MS,
  LOOKUP_KEY_MS,
  POLICY,
  RECHECK_MS,
  type Snapshot,
} from './machine.js';
import { type Event, type Order, orderOf } from './reference-order.js';
import type { Exchange, World } from './world.js';

/**
 * The reference: the correct state after each command, from the messages received and the real events. It does not know leases,
 * due times, database keys, versions or batches. Of the times of status checks it only knows those that were requested.
 */
export class Reference {
  balance = 0;
  /** Events by name. A run in which an event never happened does not test it. */
  readonly events = new Map<Event, number>();
  readonly orders: Order[] = [];
  readonly #world: World;
  readonly #references = new Set<number>();
  readonly #leads = new Map<number, { status: string; approvedOnce: boolean }>();
  #aheadMs = 0;
  now = 0;

  constructor(world: World) {
    this.#world = world;
  }

  topUp(amount: number, reference: number): 'posted' | 'duplicate' {
    if (this.#references.has(reference)) return 'duplicate';
    this.#references.add(reference);
    this.balance += amount;
    return 'posted';
  }

  /** Result of a call before anything is sent: an error, a replay of an order, or a new order. */
  place(call: Call): 'insufficient' | 'key_reused' | 'bill_taken' | Order {
    const earlier = call.key === null ? undefined : this.orders.findLast((order) => this.#holdsKey(order, call));
    if (earlier) {
      const reused = call.operation === 'recharge' && !sameRequest(earlier.call, call);
      this.note(reused ? 'key reused' : 'repetition');
      return reused ? 'key_reused' : earlier;
    }
    const amount = call.operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[call.body]!;
    if (amount > this.balance) {
      this.note('insufficient');
      return 'insufficient';
    }
    if (this.isBillPaid(call)) {
      this.note('bill taken');
      return 'bill_taken';
    }
    if (!this.#isClockRight()) this.note('placed by a wrong clock');
    this.balance -= amount;
    const order = orderOf(call, amount, this.now);
    this.orders.push(order);
    return order;
  }

  /** Another payment of the same bill has its money, or may have it: only a failed payment releases the bill. */
  isBillPaid({ operation, bill }: Call): boolean {
    return (
      operation === 'card_payment' &&
      this.orders.some(({ call, state }) => call.operation === operation && call.bill === bill && state !== 'failed')
    );
  }

  /** Orders that need review: their outcome is unknown, or their provider status conflicts. */
  *waiting(): Generator<number> {
    for (const [index, { state, conflicting }] of this.orders.entries())
      if (state === 'review' || conflicting) yield index;
  }

  resultOf({ state, reversed }: Order): CallResult {
    if (reversed) return 'reversed';
    return state === 'success' || state === 'failed' ? state : 'pending';
  }

  /** Age of an order by the database clock. */
  ageOf(index: number): number {
    return this.now - this.orders[index]!.acceptedAt;
  }

  /** A result arrived from a provider. */
  recordExchange({ order: index, kind, status: providerStatus, named, ageMs }: Exchange): void {
    const order = this.orders[index]!;
    const died = kind === 'send' && order.call.crash !== 'no';
    if (died) return; // the process had stopped, so it received nothing
    order.outcomeKnown = true;
    if (kind === 'status_check')
      Object.assign(order, { checkRequested: false, checkedAt: this.now, asked: order.asked + 1 });
    if (order.state === 'success' || order.state === 'failed')
      return this.#recordForFinal(order, providerStatus, named);
    if (providerStatus === 'accepted')
      return this.#settle(index, kind === 'send' ? 'settled by answer' : 'settled by status check');
    if (providerStatus === 'declined' || order.call.operation === 'lookup')
      return this.#refund(index, kind === 'send' ? 'refunded by answer' : 'refunded by status check');
    const { capability } = order.call;
    const sentAgeMs = order.unknownAt === undefined ? -1 : this.now - order.unknownAt;
    order.unknownAt ??= this.now;
    const counts = kind === 'status_check' && providerStatus === 'not_found' && sentAgeMs >= POLICY.visibilityDelayMs;
    order.notFound = counts ? order.notFound + 1 : 0;
    if (counts && order.notFound >= 2 && capability === 'direct') return this.#refund(index, 'refunded as not found');
    if (order.state === 'review') return;
    // the second check is requested as soon as one status check may follow another
    if (counts && capability === 'direct' && ageMs < POLICY.manualReviewAfterMs) order.checkRequested = true;
    if (capability === 'silent') this.#review(order, 'review after silence');
    else if (ageMs >= POLICY.manualReviewAfterMs) this.#review(order, 'review after a day');
  }

  /**
   * Only a decline with a transaction ID reverses a success, unless it may be older than a resolution by admins: then it
   * conflicts. A decline without an ID conflicts once it was repeated for a day. A provider that reports a refunded payment as
   * processed conflicts too, and moves no money.
   */
  #recordForFinal(order: Order, providerStatus: Exchange['status'], named: boolean): void {
    if (order.state === 'failed' || order.reversed) {
      if (providerStatus === 'accepted') this.#recordConflict(order, 'conflicting by a status check');
      order.doubtedAt = undefined;
      return;
    }
    if (providerStatus === 'accepted') order.byAdmins = false;
    if (providerStatus === 'declined' && named && order.byAdmins) {
      Object.assign(order, { doubtedAt: undefined, announced: false, silentlyReversed: false });
      this.#recordConflict(order, 'conflicting by a status check');
      return;
    }
    if (providerStatus === 'declined' && named) {
      Object.assign(order, { reversed: true, conflicting: false, doubtedAt: undefined });
      this.balance += order.amount;
      this.note(order.silentlyReversed ? 'reversed without a word' : 'reversed');
      return;
    }
    const doubtedFor = this.now - (order.doubtedAt ?? order.settledAt + RECHECK_MS);
    const isOver = doubtedFor >= POLICY.manualReviewAfterMs;
    if (isOver && providerStatus === 'declined') this.#recordConflict(order, 'conflicting by a status check');
    if (isOver || (providerStatus === 'accepted' && (order.doubtedAt === undefined || order.asked >= 3)))
      order.doubtedAt = undefined;
  }

  /** Moves no money. The announced change must be confirmed by a status check, if one is possible within a day. */
  callback(index: number, status: string): void {
    const order = this.orders[index];
    if (!order || order.call.operation === 'lookup') return;
    const wasRefunded = order.state === 'failed' || order.reversed;
    if (wasRefunded && status === 'success') this.#recordConflict(order, 'conflicting by a callback');
    const canCheckStatus = order.call.capability !== 'silent';
    if (order.state === 'open' || order.state === 'review')
      order.checkRequested ||= order.outcomeKnown && canCheckStatus;
    if (order.state !== 'success' || order.reversed || (status !== 'failure' && status !== 'unexpected')) return;
    Object.assign(order, { checkRequested: true, doubtedAt: this.now, asked: 0 });
    order.announced ||= this.#world.reversed(index) && canCheckStatus;
  }

  /**
   * The provider reverses a transaction. A success is rechecked once, which finds the reversal unless the provider shows it late.
   */
  reverse(index: number, lateBy: number): void {
    const order = this.orders[index]!;
    if (order.state !== 'success' || !this.#world.hasProcessed(index) || this.#world.reversed(index)) return;
    const checkedSoon = order.call.operation !== 'lookup' && order.call.capability !== 'silent' && !order.corrected;
    order.silentlyReversed = checkedSoon && lateBy === 0 && this.now < order.settledAt + RECHECK_MS;
  }

  *silentReversals(): Generator<number> {
    for (const [index, { silentlyReversed, reversed }] of this.orders.entries())
      if (silentlyReversed && !reversed) yield index;
  }

  *missedReversals(): Generator<number> {
    for (const [index, { announced, reversed }] of this.orders.entries()) if (announced && !reversed) yield index;
  }

  advance(by: keyof typeof ADVANCES): void {
    this.now += ADVANCES[by];
    if (by === 'day') for (const order of this.orders) order.announced = false;
  }

  /** The clock of the process jumps. This only affects which process sweeps. */
  clock(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }

  #isClockRight(): boolean {
    return Math.abs(this.#aheadMs) <= CLOCK_LIMIT_MS;
  }

  /** A round of the sweeper, with all results that it received. Returns missing and unexpected actions. */
  sweep(stepMs: number, exchanges: readonly Exchange[]): string[] {
    if (!this.#isClockRight()) {
      this.note('left alone by a wrong clock');
      return exchanges.map(({ order }) => `a process with a wrong clock asked about order ${order}`);
    }
    if (stepMs !== 0 && exchanges.length > 0) this.note('swept by a clock that made a step');
    const due = [...this.orders.entries()].filter(
      ([, order]) => order.call.capability !== 'silent' && this.#isDue(order),
    );
    for (const exchange of exchanges) this.recordExchange(exchange);
    this.sweepUnchecked();
    return due
      .filter(([index]) => !exchanges.some(({ order }) => order === index))
      .map(([index]) => `nobody asked about order ${index}`);
  }

  #isDue({ checkRequested: isRequested, checkedAt }: Order): boolean {
    return isRequested && this.now - checkedAt >= POLICY.scheduleMs[0]!;
  }

  /** Effect of a round of the sweeper on orders whose providers have no status check. */
  sweepUnchecked(): void {
    for (const order of this.orders) this.#reviewUnchecked(order);
    this.#sweepAbandoned();
  }

  /** A success in doubt at a provider without a status check needs manual review. */
  #reviewUnchecked(order: Order): void {
    if (order.call.capability !== 'silent' || !this.#isDue(order)) return;
    const isDoubted = order.doubtedAt !== undefined && order.state === 'success' && !order.reversed;
    Object.assign(order, { checkRequested: false, doubtedAt: undefined, checkedAt: this.now });
    if (isDoubted) this.#recordConflict(order, 'conflicting without a status check');
  }

  /**
   * Orders whose process stopped while sending, at providers without a status check: unsent orders are refunded, all others need
   * review.
   */
  #sweepAbandoned(): void {
    this.orders.forEach((order, index) => {
      if (order.state !== 'open' || order.outcomeKnown || this.now - order.acceptedAt < LEASE_MS) return;
      const { operation, capability, crash, sweeper } = order.call;
      if (operation === 'lookup') this.#refund(index, 'lookup refunded after a death');
      else if (crash === 'before_claim') this.#refund(index, 'given back as never sent after a death');
      else if (sweeper !== 'away') this.#refund(index, 'given back before a slow process could send');
      else if (capability === 'silent') this.#review(order, 'review after silence');
    });
  }

  /** A sweeper met a slow process that was about to send an order: only the first one to claim it may process it. */
  metSweeper(order: Order): void {
    this.now += LEASE_MS;
    if (this.#world.sent(this.orders.indexOf(order))) this.note('claimed by the process that sends');
  }

  /** An admin resolved an order. */
  resolve(order: Order, success: boolean): void {
    if (!this.#isClockRight()) this.note('decided by a wrong clock');
    order.byAdmins = true;
    this.#close(order, success ? 'success' : 'failed');
  }

  lead(lead: number, word: string): { charged: number } | 'insufficient' {
    const isKnown = ['pending', 'submitted', 'success', 'approved', 'failed', 'rejected'].includes(word);
    const earlier = this.#leads.get(lead) ?? { status: '', approvedOnce: false };
    if (!isKnown || earlier.status === word) return { charged: 0 };
    const charged = word === 'approved' && !earlier.approvedOnce ? LEAD_FEE : 0;
    if (charged > this.balance) {
      this.note('lead fee unpaid');
      return 'insufficient';
    }
    if (charged > 0) this.note('lead fee');
    this.balance -= charged;
    this.#leads.set(lead, { status: word, approvedOnce: earlier.approvedOnce || word === 'approved' });
    return { charged };
  }

  snapshot(): Snapshot {
    return {
      balance: this.balance,
      orders: this.orders.map(({ state, reversed, conflicting }) => ({ state, reversed, conflicting })),
    };
  }

  readonly note = (event: Event): void => {
    this.events.set(event, (this.events.get(event) ?? 0) + 1);
  };

  /**
   * The key of a lookup applies while it is in progress and for ten minutes after a success; all other keys apply permanently.
   */
  #holdsKey(order: Order, { operation, key }: Call): boolean {
    if (order.call.operation !== operation || order.call.key !== key) return false;
    if (operation !== 'lookup' || order.state === 'open') return true;
    return order.state === 'success' && this.now - order.settledAt < LOOKUP_KEY_MS;
  }

  #recordConflict(order: Order, event: Event): void {
    if (!order.conflicting) this.note(event);
    order.conflicting = true;
  }

  #review(order: Order, event: Event): void {
    order.state = 'review';
    this.note(event);
  }

  #settle(index: number, event: Event): void {
    if (!this.#world.hasProcessed(index)) throw new Error(`Order ${index} was settled and never processed.`);
    this.#close(this.orders[index]!, 'success');
    this.note(event);
  }

  #refund(index: number, event: Event): void {
    const order = this.orders[index]!;
    // must never happen: a refund for a payment that the customer received
    if (order.call.operation !== 'lookup' && this.#world.hasProcessed(index) && !this.#world.reversed(index))
      throw new Error(`Order ${index} would be refunded although it was processed.`);
    this.#close(order, 'failed');
    this.balance += order.amount;
    this.note(event);
  }

  #close(order: Order, state: 'success' | 'failed'): void {
    if (order.state !== 'open' && order.state !== 'review') throw new Error('An order would be resolved twice.');
    Object.assign(order, { state, settledAt: this.now, checkRequested: false, asked: 0 });
  }
}

/** The provider is chosen by an admin and is not part of the request. */
const sameRequest = (a: Call, b: Call): boolean => a.body === b.body;
