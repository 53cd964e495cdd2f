import { suite } from '../support/suite.js';

/** `npm run drill`: procedures of administrators with the programs that they use. `npm run drill -- proxy` runs one of them. */
export default suite({ include: ['test/ops/*.drill.ts'], fileParallelism: false });
