import { availableParallelism } from 'node:os';
import { LongestFirst } from './support/longest-first.js';
import { suite } from './support/suite.js';

/** `npm run test:full`: the slow tests. `npm run test:full -- portal` runs some of them. */
export default suite({
  include: ['test/**/*.full.ts'],
  isolate: false,
  maxWorkers: availableParallelism() + 1,
  sequence: { sequencer: LongestFirst },
});
