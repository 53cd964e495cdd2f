import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds. Errors: a description of the condition after the time limit. */
export async function until(
  description: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  limitMs = 300_000,
  everyMs = 20,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end)
      throw new Error(`Not within ${limitMs} ms: ${typeof description === 'string' ? description : description()}.`);
    await sleep(everyMs);
  }
}
