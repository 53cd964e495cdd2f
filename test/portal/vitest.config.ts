import { availableParallelism } from 'node:os';
import { LongestFirst } from '../support/longest-first.js';
import { suite } from '../support/suite.js';

/**
 * `npm run test:portal`: the layout of every portal page, and user actions that the other suites do not cover. `npm run
 * test:portal -- work` runs one file, `-t keys` one page.
 */
export default suite({
  include: ['test/portal/*.run.ts'],
  maxWorkers: availableParallelism(),
  sequence: { sequencer: LongestFirst },
});
