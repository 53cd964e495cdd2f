import { suite } from '../support/suite.js';

/** Tests with tools that only these tests need. Use `npm run test:tools -- relay` to run a subset. */
export default suite({ include: ['test/tools/*.test.ts'], isolate: false });
