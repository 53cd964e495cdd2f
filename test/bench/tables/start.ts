import { COMPILE_CACHE } from '../../support/program.js';
import { plansLoad, rechargeLoad } from '../support/calls.js';
import { run } from '../support/load.js';
import { residentMb } from '../support/processor-time.js';
import { type Table, whole } from '../support/report.js';
import { median } from '../support/statistics.js';
import type { Service, World } from '../support/world.js';

const STARTS = 3;
const LOAD_SECONDS = 4;

/** E: until it serves, and what it holds. */
export async function start(world: World): Promise<Table[]> {
  const started = async (settings: Record<string, string>): Promise<{ readyMs: number; service: Service }> => {
    const times: number[] = [];
    for (let n = 1; ; n++) {
      const service = await world.service(settings);
      times.push(service.process.readyMs);
      if (n === STARTS) return { readyMs: median(times), service };
      await service.process.stop();
    }
  };
  const cached = await started(COMPILE_CACHE);
  await cached.service.process.stop();
  const plain = await started({ NODE_COMPILE_CACHE: '' });
  const { ports, process } = plain.service;
  const fresh = residentMb(process.pid);
  const [uat, production] = [[ports.uat], [ports.production]];
  const loads = [
    plansLoad(uat, world.accounts, 'uat'),
    rechargeLoad(uat, world.accounts, 'uat'),
    plansLoad(production, world.accounts, 'production'),
    rechargeLoad(production, world.accounts, 'production', 'REST'),
  ];
  for (const load of loads)
    for (const connections of [32, 256]) await run(load, { connections, seconds: LOAD_SECONDS / 2 });
  const loaded = residentMb(process.pid);
  await process.stop();
  await world.checkBooks();
  return [
    {
      id: 'E',
      title: 'start and memory',
      columns: ['', ''],
      rows: [
        ['ready after, as `npm run serve` starts it', `${whole(plain.readyMs)} ms`],
        ['ready after, with `NODE_COMPILE_CACHE` of an earlier start', `${whole(cached.readyMs)} ms`],
        ['resident when ready', `${whole(fresh)} MB`],
        ['resident after load', `${whole(loaded)} MB`],
      ],
      goals: [
        { what: 'time to ready', is: plain.readyMs / 1_000, atMost: 1, unit: ' s' },
        { what: 'resident memory after load', is: loaded, atMost: 200, unit: ' MB' },
      ],
      notes: [
        `The median of ${STARTS} starts, from the start of the process until its three hosts listen.`,
        `Load: plan queries and recharges in both environments, ${LOAD_SECONDS} s each, at 32 and 256 connections. ` +
          'Without PostgreSQL, which is a process of its own.',
      ],
    },
  ];
}
