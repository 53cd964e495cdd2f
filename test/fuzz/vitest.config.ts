import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { suite } from '../support/suite.js';

/** `npm run fuzz`: stops after FUZZ_MINUTES or FUZZ_CASES, and starts with FUZZ_SEED. */
export default suite({
  include: ['test/fuzz/fuzz.run.ts', 'test/fuzz/engines.run.ts'],
  maxWorkers: 1,
  testTimeout: 24 * 3_600_000,
  disableConsoleIntercept: true,
  // graphql-js does not handle a rejection if one item of a list fails immediately and another one later. Only a defect causes
  // such failures, and the service survives it. The results of both engines are compared in any case.
  onUnhandledError: ({ message }) =>
    !message?.startsWith('Cannot return null for non-nullable field') && message !== errorCatalogue.NOT_FOUND.message,
});
