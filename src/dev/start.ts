import { failToStart, requireNode } from '../process-life.js';

/** `npm start`. */
async function start(): Promise<void> {
  requireNode();
  // loaded only now: an older Node fails on its syntax before it could say so
  const { startDemo } = await import('./demo.js');
  await startDemo();
}

start().catch(failToStart);
