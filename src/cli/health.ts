import { commandLine, type Usage } from '../core/command-line.js';
import { failToStart, requireNode } from '../process-life.js';

const LIMIT_MS = 3_000;
/** As OPS_PORT is without a setting. */
const OPS_PORT = '4004';

const USAGE: Usage = {
  command: 'health',
  takes: '[--ready]',
  does: `Asks the process behind OPS_PORT of this machine whether it lives. Exits with 1 when it does not say so within ${LIMIT_MS / 1_000} s.`,
  options: `  --ready               whether it can serve now, which a process cannot whose database is away`,
  example: 'gateway health --ready',
};

async function main(): Promise<void> {
  requireNode();
  const { values } = commandLine(USAGE, process.argv.slice(2), { ready: { type: 'boolean', default: false } });
  const page = values.ready ? 'readyz' : 'livez';
  const url = `http://127.0.0.1:${process.env.OPS_PORT || OPS_PORT}/${page}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => undefined);
  await answer?.body?.cancel();
  if (answer?.status === 200) return;
  throw new Error(`The process does not answer ${page} with 200${answer ? `, but with ${answer.status}` : ''}.`);
}

main().catch(failToStart);
