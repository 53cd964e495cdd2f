import { suite } from '../support/suite.js';

/**
 * Measurements, which run one at a time: `npx vitest run --config test/bench/vitest.config.ts waiters`. They print their results
 * to standard output.
 */
export default suite({
  include: ['test/bench/**/*.bench.ts'],
  globalSetup: ['test/bench/support/on-disk.ts', 'test/support/global-setup.ts'],
  maxWorkers: 1,
  fileParallelism: false,
  disableConsoleIntercept: true,
});
