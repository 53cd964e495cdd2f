import type { Call, Command, CorrectionKind } from './commands.js';
import { compareCall, repeatAll } from './compare-calls.js';
import { agree, Disagreement } from './disagreement.js';
import { Invariants } from './invariants.js';
import { ADVANCES, type Decided, type Machine } from './machine.js';
import { Reference } from './reference.js';
import { ReferenceAdmins } from './reference-people.js';
import type { Exchange, World } from './world.js';

/** Time that passes at the end: first while status checks are made, then until retries are exhausted. */
const SETTLING = { visibility: 3, day: 2 };

/** Tolerance of an age beside the real time that passed: rounding and the duration of a statement. */
const AGE_SLACK_MS = 100;

/**
 * Runs a sequence on a machine and its world, and compares all visible state with the reference after every command. At the end
 * time passes until no order is open. Throws at the first difference, with the name of the command.
 */
export async function run(commands: readonly Command[], machine: Machine, world: World): Promise<Reference> {
  const round = new Round(machine, world);
  for (const [position, command] of commands.entries())
    await round.play(command, `${position} ${JSON.stringify(command)}`);
  await round.end();
  return round.reference;
}

/** One run of a sequence. */
class Round {
  readonly #machine: Machine;
  readonly #world: World;
  readonly reference: Reference;
  readonly #people: ReferenceAdmins;
  readonly #invariants: Invariants;
  /** Events of the current command: exchanges with providers, and orders that admins resolved or corrected. */
  #exchanges: Exchange[] = [];
  #byAdmins = new Set<number>();

  constructor(machine: Machine, world: World) {
    this.#machine = machine;
    this.#world = world;
    this.reference = new Reference(world);
    this.#people = new ReferenceAdmins(this.reference);
    this.#invariants = new Invariants(world);
  }

  async play(command: Command, what: string): Promise<void> {
    this.#exchanges = [];
    this.#byAdmins = new Set();
    await this.#step(command, what);
    const snapshot = await this.#machine.snapshot();
    const step = { exchanges: this.#exchanges, admins: this.#byAdmins };
    agree(`${what}: wallet and orders`, snapshot, this.reference.snapshot());
    agree(`${what}: invariants`, this.#invariants.violations(snapshot, this.reference.orders, step), []);
  }

  async end(): Promise<void> {
    const { reference } = this;
    await this.play({ kind: 'clock', aheadMs: 0 }, 'the clock is put right');
    await this.#settle('visibility');
    agree('announced reversals that were missed', [...reference.missedReversals()], []);
    await this.#settle('day');
    agree('silent reversals that were missed', [...reference.silentReversals()], []);
    agree('open in the end', reference.orders.filter(({ state }) => state === 'open').length, 0);
    await repeatAll(this.#machine, reference);
    agree('the books', await this.#machine.violations(), []);
  }

  async #settle(by: 'visibility' | 'day'): Promise<void> {
    for (let round = 0; round < SETTLING[by]; round++) {
      const what = `settling by ${by}, round ${round}`;
      await this.#step({ kind: 'advance', by }, what);
      await this.play({ kind: 'sweep', stepMs: 0 }, what);
    }
  }

  async #step(command: Command, what: string): Promise<void> {
    const machine = this.#machine;
    const { reference } = this;
    const { orders } = this.#world;
    switch (command.kind) {
      case 'top_up': {
        const { amount } = command;
        const posted = await machine.topUp(amount, command.reference);
        if (posted === 'posted') this.#invariants.moved(amount);
        return agree(what, posted, reference.topUp(amount, command.reference));
      }
      case 'call':
        return this.#call(command.call, what);
      case 'lead': {
        const charged = await machine.lead(command.lead, command.word);
        if (charged !== 'insufficient') this.#invariants.moved(-charged.charged);
        return agree(what, charged, reference.lead(command.lead, command.word));
      }
      case 'callback':
        reference.callback(command.order % (orders + 1), command.says);
        return machine.callback(command.order % (orders + 1), command.says);
      case 'reverse':
        if (orders === 0) return;
        reference.reverse(command.order % orders, command.lateBy);
        return this.#world.reverse(command.order % orders, command.lateBy);
      case 'advance':
        reference.advance(command.by);
        return machine.advance(ADVANCES[command.by]);
      case 'clock':
        reference.clock(command.aheadMs);
        return machine.clock(command.aheadMs);
      case 'sweep':
        await machine.sweep(command.stepMs);
        return agree(what, reference.sweep(command.stepMs, this.#news(what)), []);
      case 'decide': {
        if (orders === 0) return;
        const order = pick(command.order, [...reference.waiting()], orders);
        return this.#byPeople(command.admin, what, order, {
          actual: (adminIndex) => machine.decide(order, command.success, adminIndex),
          expected: (adminIndex) => this.#people.decide(order, command.success, adminIndex),
        });
      }
      case 'correct': {
        if (orders === 0) return;
        const { action } = command;
        const order = pick(command.order, correctable(reference, action), orders);
        return this.#byPeople(command.admin, what, order, {
          actual: (adminIndex) => machine.correct(action, order, adminIndex),
          expected: (adminIndex) => this.#people.correct(action, order, adminIndex),
        });
      }
      case 'debit': {
        const { amount } = command;
        return this.#byPeople(command.admin, what, undefined, {
          actual: (adminIndex) => machine.debit(amount, command.reference, adminIndex),
          expected: (adminIndex) => this.#people.debit(amount, command.reference, adminIndex),
        });
      }
      case 'ask':
        if (orders === 0) return;
        return agree(what, await machine.ask(command.order % orders), this.#people.ask(command.order % orders));
    }
  }

  async #call(call: Call, what: string): Promise<void> {
    const known = this.reference.orders.length;
    const expected = this.reference.place(call);
    const isNew = this.reference.orders.length > known;
    const seen = await this.#machine.call(call);
    if (isNew && call.sweeper !== 'away') this.reference.metSweeper(this.reference.orders[known]!);
    for (const exchange of this.#news(what)) this.reference.learn(exchange);
    if (isNew && call.sweeper !== 'away') this.reference.sweepUnasked();
    compareCall(call, { expected, isNew, seen, what }, this.reference);
  }

  /** Action of one or two admins, and the result that the idempotency key returns from then on. */
  async #byPeople(
    adminIndex: number,
    what: string,
    order: number | undefined,
    {
      actual,
      expected,
    }: { actual: (adminIndex: number) => Promise<Decided>; expected: (adminIndex: number) => Decided },
  ): Promise<void> {
    for (const one of adminIndex === 2 ? [0, 1] : [adminIndex]) {
      const decided = await actual(one);
      agree(`${what}, person ${one}`, decided, expected(one));
      if (decided.result !== 'executed') continue;
      if (order === undefined) this.#invariants.moved(decided.line!.amount);
      else {
        this.#byAdmins.add(order);
        await repeatAll(this.#machine, this.reference, order);
      }
    }
  }

  /** Exchanges since the last call, with the age of the orders by the database clock. */
  #news(what: string): Exchange[] {
    const news = this.#world.news();
    for (const { order, kind, ageMs } of news) {
      if (kind === 'send') continue;
      const late = ageMs - this.reference.ageOf(order);
      if (late < -AGE_SLACK_MS || late > this.#machine.elapsedMs() + AGE_SLACK_MS)
        throw new Disagreement(`${what}: order ${order} is ${late} ms older than the database says`);
    }
    this.#exchanges.push(...news);
    return news;
  }
}

/** One of the orders that suit the command, or any order if there is none. */
const pick = (order: number, meant: readonly number[], orders: number): number =>
  meant[order % Math.max(meant.length, 1)] ?? order % orders;

/** Orders to which the correction applies, and those for which it was requested. */
const correctable = ({ orders }: Reference, action: CorrectionKind): number[] =>
  [...orders.entries()].flatMap(([index, { state, reversed, corrections }]) => {
    const isCharged = state === 'success' && !reversed;
    const isRefunded = state === 'failed' || reversed;
    return corrections.has(action) || (action === 'reverse' ? isCharged : isRefunded) ? [index] : [];
  });
