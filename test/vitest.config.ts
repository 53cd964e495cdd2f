import { availableParallelism } from 'node:os';
import { LongestFirst } from './support/longest-first.js';
import { suite } from './support/suite.js';

/** `npm test`: every rule, and each kind of failure once. */
export default suite({
  include: ['test/**/*.test.ts'],
  // has its own packages and configuration
  exclude: ['test/tools'],
  globalSetup: ['test/support/global-setup.ts', 'test/support/function-calls.ts'],
  // Files in one worker share its modules, because loading them takes longer than running most files. Each test file must restore
  // every change that it makes to a module.
  isolate: false,
  // More workers than cores, because tests of faults and of time mostly wait.
  maxWorkers: availableParallelism() + 2,
  sequence: { sequencer: LongestFirst },
});
