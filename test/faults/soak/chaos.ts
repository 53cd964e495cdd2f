import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../../support/simulator.js';
import type { Lane } from '../support/lane.js';
import type { Station } from '../support/station.js';

export const faults = [
  'kill -9 of an API process',
  'PostgreSQL restart',
  'SIGSTOP 3 s',
  'provider outage',
  'latency 10 s',
] as const;
export type SoakFault = (typeof faults)[number];

const PROVIDERS: readonly ProviderName[] = ['roundpay', 'mokshiq', 'inspay', 'ekychub'];
const DOWN_MS = 500;
const STOPPED_MS = 3_000;
const PROVIDER_TROUBLE_MS = 4_000;

/** Runs one fault from start to end, on victims in turn. `killable`: the processes that may be killed. */
export async function cause(
  fault: SoakFault,
  nth: number,
  lane: Lane,
  killable: readonly Station[],
  all: readonly Station[],
): Promise<void> {
  const provider = PROVIDERS[nth % PROVIDERS.length]!;
  switch (fault) {
    case 'kill -9 of an API process': {
      const station = killable[nth % killable.length]!;
      await station.api.kill();
      await station.restart();
      return;
    }
    case 'PostgreSQL restart':
      await lane.server!.stopImmediately();
      await sleep(DOWN_MS);
      await lane.server!.start();
      return;
    case 'SIGSTOP 3 s': {
      const { api } = all[nth % all.length]!;
      api.signal('SIGSTOP');
      await sleep(STOPPED_MS);
      api.signal('SIGCONT');
      return;
    }
    case 'provider outage':
      await lane.simulator.outage(provider, true);
      await sleep(PROVIDER_TROUBLE_MS);
      await lane.simulator.outage(provider, false);
      return;
    case 'latency 10 s':
      await lane.simulator.latency(provider, 10_000);
      await sleep(PROVIDER_TROUBLE_MS);
      await lane.simulator.latency(provider, 0);
      return;
  }
}
