import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { suite } from '../support/suite.js';

/** `npm run fuzz`: FUZZ_MINUTES or FUZZ_CASES, from FUZZ_SEED on. */
export default suite({
  include: ['test/fuzz/fuzz.run.ts', 'test/fuzz/engines.run.ts'],
  maxWorkers: 1,
  testTimeout: 24 * 3_600_000,
  disableConsoleIntercept: true,
  // graphql-js leaves a rejection unheard when one item of a list fails at once and another one later. Only a defect makes an
  // item fail so, and the service outlives it; the answers of both engines are compared all the same.
  onUnhandledError: ({ message }) =>
    !message?.startsWith('Cannot return null for non-nullable field') && message !== errorCatalogue.NOT_FOUND.message,
});
