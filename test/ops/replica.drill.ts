import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { Lane } from '../faults/support/lane.js';
import { type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { until } from '../support/until.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';
import { type Standby, startStandby } from './support/standby.js';

let primary: OwnPostgres;
let standby: Standby;
let lane: Lane;
beforeAll(async () => {
  primary = await startOwnPostgres();
  standby = await startStandby(primary);
  let name = '';
  const watched: OwnPostgres = {
    ...primary,
    get port() {
      return primary.port;
    },
    async database() {
      const db = await primary.database();
      name = db.name;
      return db;
    },
  };
  lane = await Lane.open({
    ownServer: watched,
    accounts: 20,
    settings: {
      get DATABASE_REPLICA_URL() {
        return primary.urlThrough(standby.port, name);
      },
    },
  });
});
afterAll(async () => {
  await lane?.close();
  await standby?.stop();
});

const detail = async (): Promise<string | undefined> =>
  ((await (await fetch(`${lane.victim.baseUrl}/readyz`)).json()) as { detail?: string }).detail;

const onStandby = async <Row extends object>(sql: string): Promise<Row[]> => {
  const client = new Client({ connectionString: primary.urlThrough(standby.port, lane.db.name) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

/** Number of read transactions on the standby. */
const readsOfStandby = async (): Promise<number> =>
  (
    await onStandby<{ n: number }>(
      'select xact_commit::int as n from pg_stat_database where datname = current_database()',
    )
  )[0]!.n;

/** Reads pages and files, one at a time, while `work` runs. Returns the number of responses by status. */
async function readDuring(work: Promise<unknown>): Promise<Map<string, number>> {
  const responses = new Map<string, number>();
  let isLoading = true;
  void work.finally(() => (isLoading = false));
  const today = indianDay(new Date());
  const paths = [
    'wallet/statement?limit=100',
    `wallet/statement.csv?from=${today}&to=${today}`,
    `orders.csv?from=${today}&to=${today}`,
  ];
  for (let n = 0; isLoading; n++) {
    const path = paths[n % paths.length]!;
    const { token } = lane.accounts[n % lane.accounts.length]!;
    const outcome = await fetch(`${lane.victim.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    }).then(
      async (response) => (await response.text(), response.status),
      (error: Error) => error.name,
    );
    const result = `${path.split('?')[0]} ${outcome}`;
    responses.set(result, (responses.get(result) ?? 0) + 1);
    await sleep(10);
  }
  return responses;
}

async function runLoad(label: string, seconds: number, trouble: () => Promise<void>): Promise<void> {
  const load = { perSecond: 40, seconds };
  const sentShots: Promise<Shot[]> = fire({ accounts: lane.accounts, baseUrl: lane.survivor.baseUrl, ...load });
  const reads = readDuring(sentShots);
  const [shots, responses] = await Promise.all([sentShots, reads, trouble()]);
  await lane.waitUntilSettled(60_000);
  print(
    `${label}, ${load.perSecond}/s: ${summary(shots)}; ${[...responses].map(([kind, n]) => `${n} × ${kind}`).join(', ')}`,
  );
  expect(await violationsOf(lane, shots)).toEqual([]);
  expect(shots.filter(({ result }) => result !== '200 success')).toEqual([]);
  expect([...responses.keys()].filter((response) => !response.endsWith(' 200'))).toEqual([]);
}

it('statements and files are read from an up-to-date standby', async () => {
  await until('the standby is read', async () => (await detail()) === undefined);
  const readsBefore = await readsOfStandby();
  await runLoad('a standby is read', 15, async () => {});
  await until('the standby has counted', async () => (await readsOfStandby()) - readsBefore > 100);
  print(`transactions on the standby: ${(await readsOfStandby()) - readsBefore}`);
});

it('a standby that is more than 30 s behind is not used until it has caught up', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await runLoad('the standby stands still', 45, () =>
    until(
      'it is reported',
      async () => (await detail()) === 'The replica is more than 30 s behind. Reads use the primary.',
      45_000,
    ),
  );
  // replay of the log cancels conflicting reads, including this one
  const resume = (): Promise<boolean> =>
    onStandby('select pg_wal_replay_resume()').then(
      () => true,
      () => false,
    );
  await until('it continues', resume);
  await until('it is read again', async () => (await detail()) === undefined, 20_000);
});

it('calls succeed after the standby fails', async () => {
  await runLoad('the standby is killed', 20, async () => {
    await sleep(5_000);
    await standby.stop();
    await until(
      'it is reported',
      async () => (await detail()) === 'The replica is unavailable. Reads use the primary.',
    );
  });
});
