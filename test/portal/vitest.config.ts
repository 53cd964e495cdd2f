import { availableParallelism } from 'node:os';
import { LongestFirst } from '../support/longest-first.js';
import { suite } from '../support/suite.js';

/**
 * `npm run test:portal`: every page of the portal as it is looked at, and what people do there beyond the journeys of the other
 * suites. `npm run test:portal -- work` is one file of it, `-t keys` one page.
 */
export default suite({
  include: ['test/portal/*.run.ts'],
  maxWorkers: availableParallelism(),
  sequence: { sequencer: LongestFirst },
});
