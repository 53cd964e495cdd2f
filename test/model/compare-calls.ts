import { isPayment } from '../../src/orders/states.js';
import type { Call } from './commands.js';
import { agree } from './disagreement.js';
import type { Machine, Seen } from './machine.js';
import type { Reference } from './reference.js';

interface Comparison {
  expected: ReturnType<Reference['place']>;
  /** Whether it placed an order. */
  isNew: boolean;
  seen: readonly Seen[];
  what: string;
}

/** Compares the results that the callers of one call received. */
export function compareCall(call: Call, { expected, isNew, seen, what }: Comparison, reference: Reference): void {
  agree(`${what}: answers`, seen.length, call.times);
  if (typeof expected === 'string') {
    for (const { result } of seen) agree(what, result, expected);
    return;
  }
  agree(`${what}: first answers`, seen.filter(({ replayed }) => !replayed).length, isNew ? 1 : 0);
  for (const one of seen)
    agree(what, resultFor(one), isNew && call.crash !== 'no' ? 'died' : reference.resultOf(expected));

  /** A duplicate payment of a bill does not wait for the first one: "pending" is correct while that is in progress. */
  function resultFor({ result, replayed }: Seen): string {
    return isNew && replayed && call.operation === 'card_payment' && result === 'pending'
      ? reference.resultOf(expected as never)
      : result;
  }
}

/**
 * Checks that every payment key returns the true state, or that of one of its payments; the key of a lookup can be used again
 * when the lookup has ended.
 */
export async function repeatAll(machine: Machine, reference: Reference, only?: number): Promise<void> {
  const known = reference.orders.filter(
    ({ call }, index) => call.key !== null && isPayment(call.operation) && index === (only ?? index),
  );
  await Promise.all(
    known.map(async (order) => {
      const call: Call = { ...order.call, crash: 'no', sweeper: 'away', times: 1, stepMs: 0 };
      const [seen] = await machine.call(call);
      const what = `the key of order ${reference.orders.indexOf(order)}`;
      agree(what, seen, { result: reference.resultOf(order), replayed: true });
    }),
  );
}
