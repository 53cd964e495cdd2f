import { availableParallelism } from 'node:os';
import { LongestFirst } from './support/longest-first.js';
import { suite } from './support/suite.js';

/** `npm test`: every rule, each kind of failure once. */
export default suite({
  include: ['test/**/*.test.ts'],
  // has packages and a configuration of its own
  exclude: ['test/tools'],
  globalSetup: ['test/support/global-setup.ts', 'test/support/function-calls.ts'],
  // Files of one worker share its modules, which take longer to load than most files to run. No file may leave a change in
  // them: what a test replaces, it puts back.
  isolate: false,
  // More than cores: tests of faults and of time mostly wait.
  maxWorkers: availableParallelism() + 2,
  sequence: { sequencer: LongestFirst },
});
