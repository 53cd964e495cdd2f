import type { Call, Command } from './commands.js';
import { ADVANCES, type Machine, type Seen } from './machine.js';
import { Reference } from './reference.js';
import type { World } from './world.js';

/** In the end time goes by, first as enquiries are made, then until everybody has given up. */
const SETTLING = { visibility: 3, day: 2 };

class Disagreement extends Error {}

function agree(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Disagreement(`${what}: ${found} instead of ${wanted}`);
}

/**
 * Runs a sequence on a machine and its world and compares everything that can be seen with the reference, after every command.
 * At the end time goes by until nothing is open any more. Throws at the first disagreement, naming the command.
 */
export async function run(commands: readonly Command[], machine: Machine, world: World): Promise<Reference> {
  const reference = new Reference(world);
  /** Orders that were decided: their state never changes again. */
  const decided = new Map<number, string>();
  const compare = async (what: string): Promise<void> => {
    for (const exchange of world.news()) reference.learn(exchange);
    const snapshot = await machine.snapshot();
    agree(`${what}: wallet and orders`, snapshot, reference.snapshot());
    for (const [index, state] of decided) agree(`${what}: order ${index}`, snapshot.orders[index]?.state, state);
    snapshot.orders.forEach(({ state }, index) => {
      if (state === 'success' || state === 'failed') decided.set(index, state);
    });
  };
  for (const [position, command] of commands.entries()) {
    const what = `${position} ${JSON.stringify(command)}`;
    await step(command, machine, world, reference, what);
    await compare(what);
  }
  const settle = async (by: 'visibility' | 'day'): Promise<void> => {
    for (let round = 0; round < SETTLING[by]; round++) {
      const what = `settling by ${by}, round ${round}`;
      await step({ kind: 'advance', by }, machine, world, reference, what);
      await step({ kind: 'sweep' }, machine, world, reference, what);
      await compare(what);
    }
  };
  await settle('visibility');
  agree('announced reversals that were missed', [...reference.missedReversals()], []);
  await settle('day');
  agree('silent reversals that were missed', [...reference.silentReversals()], []);
  agree('open in the end', reference.orders.filter(({ state }) => state === 'open').length, 0);
  agree('the books', await machine.violations(), []);
  return reference;
}

async function step(
  command: Command,
  machine: Machine,
  world: World,
  reference: Reference,
  what: string,
): Promise<void> {
  switch (command.kind) {
    case 'top_up':
      return agree(
        what,
        await machine.topUp(command.amount, command.reference),
        reference.topUp(command.amount, command.reference),
      );
    case 'call':
      return compareCall(command.call, machine, world, reference, what);
    case 'lead':
      return agree(what, await machine.lead(command.lead, command.word), reference.lead(command.lead, command.word));
    case 'callback':
      reference.callback(command.order % (world.orders + 1), command.says);
      return machine.callback(command.order % (world.orders + 1), command.says);
    case 'reverse':
      if (world.orders === 0) return;
      reference.reverse(command.order % world.orders, command.lateBy);
      world.reverse(command.order % world.orders, command.lateBy);
      return;
    case 'advance':
      reference.advance(command.by);
      return machine.advance(ADVANCES[command.by]);
    case 'sweep':
      reference.sweep();
      return machine.sweep();
    case 'decide': {
      if (world.orders === 0) return;
      const waiting = [...reference.inReview()];
      const order = waiting[command.order % Math.max(waiting.length, 1)] ?? command.order % world.orders;
      const decided = await machine.decide(order, command.success, command.person);
      return agree(what, decided, reference.decide(order, command.success, command.person));
    }
  }
}

async function compareCall(
  call: Call,
  machine: Machine,
  world: World,
  reference: Reference,
  what: string,
): Promise<void> {
  const known = reference.orders.length;
  const expected = reference.place(call);
  const seen = await machine.call(call);
  for (const exchange of world.news()) reference.learn(exchange);
  agree(`${what}: answers`, seen.length, call.times);
  if (typeof expected === 'string') {
    for (const { heard } of seen) agree(what, heard, expected);
    return;
  }
  const isNew = reference.orders.length > known;
  agree(`${what}: first answers`, seen.filter(({ replayed }) => !replayed).length, isNew ? 1 : 0);
  for (const one of seen)
    agree(what, heardBy(one, call, isNew), isNew && call.crash !== 'no' ? 'died' : reference.heardOf(expected));

  /** A repeated payment of a bill does not wait for the first: "pending" is true while that is under way. */
  function heardBy({ heard, replayed }: Seen, { operation }: Call, first: boolean): string {
    return first && replayed && operation === 'card_payment' && heard === 'pending'
      ? reference.heardOf(expected as never)
      : heard;
  }
}
