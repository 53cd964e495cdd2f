import { leadStatusOf } from '../../src/leads/lead.status.js';
import {
  type Answer,
  askAgainAfter,
  countsAsNotFound,
  isPayment,
  nextDoubtStep,
  nextStep,
} from '../../src/orders/states.js';
import { ALONE_PAISE, AMOUNTS, type Call, LEAD_FEE, LOOKUP_FEE } from './commands.js';
import {
  type Heard,
  LEASE_MS,
  LOOKUP_KEY_MS,
  type Machine,
  POLICY,
  RECHECK_MS,
  type Seen,
  type Snapshot,
} from './machine.js';
import type { World } from './world.js';

interface Order {
  call: Call;
  amount: number;
  key: number | null;
  state: 'open' | 'success' | 'failed' | 'review';
  reversed: boolean;
  createdAt: number;
  settledAt: number;
  unknownSince: number | undefined;
  dueAt: number | undefined;
  quietUntil: number;
  doubtedSince: number | undefined;
  asked: number;
  enquiries: number;
  notFound: number;
  proposal?: { success: boolean; person: number };
}

const CAPABILITIES = {
  direct: { canEnquire: true, notFoundIsFinal: true },
  silent: { canEnquire: false, notFoundIsFinal: false },
  cautious: { canEnquire: true, notFoundIsFinal: false },
} as const;

/**
 * The money state machine of src/orders/states.ts with nothing around it: orders and a wallet in memory, time that stands still
 * until it is advanced. Every posting is a transfer, and no two may have the same subject and step.
 */
export class PureMachine implements Machine {
  readonly #world: World;
  readonly #orders: Order[] = [];
  readonly #transfers = new Map<string, number>();
  readonly #references = new Set<number>();
  readonly #leads = new Map<number, { status: string; approvedOnce: boolean }>();
  readonly #broken: string[] = [];
  #balance = 0;
  #now = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'> {
    if (this.#references.has(reference)) return 'duplicate';
    this.#references.add(reference);
    this.#post(`top-up ${reference}`, 1, amount);
    return 'posted';
  }

  async call(call: Call): Promise<Seen[]> {
    return Array.from({ length: call.times }, () => this.#place(call));
  }

  #place(call: Call): Seen {
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
      return { heard: other ? 'key_reused' : heardOf(earlier), replayed: true };
    }
    const amount = operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[body]!;
    if (amount > this.#balance) return { heard: 'insufficient', replayed: false };
    const index = this.#world.accept(call);
    this.#post(`order ${index}`, 1, -amount);
    const order: Order = {
      call,
      amount,
      key,
      state: 'open',
      reversed: false,
      createdAt: this.#now,
      settledAt: 0,
      unknownSince: undefined,
      dueAt: this.#now + LEASE_MS,
      quietUntil: 0,
      doubtedSince: undefined,
      asked: 0,
      enquiries: 0,
      notFound: 0,
    };
    this.#orders.push(order);
    if (call.crash === 'before_send') return { heard: 'died', replayed: false };
    const said = this.#world.send(index);
    if (call.crash === 'after_send') return { heard: 'died', replayed: false };
    this.#apply(index, said, false);
    return { heard: heardOf(order), replayed: false };
  }

  /** What an answer makes of an open order. */
  #apply(index: number, said: Answer, isEnquiry: boolean): void {
    const order = this.#orders[index]!;
    const ageMs = this.#now - order.createdAt;
    if (isEnquiry) order.enquiries++;
    const { operation, capability } = order.call;
    const step = nextStep(
      said,
      { operation, ...CAPABILITIES[capability], notFoundBefore: order.notFound, ageMs, enquiries: order.enquiries },
      POLICY,
    );
    switch (step.kind) {
      case 'settle':
      case 'refund':
        this.#resolve(index, step.kind === 'settle');
        return;
      case 'wait':
      case 'review': {
        order.unknownSince ??= this.#now;
        if (countsAsNotFound(said, ageMs, POLICY)) order.notFound++;
        else if (isEnquiry) order.notFound = 0;
        if (isEnquiry) order.quietUntil = this.#now + POLICY.scheduleMs[0]!;
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
    const askAgainMs = askAgainAfter(order.call.operation, {
      ...CAPABILITIES[order.call.capability],
      recheckAfterMs: RECHECK_MS,
    });
    order.dueAt = success && askAgainMs !== null ? this.#now + askAgainMs : undefined;
    order.asked = order.quietUntil = 0;
    if (!success && !isPayment(order.call.operation)) order.key = null;
  }

  async sweep(): Promise<void> {
    this.#orders.forEach((order, index) => {
      if (order.dueAt === undefined || order.dueAt > this.#now) return;
      order.dueAt = order.quietUntil = this.#now + LEASE_MS;
      order.asked++;
      const { canEnquire } = CAPABILITIES[order.call.capability];
      const said =
        isPayment(order.call.operation) && canEnquire
          ? this.#world.enquire(index, this.#now - order.createdAt)
          : 'unknown';
      if (order.state === 'success') this.#checkDoubt(index, said);
      else this.#apply(index, said, true);
    });
  }

  #checkDoubt(index: number, said: Answer): void {
    const order = this.#orders[index]!;
    const sinceSettled = this.#now - order.settledAt;
    const routine = order.doubtedSince === undefined;
    const step = nextDoubtStep(
      said,
      {
        canEnquire: CAPABILITIES[order.call.capability].canEnquire,
        namesTransaction: said === 'accepted' || this.#world.reversed(index),
        routine,
        asked: order.asked,
        ageMs: order.doubtedSince === undefined ? sinceSettled - RECHECK_MS : this.#now - order.doubtedSince,
      },
      POLICY,
    );
    order.quietUntil = this.#now + POLICY.scheduleMs[0]!;
    const recheckAt = !routine && sinceSettled < RECHECK_MS ? order.settledAt + RECHECK_MS : undefined;
    order.dueAt = step.kind === 'wait' ? this.#now + step.dueMs : step.kind === 'over' ? recheckAt : undefined;
    if (step.kind === 'over') order.doubtedSince = undefined;
    if (step.kind !== 'reverse') return;
    this.#post(`order ${index}`, 3, order.amount);
    order.reversed = true;
  }

  async callback(index: number, says: string): Promise<void> {
    const order = this.#orders[index];
    if (!order || !isPayment(order.call.operation)) return;
    const contradicts = order.state === 'success' && !order.reversed && (says === 'failure' || says === 'unexpected');
    if (contradicts) order.doubtedSince = this.#now;
    const undecided =
      (order.state === 'open' && order.unknownSince !== undefined) ||
      (order.state === 'review' && order.dueAt !== undefined);
    if (!contradicts && !undecided) return;
    order.asked = 0;
    order.dueAt = Math.min(order.dueAt ?? Number.POSITIVE_INFINITY, Math.max(this.#now, order.quietUntil));
  }

  async decide(
    index: number,
    success: boolean,
    person: number,
  ): Promise<'executed' | 'proposed' | 'same_person' | 'not_in_review'> {
    const order = this.#orders[index]!;
    if (order.state !== 'review') return 'not_in_review';
    if (order.amount > ALONE_PAISE) {
      if (order.proposal?.success !== success) {
        order.proposal = { success, person };
        return 'proposed';
      }
      if (order.proposal.person === person) return 'same_person';
    }
    this.#resolve(index, success);
    return 'executed';
  }

  async lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'> {
    const status = leadStatusOf(word);
    const before = this.#leads.get(lead);
    if (status === undefined || status === before?.status) return { charged: 0 };
    const charged = status === 'approved' && !before?.approvedOnce ? LEAD_FEE : 0;
    if (charged > this.#balance) return 'insufficient';
    if (charged > 0) this.#post(`lead ${lead}`, 1, -charged);
    this.#leads.set(lead, { status, approvedOnce: (before?.approvedOnce ?? false) || status === 'approved' });
    return { charged };
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
  }

  async snapshot(): Promise<Snapshot> {
    return { balance: this.#balance, orders: this.#orders.map(({ state, reversed }) => ({ state, reversed })) };
  }

  async violations(): Promise<string[]> {
    const sum = [...this.#transfers.values()].reduce((total, change) => total + change, 0);
    if (sum !== this.#balance) this.#broken.push(`balance ${this.#balance}, transfers ${sum}`);
    this.#orders.forEach(({ state, reversed }, index) => {
      const resolved = this.#transfers.has(`order ${index}/2`);
      if (resolved !== (state === 'success' || state === 'failed')) this.#broken.push(`order ${index} is ${state}`);
      if (reversed !== this.#transfers.has(`order ${index}/3`)) this.#broken.push(`order ${index} and its reversal`);
    });
    return this.#broken;
  }

  /** One transfer; `change` is what it does to the wallet. */
  #post(subject: string, step: 1 | 2 | 3, change: number): void {
    const id = `${subject}/${step}`;
    if (this.#transfers.has(id)) this.#broken.push(`${id} was posted twice`);
    this.#transfers.set(id, change);
    this.#balance += change;
    if (this.#balance < 0) this.#broken.push(`${id} overdraws the wallet`);
  }
}

function heardOf({ state, reversed }: Order): Heard {
  if (reversed) return 'reversed';
  return state === 'success' || state === 'failed' ? state : 'pending';
}
