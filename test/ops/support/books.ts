import type { Lane } from '../../faults/support/lane.js';
import type { Shot } from './load.js';

/** Lists all violations when a drill has ended and every order has settled; empty if nothing is lost. */
export async function violationsOf(lane: Lane, shots: readonly Shot[]): Promise<string[]> {
  const problems = [...(await lane.violations()), ...lane.complaints];
  const orders = await lane.db.query<{ client_key: string; state: string }>('select client_key, state from orders');
  const stateOf = new Map(orders.map(({ client_key, state }) => [client_key, state]));
  const processed = new Map<string, number>();
  for (const { account, outcome } of await lane.simulator.book())
    if (outcome === 'succeeded') processed.set(account, (processed.get(account) ?? 0) + 1);
  // several recharges can share a number
  const successes = new Map<string, number>();
  for (const { recharge } of shots)
    if (stateOf.get(recharge.key) === 'success')
      successes.set(recharge.mobile, (successes.get(recharge.mobile) ?? 0) + 1);
  for (const { recharge, result } of shots) {
    const state = stateOf.get(recharge.key) ?? 'none';
    const times = processed.get(recharge.mobile) ?? 0;
    const found = `${recharge.key}: received ${result}, the order is ${state}, processed ${times} times`;
    if (times !== (successes.get(recharge.mobile) ?? 0)) problems.push(found);
    else if (result === '200 success' && state !== 'success') problems.push(found);
    else if (result.startsWith('503') && state === 'success')
      problems.push(`${found}: it was said that nothing was charged`);
  }
  return problems;
}

/** One line of figures, for docs/benchmarks.md. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
