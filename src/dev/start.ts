import { failToStart, requireNode } from '../process-life.js';

/** Runs `npm start`. */
async function start(): Promise<void> {
  requireNode();
  // the module is imported after the check, because an older Node would fail on the syntax before the check could report it
  const { startDemo } = await import('./demo.js');
  await startDemo();
}

start().catch(failToStart);
