import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId, DeveloperPrincipal } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { OrderService } from '../../src/orders/order.service.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import { Outcomes, StatusCheckRegistry } from '../../src/orders/outcomes.js';
import type { Placement } from '../../src/orders/placement.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { createAccounts } from './support/accounts.js';
import { DatabaseLink } from './support/database-link.js';

const LEASE_MS = 60_000;
let db: TestDatabase;
let link: DatabaseLink;
let pool: ReturnType<typeof createPool>;
let developerId: DeveloperId;

beforeAll(async () => {
  db = await createTestDatabase();
  const url = new URL(db.url);
  const port = Number(url.port);
  link = await new DatabaseLink(() => port).open();
  url.port = String(link.port);
  pool = createPool(url.href, { max: 1 });
  const [account] = await createAccounts(db, 1);
  developerId = account!.developerId as DeveloperId;
});
afterAll(async () => {
  await pool.end();
  await link.close();
  await db.drop();
});

function orders(sendLeaseMs = LEASE_MS) {
  const ledger = new LedgerService(pool, { retryHoldForMs: 200, retryInDoubtForMs: 400 });
  const encryption = new FieldEncryption([{ id: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
  const policy = { scheduleMs: [1_000], visibilityDelayMs: 1_000, manualReviewAfterMs: 60_000 };
  const store = new OrderStore(pool, encryption);
  const dependencies = {
    ledger,
    store,
    statusCheckStore: new StatusCheckStore(pool),
    statusChecks: new StatusCheckRegistry(),
  };
  const outcomes = new Outcomes(dependencies, new OrderSearch(new Secret('a pepper')), policy);
  const options = {
    pepper: new Secret('a pepper for tests'),
    referenceSecret: new Secret('a secret of references'),
    syncWindowMs: 5_000,
    metrics: new Metrics(),
    sendLeaseMs,
    maxInFlight: 100,
  };
  return new OrderService(ledger, store, outcomes, options, createLogger('silent'));
}

let sent = 0;
const placement = (clientKey: string): Placement<object> => ({
  principal: { kind: 'developer', developerId, environment: 'production' } as DeveloperPrincipal,
  operation: 'recharge',
  amountPaise: paise(1_000),
  clientKey,
  identity: {},
  account: '9876543210',
  provider: 'ROUNDPAY',
  request: {},
  send: async () => {
    sent++;
    return { kind: 'accepted', value: {}, evidence: { reason: 'provider_success' } };
  },
});
const transfersOf = async (clientKey: string): Promise<string[]> =>
  (
    await db.query<{ kind: string }>(
      'select t.kind from transfer t join orders o on o.id = t.subject_id where o.client_key = $1 order by t.step',
      [clientKey],
    )
  ).map(({ kind }) => kind);
/** Port of the only connection in the pool, as seen by the link. */
async function portOfConnection(): Promise<number> {
  const client = (await pool.connect()) as PoolClient & { connection: { stream: { localPort: number } } };
  await client.query('select 1');
  client.release();
  return client.connection.stream.localPort;
}

it('a hold whose commit was not confirmed, followed by a long outage of the database, is refunded and never sent', async () => {
  const service = orders();
  const port = await portOfConnection();
  link.withhold(port);
  const placed = service.place(placement('doubt')).catch((error: unknown) => error);
  await link.waitUntilFinished(port);
  expect(await transfersOf('doubt')).toEqual(['hold']);
  await link.close();
  const error = await placed;
  expect(error).toMatchObject({ code: 'DEPENDENCY_DOWN', details: { retryAfterMs: 1_000 } });
  expect((error as Error).message).toMatch(
    /Nothing was sent to the provider\. If an amount was held for this request, it is refunded\.$/,
  );
  expect(service.inFlight).toBe(1); // the order is still being processed
  link.deliver();
  await link.open();
  await until('the hold is refunded', async () => (await transfersOf('doubt')).length === 2);
  expect(await transfersOf('doubt')).toEqual(['hold', 'refund']);
  await service.drain();
  expect(sent).toBe(0);
  // the idempotency key reports this from now on
  expect(await service.place(placement('doubt'))).toMatchObject({
    status: 'failed',
    decline: 'NEVER_SENT',
    replayed: true,
  });
  expect(await db.query('select * from ledger_check()')).toEqual([]);
});

it('a hold that never reached the database is rejected, leaves no order and does not use its idempotency key', async () => {
  const service = orders();
  await link.close();
  await sleep(50); // time for the pool to drop its idle connection
  await expect(service.place(placement('away'))).rejects.toMatchObject({ code: 'DEPENDENCY_DOWN' });
  await link.open();
  await sleep(50);
  expect(service.inFlight).toBe(0);
  expect(await transfersOf('away')).toEqual([]);
  expect(await service.place(placement('away'))).toMatchObject({ status: 'success', replayed: false });
  expect(sent).toBe(1);
});

it('a hold that took longer than its lease is refunded instead of sent', async () => {
  sent = 0;
  const late = await orders(-1).place(placement('late'));
  expect(late).toMatchObject({ status: 'failed', decline: 'NEVER_SENT', replayed: false });
  expect(sent).toBe(0);
  expect(await transfersOf('late')).toEqual(['hold', 'refund']);
  expect(await db.query('select * from ledger_check()')).toEqual([]);
});

/** Places an order with a lease while the wall clock jumps. */
async function placedWhile(key: string, leaseMs: number, waitMs: number, jumpMs: number) {
  sent = 0;
  const wallet = new Client({ connectionString: db.url });
  await wallet.connect();
  await wallet.query('begin');
  await wallet.query('select from wallet where developer_id = $1 for update', [developerId]);
  const placed = orders(leaseMs).place(placement(key));
  await sleep(waitMs);
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + jumpMs);
  try {
    await wallet.query('rollback');
    expect(await placed).toMatchObject({ status: 'failed', decline: 'NEVER_SENT' });
  } finally {
    clock.mockRestore();
    await wallet.end();
  }
  expect(sent).toBe(0);
  expect(await transfersOf(key)).toEqual(['hold', 'refund']);
}

it('a hold that took too long is refunded although the clock was set back in the meantime', () =>
  placedWhile('set back', 50, 100, -3_600_000));

it('a hold of a machine that was paused is refunded, although its monotonic clock did not advance', () =>
  placedWhile('paused', LEASE_MS, 0, LEASE_MS));
