import type { Call, Command, CorrectionKind } from './commands.js';
import { compareCall, replayAll } from './compare-calls.js';
import { agree, Disagreement } from './disagreement.js';
import { Invariants } from './invariants.js';
import { ADVANCES, type AdminResult, type Machine } from './machine.js';
import { Reference } from './reference.js';
import { ReferenceAdmins } from './reference-admins.js';
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
  readonly #admins: ReferenceAdmins;
  readonly #invariants: Invariants;
  /** Events of the current command: exchanges with providers, and orders that admins resolved or corrected. */
  #exchanges: Exchange[] = [];
  #byAdmins = new Set<number>();

  constructor(machine: Machine, world: World) {
    this.#machine = machine;
    this.#world = world;
    this.reference = new Reference(world);
    this.#admins = new ReferenceAdmins(this.reference);
    this.#invariants = new Invariants(world);
  }

  async play(command: Command, label: string): Promise<void> {
    this.#exchanges = [];
    this.#byAdmins = new Set();
    await this.#step(command, label);
    const snapshot = await this.#machine.snapshot();
    const step = { exchanges: this.#exchanges, admins: this.#byAdmins };
    agree(`${label}: wallet and orders`, snapshot, this.reference.snapshot());
    agree(`${label}: invariants`, this.#invariants.violations(snapshot, this.reference.orders, step), []);
  }

  async end(): Promise<void> {
    const { reference } = this;
    await this.play({ kind: 'clock', aheadMs: 0 }, 'the clock is put right');
    await this.#settle('visibility');
    agree('announced reversals that were missed', [...reference.missedReversals()], []);
    await this.#settle('day');
    agree('silent reversals that were missed', [...reference.silentReversals()], []);
    agree('open in the end', reference.orders.filter(({ state }) => state === 'open').length, 0);
    await replayAll(this.#machine, reference);
    agree('the books', await this.#machine.violations(), []);
  }

  async #settle(by: 'visibility' | 'day'): Promise<void> {
    for (let round = 0; round < SETTLING[by]; round++) {
      const label = `settling by ${by}, round ${round}`;
      await this.#step({ kind: 'advance', by }, label);
      await this.play({ kind: 'sweep', stepMs: 0 }, label);
    }
  }

  async #step(command: Command, label: string): Promise<void> {
    const machine = this.#machine;
    const { reference } = this;
    const { orders } = this.#world;
    switch (command.kind) {
      case 'top_up': {
        const { amount } = command;
        const posted = await machine.topUp(amount, command.reference);
        if (posted === 'posted') this.#invariants.moved(amount);
        return agree(label, posted, reference.topUp(amount, command.reference));
      }
      case 'call':
        return this.#call(command.call, label);
      case 'lead': {
        const charged = await machine.lead(command.lead, command.word);
        if (charged !== 'insufficient') this.#invariants.moved(-charged.charged);
        return agree(label, charged, reference.lead(command.lead, command.word));
      }
      case 'callback':
        reference.callback(command.order % (orders + 1), command.status);
        return machine.callback(command.order % (orders + 1), command.status);
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
        return agree(label, reference.sweep(command.stepMs, this.#takeExchanges(label)), []);
      case 'decide': {
        if (orders === 0) return;
        const order = pick(command.order, [...reference.waiting()], orders);
        return this.#byAdmin(command.admin, label, order, {
          actual: (adminIndex) => machine.resolve(order, command.success, adminIndex),
          expected: (adminIndex) => this.#admins.resolve(order, command.success, adminIndex),
        });
      }
      case 'correct': {
        if (orders === 0) return;
        const { action } = command;
        const order = pick(command.order, correctable(reference, action), orders);
        return this.#byAdmin(command.admin, label, order, {
          actual: (adminIndex) => machine.correct(action, order, adminIndex),
          expected: (adminIndex) => this.#admins.correct(action, order, adminIndex),
        });
      }
      case 'debit': {
        const { amount } = command;
        return this.#byAdmin(command.admin, label, undefined, {
          actual: (adminIndex) => machine.debit(amount, command.reference, adminIndex),
          expected: (adminIndex) => this.#admins.debit(amount, command.reference, adminIndex),
        });
      }
      case 'ask':
        if (orders === 0) return;
        return agree(
          label,
          await machine.requestCheck(command.order % orders),
          this.#admins.requestCheck(command.order % orders),
        );
    }
  }

  async #call(call: Call, label: string): Promise<void> {
    const index = this.reference.orders.length;
    const expected = this.reference.place(call);
    const isNew = this.reference.orders.length > index;
    const replies = await this.#machine.call(call);
    if (isNew && call.sweeper !== 'away') this.reference.metSweeper(this.reference.orders[index]!);
    for (const exchange of this.#takeExchanges(label)) this.reference.recordExchange(exchange);
    if (isNew && call.sweeper !== 'away') this.reference.sweepUnchecked();
    compareCall(call, { expected, isNew, replies, label }, this.reference);
  }

  /** Action of one or two admins, and the result that the idempotency key returns from then on. */
  async #byAdmin(
    adminIndex: number,
    label: string,
    order: number | undefined,
    {
      actual,
      expected,
    }: { actual: (adminIndex: number) => Promise<AdminResult>; expected: (adminIndex: number) => AdminResult },
  ): Promise<void> {
    for (const index of adminIndex === 2 ? [0, 1] : [adminIndex]) {
      const result = await actual(index);
      agree(`${label}, person ${index}`, result, expected(index));
      if (result.result !== 'executed') continue;
      if (order === undefined) this.#invariants.moved(result.line!.amount);
      else {
        this.#byAdmins.add(order);
        await replayAll(this.#machine, this.reference, order);
      }
    }
  }

  /** Exchanges since the last call, with the age of the orders by the database clock. */
  #takeExchanges(label: string): Exchange[] {
    const exchanges = this.#world.takeExchanges();
    for (const { order, kind, ageMs } of exchanges) {
      if (kind === 'send') continue;
      const late = ageMs - this.reference.ageOf(order);
      if (late < -AGE_SLACK_MS || late > this.#machine.elapsedMs() + AGE_SLACK_MS)
        throw new Disagreement(`${label}: order ${order} is ${late} ms older than the database says`);
    }
    this.#exchanges.push(...exchanges);
    return exchanges;
  }
}

/** One of the orders that suit the command, or any order if there is none. */
const pick = (order: number, candidates: readonly number[], orders: number): number =>
  candidates[order % Math.max(candidates.length, 1)] ?? order % orders;

/** Orders to which the correction applies, and those for which it was requested. */
const correctable = ({ orders }: Reference, action: CorrectionKind): number[] =>
  [...orders.entries()].flatMap(([index, { state, reversed, corrections }]) => {
    const isCharged = state === 'success' && !reversed;
    const isRefunded = state === 'failed' || reversed;
    return corrections.has(action) || (action === 'reverse' ? isCharged : isRefunded) ? [index] : [];
  });
