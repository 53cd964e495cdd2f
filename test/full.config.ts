import { availableParallelism } from 'node:os';
import { LongestFirst } from './support/longest-first.js';
import { suite } from './support/suite.js';

/** `npm run test:full`: what needs time. `npm run test:full -- portal` is some of it. */
export default suite({
  include: ['test/**/*.full.ts'],
  isolate: false,
  maxWorkers: availableParallelism() + 1,
  sequence: { sequencer: LongestFirst },
});
