import { suite } from '../support/suite.js';

/** What is tested with tools that nothing else needs: `npm run test:tools -- relay` runs some of it. */
export default suite({ include: ['test/tools/*.test.ts'], isolate: false });
