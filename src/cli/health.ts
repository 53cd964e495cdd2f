import { commandLine, type Usage } from '../core/command-line.js';
import { failToStart, requireNode } from '../process-life.js';

const LIMIT_MS = 3_000;
/** Default of OPS_PORT. */
const OPS_PORT = '4004';

const USAGE: Usage = {
  command: 'health',
  synopsis: '[--ready]',
  description: `Checks whether the process at OPS_PORT of this machine is alive. Exits with 1 if it does not respond within ${LIMIT_MS / 1_000} s.`,
  options: `  --ready               checks whether it can serve, which requires its database`,
  example: 'gateway health --ready',
};

async function main(): Promise<void> {
  requireNode();
  const { values } = commandLine(USAGE, process.argv.slice(2), { ready: { type: 'boolean', default: false } });
  const page = values.ready ? 'readyz' : 'livez';
  const url = `http://127.0.0.1:${process.env.OPS_PORT || OPS_PORT}/${page}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => undefined);
  await response?.body?.cancel();
  if (response?.status === 200) return;
  throw new Error(response ? `/${page} returned ${response.status}.` : `The process did not respond to /${page}.`);
}

main().catch(failToStart);
