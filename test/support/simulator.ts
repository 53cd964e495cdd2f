import { type SimulatorProcess, startSimulatorProcess } from '../../src/dev/simulator-process.js';
import type { ProviderName } from '../../src/simulator/provider-name.js';
import type { BookLine } from '../../src/simulator/records.js';
import type { Rejection, StatusCheckProvider } from '../../src/simulator/rejections.js';
import type { CallLine, OverlapLine } from '../../src/simulator/traffic.js';
import { temporaryDirectory } from './temporary-directory.js';

export type { BookLine, CallLine, ProviderName, Rejection, StatusCheckProvider };

/** A simulator for one test file, with a separate port and no initial records. */
export interface TestSimulator {
  /** Base URL; the paths of a provider start with its name. */
  url: string;
  port: number;
  /** Payments that the providers processed and reversed, oldest first: independent evidence. */
  book(): Promise<BookLine[]>;
  /**
   * All calls that the providers (or one of them) received, oldest first. In a shared app, orders of other files are checked at
   * the same time.
   */
  calls(provider?: ProviderName): Promise<CallLine[]>;
  /** Current and maximum number of concurrent calls of each provider. */
  overlaps(): Promise<OverlapLine[]>;
  /** Clears records, calls, outages, latencies and changed outcomes, and resets the clock. */
  reset(): Promise<void>;
  /** Makes a provider return HTTP 503 for every call, or ends that. */
  outage(provider: ProviderName, on: boolean): Promise<void>;
  /** Makes the status calls of a provider return not found for every payment, or ends that. */
  blind(provider: StatusCheckProvider, on: boolean): Promise<void>;
  /**
   * Makes a provider reject calls for accounts that end in 54`suffix`, whatever it has recorded for them; undefined ends that.
   */
  reject(
    provider: StatusCheckProvider,
    call: 'payment' | 'status_check',
    suffix: string,
    errorResponse: Rejection | undefined,
  ): Promise<void>;
  /** Moves the clock of the providers ahead or back. */
  clock(aheadMs: number): Promise<void>;
  /** Delays every response of a provider; responses that wait for the previous latency are sent immediately. */
  latency(provider: ProviderName, ms: number): Promise<void>;
  /** Changes the outcome of the magic number 54`suffix`, in the words of core/magic-numbers. */
  outcome(suffix: string, outcome: string): Promise<void>;
  /** Kills it and starts it again on the same port with the same records. */
  crashAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

/** `env` contains further settings of the simulator, e.g. the address to which it sends reversals. */
export async function startTestSimulator(env: Readonly<Record<string, string>> = {}): Promise<TestSimulator> {
  const dataDir = temporaryDirectory();
  const start = (port: number): Promise<SimulatorProcess> =>
    startSimulatorProcess({ host: '127.0.0.1', port, dataDir, env });
  let simulator = await start(0);
  const { url, port } = simulator;
  return {
    url,
    port,
    book: () => list<BookLine>(`${url}/_/book`),
    calls: async (provider) =>
      (await list<CallLine>(`${url}/_/calls`)).filter((call) => !provider || call.provider === provider),
    overlaps: () => list<OverlapLine>(`${url}/_/overlaps`),
    reset: () => command(`${url}/_/reset`, {}),
    outage: (provider, on) => command(`${url}/_/outage`, { provider, on }),
    blind: (provider, on) => command(`${url}/_/blind`, { provider, on }),
    reject: (provider, call, suffix, errorResponse) =>
      command(`${url}/_/refusal`, { provider, call, suffix, ...(errorResponse ?? { answer: null }) }),
    clock: (aheadMs) => command(`${url}/_/clock`, { aheadMs }),
    latency: (provider, ms) => command(`${url}/_/latency`, { provider, ms }),
    outcome: (suffix, outcome) => command(`${url}/_/outcome`, { suffix, outcome }),
    crashAndRestart: async () => {
      await simulator.kill();
      simulator = await start(port);
    },
    stop: () => simulator.stop(),
  };
}

async function list<Line>(url: string): Promise<Line[]> {
  const text = await textOf(await fetch(url));
  return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
}

async function command(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await textOf(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The simulator returned ${response.status} for ${response.url}: ${text}`);
  return text;
}
