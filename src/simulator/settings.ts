import { credentialsFrom } from './credentials.js';
import type { SimulatorOptions } from './server.js';

/** Error at startup whose message is shown without a stack trace. */
export class StartProblem extends Error {}

/** Reads the simulator's settings from environment variables. */
export function simulatorOptionsFrom(env: Readonly<Record<string, string | undefined>>): SimulatorOptions {
  const portText = env.SIMULATOR_PORT || '4003';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
    throw new StartProblem(`SIMULATOR_PORT must be a number from 0 to 65535, not "${portText}".`);
  }
  const baseUrl = env.PRODUCTION_CALLBACK_URL;
  if (baseUrl && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new StartProblem('PRODUCTION_CALLBACK_URL must be an http or https URL.');
  }
  return {
    host: env.HOST || '127.0.0.1',
    port,
    dataDir: env.DATA_DIR || '.data',
    credentials: credentialsFrom(env),
    callback: baseUrl ? { baseUrl, secrets: secretsOf(env.CALLBACK_SECRETS) } : undefined,
  };
}

/**
 * Parses comma-separated "provider:secret" pairs in the format of the service. The first secret of a provider is the current one.
 */
function secretsOf(pairs = ''): Map<string, string> {
  const named = pairs.split(',').map((pair): [string, string] => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, colon), pair.slice(colon + 1)];
  });
  return new Map(named.toReversed());
}
