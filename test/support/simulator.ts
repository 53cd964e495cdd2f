import { type SimulatorProcess, startSimulatorProcess } from '../../src/dev/simulator-process.js';
import type { ProviderName } from '../../src/simulator/provider-name.js';
import type { BookLine } from '../../src/simulator/records.js';
import type { AskedProvider, Refusal } from '../../src/simulator/refusals.js';
import type { CallLine, OverlapLine } from '../../src/simulator/traffic.js';
import { temporaryDirectory } from './temporary-directory.js';

export type { AskedProvider, BookLine, CallLine, ProviderName, Refusal };

/** A simulator for one test file, with its own port and its own, empty book. */
export interface TestSimulator {
  /** Base URL; a provider's paths lie below its name. */
  url: string;
  port: number;
  /** What the providers performed and reversed, oldest first: the independent witness. */
  book(): Promise<BookLine[]>;
  /** Every call that a provider received, or that one, oldest first. Of a shared app: orders of other files are asked about meanwhile. */
  calls(provider?: ProviderName): Promise<CallLine[]>;
  /** How many calls each provider has under way, and the most that it had at once. */
  overlaps(): Promise<OverlapLine[]>;
  /** Empties book, calls, outages, latencies and changed outcomes; the clock is right. */
  reset(): Promise<void>;
  /** Makes a provider answer every call with HTTP 503, or ends that. */
  outage(provider: ProviderName, on: boolean): Promise<void>;
  /** Makes a provider's status calls know of nothing that it booked, or ends that. */
  blind(provider: AskedProvider, on: boolean): Promise<void>;
  /** Makes a provider refuse calls about accounts that end in 54`suffix`, whatever it booked for them; undefined ends that. */
  refuse(
    provider: AskedProvider,
    call: 'payment' | 'status_check',
    suffix: string,
    refusal: Refusal | undefined,
  ): Promise<void>;
  /** Sets the providers' clock ahead, or back. */
  clock(aheadMs: number): Promise<void>;
  /** Delays every answer of a provider; what waits for the latency of before is answered at once. */
  latency(provider: ProviderName, ms: number): Promise<void>;
  /** Changes what the magic number 54`suffix` does; the words are those of core/magic-numbers. */
  outcome(suffix: string, outcome: string): Promise<void>;
  /** Kills it and starts it again on the same port with the same book. */
  crashAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

/** `env` holds further settings of the simulator, e.g. where it announces reversals. */
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
    refuse: (provider, call, suffix, refusal) =>
      command(`${url}/_/refusal`, { provider, call, suffix, ...(refusal ?? { answer: null }) }),
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
  const text = await answerOf(await fetch(url));
  return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
}

async function command(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await answerOf(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answerOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The simulator answered ${response.status} to ${response.url}: ${text}`);
  return text;
}
