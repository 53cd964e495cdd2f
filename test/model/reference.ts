import { ALONE_PAISE, AMOUNTS, type Call, LEAD_FEE, LOOKUP_FEE } from './commands.js';
import { ADVANCES, type Heard, LEASE_MS, LOOKUP_KEY_MS, POLICY, RECHECK_MS, type Snapshot } from './machine.js';
import type { Exchange, World } from './world.js';

interface Order {
  call: Call;
  amount: number;
  state: Snapshot['orders'][number]['state'];
  reversed: boolean;
  /** The outcome of the send is known, or known to be unknown; false after a crash. */
  answered: boolean;
  acceptedAt: number;
  settledAt: number;
  /** Enquiries in a row that found nothing, past the visibility delay. */
  notFound: number;
  proposal?: { success: boolean; person: number };
  /** A callback told of its reversal, and there is still time to ask. */
  announced: boolean;
  /** Taken back before it is checked again, and nobody said so. */
  silentlyReversed: boolean;
}

export const events = [
  'insufficient',
  'key reused',
  'repetition',
  'settled by answer',
  'settled by enquiry',
  'refunded by answer',
  'refunded by enquiry',
  'refunded as not found',
  'lookup refunded after a death',
  'review after silence',
  'review after a day',
  'decided by one',
  'decided by two',
  'reversed',
  'reversed without a word',
  'lead fee',
  'lead fee unpaid',
] as const;
type Event = (typeof events)[number];

/**
 * The reference: what must be true after each command, from what was heard and from what really happened. It knows no leases,
 * due times, keys of the database, versions or batches, and says nothing about when the system asks.
 */
export class Reference {
  balance = 0;
  /** What happened, by name: a run in which something never happened proved nothing about it. */
  readonly events = new Map<Event, number>();
  readonly orders: Order[] = [];
  readonly #world: World;
  readonly #references = new Set<number>();
  readonly #leads = new Map<number, { status: string; approvedOnce: boolean }>();
  #now = 0;

  constructor(world: World) {
    this.#world = world;
  }

  topUp(amount: number, reference: number): 'posted' | 'duplicate' {
    if (this.#references.has(reference)) return 'duplicate';
    this.#references.add(reference);
    this.balance += amount;
    return 'posted';
  }

  /** What becomes of a call before anything is sent: refused, a repetition of an order, or a new one. */
  place(call: Call): 'insufficient' | 'key_reused' | Order {
    const earlier = call.key === null ? undefined : this.orders.findLast((order) => this.#holdsKey(order, call));
    if (earlier) {
      const reused = call.operation === 'recharge' && !sameRequest(earlier.call, call);
      this.#note(reused ? 'key reused' : 'repetition');
      return reused ? 'key_reused' : earlier;
    }
    const amount = call.operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[call.body]!;
    if (amount > this.balance) {
      this.#note('insufficient');
      return 'insufficient';
    }
    this.balance -= amount;
    const order: Order = {
      call,
      amount,
      state: 'open',
      reversed: false,
      answered: false,
      acceptedAt: this.#now,
      settledAt: 0,
      notFound: 0,
      announced: false,
      silentlyReversed: false,
    };
    this.orders.push(order);
    return order;
  }

  /** The orders that wait for a person. */
  *inReview(): Generator<number> {
    for (const [index, { state }] of this.orders.entries()) if (state === 'review') yield index;
  }

  heardOf({ state, reversed }: Order): Heard {
    if (reversed) return 'reversed';
    return state === 'success' || state === 'failed' ? state : 'pending';
  }

  /** Something was heard from a provider. */
  learn({ order: index, kind, said, named, ageMs }: Exchange): void {
    const order = this.orders[index]!;
    const died = kind === 'send' && order.call.crash !== 'no';
    if (died) return; // nobody was there to hear it
    order.answered = true;
    if (order.state === 'success' && !order.reversed && said === 'declined' && named) {
      order.reversed = true;
      this.balance += order.amount;
      this.#note(order.silentlyReversed ? 'reversed without a word' : 'reversed');
    }
    if (order.state !== 'open' && order.state !== 'review') return;
    if (said === 'accepted') return this.#settle(index, kind === 'send' ? 'settled by answer' : 'settled by enquiry');
    if (said === 'declined' || order.call.operation === 'lookup')
      return this.#refund(index, kind === 'send' ? 'refunded by answer' : 'refunded by enquiry');
    const { capability } = order.call;
    const counts = kind === 'enquiry' && said === 'not_found' && ageMs >= POLICY.visibilityDelayMs;
    order.notFound = counts ? order.notFound + 1 : 0;
    if (counts && order.notFound >= 2 && capability === 'direct') return this.#refund(index, 'refunded as not found');
    if (order.state === 'review') return;
    if (capability === 'silent') this.#review(order, 'review after silence');
    else if (ageMs >= POLICY.giveUpAfterMs) this.#review(order, 'review after a day');
  }

  /** Moves nothing. What it announces has to be found out, if anybody can be asked within a day. */
  callback(index: number, says: string): void {
    const order = this.orders[index];
    if (order?.state === 'success' && this.#world.reversed(index) && (says === 'failure' || says === 'unexpected'))
      order.announced = order.call.capability !== 'silent';
  }

  /** The provider takes a transaction back. A success is asked about once more, so it is found out, unless the provider is late to know. */
  reverse(index: number, lateBy: number): void {
    const order = this.orders[index]!;
    if (order.state !== 'success' || !this.#world.performed(index) || this.#world.reversed(index)) return;
    const askedAgain = order.call.operation !== 'lookup' && order.call.capability !== 'silent';
    order.silentlyReversed = askedAgain && lateBy === 0 && this.#now < order.settledAt + RECHECK_MS;
  }

  *silentReversals(): Generator<number> {
    for (const [index, { silentlyReversed, reversed }] of this.orders.entries())
      if (silentlyReversed && !reversed) yield index;
  }

  *missedReversals(): Generator<number> {
    for (const [index, { announced, reversed }] of this.orders.entries()) if (announced && !reversed) yield index;
  }

  advance(by: keyof typeof ADVANCES): void {
    this.#now += ADVANCES[by];
    if (by === 'day') for (const order of this.orders) order.announced = false;
  }

  /** Orders that died while they were sent, at providers that nobody asks: a lookup's fee goes back, a payment goes to a person. */
  sweep(): void {
    this.orders.forEach((order, index) => {
      if (order.state !== 'open' || order.answered || this.#now - order.acceptedAt < LEASE_MS) return;
      if (order.call.operation === 'lookup') this.#refund(index, 'lookup refunded after a death');
      else if (order.call.capability === 'silent') this.#review(order, 'review after silence');
    });
  }

  decide(index: number, success: boolean, person: number): 'executed' | 'proposed' | 'same_person' | 'not_in_review' {
    const order = this.orders[index]!;
    if (order.state !== 'review') return 'not_in_review';
    const { proposal } = order;
    const alone = order.amount <= ALONE_PAISE;
    if (!alone && proposal?.success === success && proposal.person === person) return 'same_person';
    if (!alone && proposal?.success !== success) {
      order.proposal = { success, person };
      return 'proposed';
    }
    order.state = success ? 'success' : 'failed';
    order.settledAt = this.#now;
    if (!success) this.balance += order.amount;
    this.#note(alone ? 'decided by one' : 'decided by two');
    return 'executed';
  }

  lead(lead: number, word: string): { charged: number } | 'insufficient' {
    const known = ['pending', 'submitted', 'success', 'approved', 'failed', 'rejected'].includes(word);
    const before = this.#leads.get(lead) ?? { status: '', approvedOnce: false };
    if (!known || before.status === word) return { charged: 0 };
    const charged = word === 'approved' && !before.approvedOnce ? LEAD_FEE : 0;
    if (charged > this.balance) {
      this.#note('lead fee unpaid');
      return 'insufficient';
    }
    if (charged > 0) this.#note('lead fee');
    this.balance -= charged;
    this.#leads.set(lead, { status: word, approvedOnce: before.approvedOnce || word === 'approved' });
    return { charged };
  }

  snapshot(): Snapshot {
    return { balance: this.balance, orders: this.orders.map(({ state, reversed }) => ({ state, reversed })) };
  }

  /** A lookup's key protects while it is under way and for ten minutes after a success; others for ever. */
  #holdsKey(order: Order, { operation, key }: Call): boolean {
    if (order.call.operation !== operation || order.call.key !== key) return false;
    if (operation !== 'lookup' || order.state === 'open') return true;
    return order.state === 'success' && this.#now - order.settledAt < LOOKUP_KEY_MS;
  }

  #note(event: Event): void {
    this.events.set(event, (this.events.get(event) ?? 0) + 1);
  }

  #review(order: Order, event: Event): void {
    order.state = 'review';
    this.#note(event);
  }

  #settle(index: number, event: Event): void {
    if (!this.#world.performed(index)) throw new Error(`Order ${index} was settled and never performed.`);
    this.#close(index, 'success');
    this.#note(event);
  }

  #refund(index: number, event: Event): void {
    const order = this.orders[index]!;
    // the one thing that must never happen: money back for what the customer got
    if (order.call.operation !== 'lookup' && this.#world.performed(index) && !this.#world.reversed(index))
      throw new Error(`Order ${index} would be refunded although it was performed.`);
    this.#close(index, 'failed');
    this.balance += order.amount;
    this.#note(event);
  }

  #close(index: number, state: 'success' | 'failed'): void {
    const order = this.orders[index]!;
    if (order.state !== 'open' && order.state !== 'review') throw new Error(`Order ${index} would be resolved twice.`);
    order.state = state;
    order.settledAt = this.#now;
  }
}

/** The provider is chosen by an admin and is no part of the request. */
const sameRequest = (a: Call, b: Call): boolean => a.body === b.body;
