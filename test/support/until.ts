import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Waits until the condition holds. The pauses between two checks grow, because many tests wait at the same time. Errors: a
 * description of the condition after the time limit.
 *
 * @param everyMs constant pause instead
 */
export async function until(
  description: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  limitMs = 300_000,
  everyMs?: number,
): Promise<void> {
  const end = Date.now() + limitMs;
  for (let pauseMs = SHORTEST_PAUSE_MS; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() > end)
      throw new Error(`Not within ${limitMs} ms: ${typeof description === 'string' ? description : description()}.`);
    await sleep(everyMs ?? pauseMs);
  }
}
