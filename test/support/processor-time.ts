import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

const CLOCK_TICKS_PER_S = 100;
/** Global because modules are loaded again for each file, while a worker runs many files. */
const worker = globalThis as { processorMsBefore?: number };

/** Processor time of this worker and of its child processes that have exited, in milliseconds. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

function childrenMs(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // the name of the program, which comes first, can contain spaces
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ');
  const [userTicks, systemTicks] = fields.slice(13, 15).map(Number);
  return ((userTicks! + systemTicks!) * 1_000) / CLOCK_TICKS_PER_S;
}

/**
 * Registered first, so that it runs after all other hooks of the file. Loading a module counts for the first file that loads it.
 */
afterAll(() => {
  const now = usedMs();
  const file = path.relative(process.cwd(), expect.getState().testPath!);
  const ms = Math.round(now - (worker.processorMsBefore ?? 0));
  worker.processorMsBefore = now;
  appendFileSync(process.env.TEST_TIMES!, `${JSON.stringify({ file, ms })}\n`);
});
