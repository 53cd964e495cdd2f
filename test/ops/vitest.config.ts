import { suite } from '../support/suite.js';

/** `npm run drill`: what operators do, with the programs that they use beside ours. `npm run drill -- proxy` is one of them. */
export default suite({ include: ['test/ops/*.drill.ts'], fileParallelism: false });
