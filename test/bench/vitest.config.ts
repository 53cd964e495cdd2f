import { suite } from '../support/suite.js';

/** Measurements, one after the other: `npx vitest run --config test/bench/vitest.config.ts waiters`. Their figures go to standard output. */
export default suite({
  include: ['test/bench/**/*.bench.ts'],
  globalSetup: ['test/bench/support/on-disk.ts', 'test/support/global-setup.ts'],
  maxWorkers: 1,
  fileParallelism: false,
  disableConsoleIntercept: true,
});
