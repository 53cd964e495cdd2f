import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { rechargeLoad } from './support/calls.js';
import { type Load, LoadConnection, sendNext } from './support/load.js';
import { familyMs, processorMs } from './support/processor-time.js';
import { at } from './support/statistics.js';
import { startWorld } from './support/world.js';

const RATES = [100, 200, 400];
const PROCESSES = [1, 4];
const SECONDS = 20;
const WARM_UP_SECONDS = 4;
/** A request that finds no free connection waits for one, and the wait is part of its time. */
const CONNECTIONS = 128;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Sends requests at a steady rate, whether or not responses arrive. Times start when a request was due. */
async function atRate(load: Load, perSecond: number, seconds: number): Promise<number[]> {
  const { ports } = load;
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) => LoadConnection.open(ports[n % ports.length]!)),
  );
  const free = [...connections];
  const waiting: ((connection: LoadConnection) => void)[] = [];
  const times: number[] = [];
  const call = async (dueAt: number): Promise<void> => {
    const connection = free.pop() ?? (await new Promise<LoadConnection>((resolve) => waiting.push(resolve)));
    await sendNext(load, connection);
    times.push(performance.now() - dueAt);
    const next = waiting.shift();
    if (next) next(connection);
    else free.unshift(connection);
  };
  const startedAt = performance.now();
  const calls: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueAt = startedAt + (n * 1_000) / perSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    calls.push(call(dueAt));
  }
  await Promise.all(calls);
  connections.forEach((connection) => connection.close());
  return times;
}

it('one wallet pays at a steady rate', async () => {
  const world = await startWorld(5);
  try {
    const services: Awaited<ReturnType<typeof world.service>>[] = [];
    for (const count of PROCESSES) {
      while (services.length < count) services.push(await world.service({ SHARED_LIMITS: 'database' }));
      const ports = services.map((service) => service.ports.production);
      const wallets = { 'one wallet': world.accounts.slice(0, 1), 'four wallets': world.accounts.slice(1) };
      for (const [name, accounts] of Object.entries(wallets)) {
        const load = rechargeLoad(ports, accounts, 'production', 'REST');
        await atRate(load, RATES[0]!, WARM_UP_SECONDS);
        for (const rate of RATES) {
          const used = (): number => services.reduce((sum, { process }) => sum + processorMs(process.pid), 0);
          const [initialProcessesMs, initialPostgresMs, startedAt] = [
            used(),
            familyMs(world.postgresPid),
            performance.now(),
          ];
          const times = await atRate(load, rate, SECONDS);
          const perCall = (ms: number): string => (ms / times.length).toFixed(2);
          const perSecond = (times.length * 1_000) / (performance.now() - startedAt);
          print(
            `${count} process${count > 1 ? 'es' : ''}, ${name}, ${rate}/s: ${perSecond.toFixed(0)}/s, p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms, longest ${at(times, 1).toFixed(0)} ms; ms of a core per payment: processes ${perCall(used() - initialProcessesMs)}, PostgreSQL ${perCall(familyMs(world.postgresPid) - initialPostgresMs)}`,
          );
          expect(times).toHaveLength(rate * SECONDS);
        }
      }
      await world.checkBooks();
    }
  } finally {
    await world.close();
  }
}, 1_800_000);
