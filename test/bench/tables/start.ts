import { COMPILE_CACHE } from '../../support/program.js';
import { containerLimitBytes, shippedCommand } from '../../support/shipped.js';
import { plansLoad, rechargeLoad } from '../support/calls.js';
import { run } from '../support/load.js';
import { processorMs, residentMb } from '../support/processor-time.js';
import { integer, type Table } from '../support/report.js';
import { median } from '../support/statistics.js';
import type { Service, World } from '../support/world.js';

const STARTS = 3;
const LOAD_SECONDS = 4;
const { execArgv: SHIPPED } = shippedCommand();

/** Table E: time until the service is ready, and its memory. */
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
  const freshMb = residentMb(plain.service.process.pid);
  const usual = await loaded(world, plain.service);
  const small = await loaded(world, await world.service({ NODE_COMPILE_CACHE: '' }, [...SHIPPED]));
  await world.checkBooks();
  return [
    {
      id: 'E',
      title: 'start and memory',
      columns: ['', ''],
      rows: [
        ['time to ready, started by `npm run serve`', `${integer(plain.readyMs)} ms`],
        ['time to ready, with `NODE_COMPILE_CACHE` of an earlier start', `${integer(cached.readyMs)} ms`],
        ['resident memory when ready', `${integer(freshMb)} MB`],
        ['resident memory after load', `${integer(usual.residentMb)} MB`],
        ['resident memory after load, with the options of the image', `${integer(small.residentMb)} MB`],
        ['processor time per request of this load', `${integer(usual.us)} µs`],
        ['processor time per request, with the options of the image', `${integer(small.us)} µs`],
      ],
      goals: [
        { what: 'time to ready', is: plain.readyMs / 1_000, atMost: 1, unit: ' s' },
        { what: 'resident memory after load', is: usual.residentMb, atMost: 200, unit: ' MB' },
        {
          what: 'resident memory after load, with the options of the image',
          is: small.residentMb,
          atMost: containerLimitBytes() / 1e6,
          unit: ' MB',
        },
      ],
      notes: [
        `Median of ${STARTS} starts, from the start of the process until its three hosts listen.`,
        `Load: plan queries and recharges in both environments, ${LOAD_SECONDS} s each, at 32 and 256 connections. ` +
          'PostgreSQL is a separate process and not included.',
        `The options of the image: \`${SHIPPED.join(' ')}\`. Without them, V8 uses the memory of the machine: after a load, ` +
          'about 55 MB are Node.js, 50 MB are live objects, and the remainder is space for garbage. Less space costs ' +
          'processor time, because garbage is collected more often.',
      ],
    },
  ];
}

/** Puts a service under load and stops it. */
async function loaded(world: World, { ports, process }: Service): Promise<{ residentMb: number; us: number }> {
  const [uat, production] = [[ports.uat], [ports.production]];
  const loads = [
    plansLoad(uat, world.accounts, 'uat'),
    rechargeLoad(uat, world.accounts, 'uat'),
    plansLoad(production, world.accounts, 'production'),
    rechargeLoad(production, world.accounts, 'production', 'REST'),
  ];
  const initialMs = processorMs(process.pid);
  let count = 0;
  for (const load of loads)
    for (const connections of [32, 256]) count += (await run(load, { connections, seconds: LOAD_SECONDS / 2 })).count;
  const result = {
    residentMb: residentMb(process.pid),
    us: ((processorMs(process.pid) - initialMs) / count) * 1_000,
  };
  await process.stop();
  return result;
}
