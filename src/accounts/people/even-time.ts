import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 250;

/** Runs something whose time would tell a known address from an unknown one: the answer leaves at a full step of time. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  await sleep(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
  return result;
}
