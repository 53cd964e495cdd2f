import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

const CLOCK_TICKS_PER_S = 100;
/** Survives the modules of a file: a worker runs many files. */
const worker = globalThis as { processorMsBefore?: number };

/** Milliseconds of processor time of this worker and of the processes that it started and that have ended. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

function childrenMs(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // the name of the program, which comes before, may hold blanks
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ');
  const [userTicks, systemTicks] = fields.slice(13, 15).map(Number);
  return ((userTicks! + systemTicks!) * 1_000) / CLOCK_TICKS_PER_S;
}

/** Registered first, so it runs after every hook of the file. What a file loads is counted for the file that loads it first. */
afterAll(() => {
  const now = usedMs();
  const file = path.relative(process.cwd(), expect.getState().testPath!);
  const ms = Math.round(now - (worker.processorMsBefore ?? 0));
  worker.processorMsBefore = now;
  appendFileSync(process.env.TEST_TIMES!, `${JSON.stringify({ file, ms })}\n`);
});
