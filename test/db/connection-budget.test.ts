import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/core/log.js';
import { Channel } from '../../src/db/channel.js';
import { claimConnections, connectionBudget, connectionsOf } from '../../src/db/connection-budget.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  return () => db.drop();
});
const channels: Channel[] = [];
afterEach(() => Promise.all(channels.splice(0).map((channel) => channel.stop())));

const figures = () => connectionBudget({ query: async ({ text }) => ({ rows: await db.query(text) }) as never });
const lines: string[] = [];

async function processUsing(connections: number): Promise<void> {
  const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const channel = new Channel(db.url, log);
  channels.push(channel);
  claimConnections(channel, connections, log);
  const claimedBefore = (await figures()).claimed;
  channel.start();
  await until('it is claimed', async () => (await figures()).claimed === claimedBefore + connections);
}

it('every running process counts with its maximum number of connections, and a warning is logged if the sum is too large', async () => {
  const { available } = await figures();
  expect(available).toBeGreaterThan(20);
  await processUsing(21);
  await processUsing(21);
  expect(await figures()).toEqual({ available, claimed: 42, processes: 2 });
  expect(lines).toEqual([]);
  await processUsing(available - 1);
  await until('it is logged', () => lines.includes('the connections of all processes exceed the limit of PostgreSQL'));
  await channels.shift()!.stop();
  await until('one process has exited', async () => (await figures()).processes === 2);
  await processUsing(available + 1);
  await until('it is logged', () => lines.some((line) => line.startsWith('the connections of this process exceed')));
});

it('a process uses its pools and one more connection; behind a pooler only the latter', () => {
  const claimedWith = (settings: Record<string, string>) =>
    connectionsOf(
      loadConfig({
        ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]),
        DATABASE_POOL_SIZE: '8',
        CONSOLE_POOL_SIZE: '4',
        ...settings,
      }),
    );
  expect(claimedWith({})).toBe(13);
  expect(claimedWith({ HOSTS: 'uat,production' })).toBe(9);
  expect(claimedWith({ DATABASE_LISTEN_URL: 'postgresql://direct/x' })).toBe(1);
});
