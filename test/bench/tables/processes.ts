import { redisProgram, startRedis } from '../../counters/redis.fixture.js';
import { plansLoad, rechargeLoad } from '../support/calls.js';
import type { Load } from '../support/load.js';
import { measuredRow, short, type Table } from '../support/report.js';
import { type Contender, interleaved, ratio } from '../support/rounds.js';
import type { Service, World } from '../support/world.js';

const CALLS = [
  ['plan query, UAT', plansLoad],
  ['recharge, UAT', rechargeLoad],
] as const;

/** Several processes on one database, with each store for rate limits. */
export async function processes(
  world: World,
  _service: Service,
  rounds = { rounds: 2, seconds: 2.5 },
): Promise<Table[]> {
  const redis = redisProgram === undefined ? undefined : await startRedis();
  const stores: Record<string, Record<string, string>> = {
    memory: { SHARED_LIMITS: 'memory' },
    database: { SHARED_LIMITS: 'database' },
    ...(redis ? { Redis: { SHARED_LIMITS: 'database', REDIS_URL: redis.url } } : {}),
  };
  const setups: { name: string; services: Service[] }[] = [];
  for (const count of [1, 2])
    for (const [store, settings] of Object.entries(stores)) {
      // with counters in memory, two processes would each see half of the requests
      if (count > 1 && store === 'memory') continue;
      const services: Service[] = [];
      for (let n = 0; n < count; n++) services.push(await world.service(settings));
      setups.push({ name: `${count} ${count > 1 ? 'processes' : 'process'}, limits in ${store}`, services });
    }
  const rows: string[][] = [];
  for (const [call, loadOf] of CALLS) {
    const measured = await interleaved(
      setups.map(({ name, services }): Contender => {
        const load: Load = loadOf(
          services.map(({ ports }) => ports.uat),
          world.accounts.slice(1),
          'uat',
        );
        return {
          name: `${call}, ${name}`,
          load,
          pids: services.map(({ process }) => process.pid),
          postgres: world.postgresPid,
        };
      }),
      { connections: 64, warmUpSeconds: 1, ...rounds },
    );
    rows.push(...measured.map((result) => [...measuredRow(result), `${short(ratio(result, measured[0]!), 2)}×`]));
  }
  for (const { services } of setups) for (const { process } of services) await process.stop();
  await redis?.stop();
  await world.checkBooks();
  return [
    {
      id: 'Processes',
      title: 'one database, one or two processes',
      columns: ['', 'requests/s', 'p50 ms', 'p99 ms', 'processes µs', 'PostgreSQL µs', 'ratio'],
      rows,
      notes: [
        `64 connections over all processes, ${world.accounts.length - 1} accounts. The ratio is to one process that counts ` +
          'in memory, and shows the cost of sharing. Two processes share no memory, so that case does not exist.',
        'Load, processes and PostgreSQL share the cores: with two cores, a second process cannot increase the rate, and ' +
          'only its cost is visible.' +
          (redis ? '' : ' Redis and Valkey were not available, so counting in them was not measured.'),
      ],
    },
  ];
}
