import { isPayment } from '../../src/orders/states.js';
import type { Call } from './commands.js';
import { agree } from './disagreement.js';
import type { CallReply, Machine } from './machine.js';
import type { Reference } from './reference.js';

interface Comparison {
  expected: ReturnType<Reference['place']>;
  /** Whether it placed an order. */
  isNew: boolean;
  replies: readonly CallReply[];
  label: string;
}

/** Compares the results that the callers of one call received. */
export function compareCall(call: Call, { expected, isNew, replies, label }: Comparison, reference: Reference): void {
  agree(`${label}: answers`, replies.length, call.times);
  if (typeof expected === 'string') {
    for (const { result } of replies) agree(label, result, expected);
    return;
  }
  agree(`${label}: first answers`, replies.filter(({ replayed }) => !replayed).length, isNew ? 1 : 0);
  for (const reply of replies)
    agree(label, resultFor(reply), isNew && call.crash !== 'no' ? 'died' : reference.resultOf(expected));

  /** A duplicate payment of a bill does not wait for the first one: "pending" is correct while that is in progress. */
  function resultFor({ result, replayed }: CallReply): string {
    return isNew && replayed && call.operation === 'card_payment' && result === 'pending'
      ? reference.resultOf(expected as never)
      : result;
  }
}

/**
 * Checks that every payment key returns the true state, or that of one of its payments; the key of a lookup can be used again
 * when the lookup has ended.
 */
export async function replayAll(machine: Machine, reference: Reference, only?: number): Promise<void> {
  const knownOrders = reference.orders.filter(
    ({ call }, index) => call.key !== null && isPayment(call.operation) && index === (only ?? index),
  );
  await Promise.all(
    knownOrders.map(async (order) => {
      const call: Call = { ...order.call, crash: 'no', sweeper: 'away', times: 1, stepMs: 0 };
      const [reply] = await machine.call(call);
      const label = `the key of order ${reference.orders.indexOf(order)}`;
      agree(label, reply, { result: reference.resultOf(order), replayed: true });
    }),
  );
}
