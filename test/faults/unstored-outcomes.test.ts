import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { Metrics } from '../../src/core/metrics.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId, DeveloperPrincipal } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { OrderService } from '../../src/orders/order.service.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import { Outcomes, type ProviderStatusChecks, StatusCheckRegistry } from '../../src/orders/outcomes.js';
import type { Placement } from '../../src/orders/placement.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import type { UnstoredLimits } from '../../src/orders/unstored-outcomes.js';
import type { Outcome } from '../../src/providers/outcome.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { logLines } from '../support/log-lines.js';
import { until } from '../support/until.js';
import { createAccounts } from './support/accounts.js';
import { DatabaseLink } from './support/database-link.js';

const POLICY = { scheduleMs: [60_000], visibilityDelayMs: 60_000, manualReviewAfterMs: 600_000 };
const ACCOUNT = '9876543210';
/** Time for which the ledger retries. */
const RETRY_MS = 200;
const RETRYING = 'outcome not stored yet, retrying';
const lines = logLines();
let db: TestDatabase;
let link: DatabaseLink;
let linkedUrl: string;
let pool: ReturnType<typeof createPool>;
let developerId: DeveloperId;
let processed: Processes;

beforeAll(async () => {
  db = await createTestDatabase();
  const url = new URL(db.url);
  const port = Number(url.port);
  link = await new DatabaseLink(() => port).open();
  url.port = String(link.port);
  linkedUrl = url.href;
  pool = createPool(linkedUrl, { max: 2 });
  const [account] = await createAccounts(db, 1);
  developerId = account!.developerId as DeveloperId;
});
afterAll(async () => {
  await pool.end();
  await link.close();
  await db.drop();
});

/** Mokshiq has no status check, RoundPay has one. */
const CAN_CHECK_STATUS = { MOKSHIQ: false, ROUNDPAY: true };
type Provider = keyof typeof CAN_CHECK_STATUS;

/** Orders of a process whose batches retry only briefly, and the sweeper that checks the orders it leaves. */
class Processes {
  readonly orders: OrderService;
  readonly outcomes: Outcomes;
  readonly statusChecks: StatusCheckStore;
  constructor(limits?: UnstoredLimits, retryInDoubtForMs = RETRY_MS, linked = pool) {
    this.statusChecks = new StatusCheckStore(linked);
    const ledger = new LedgerService(linked, { retryHoldForMs: 5_000, retryInDoubtForMs });
    const encryption = new FieldEncryption([{ id: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
    const store = new OrderStore(linked, encryption);
    const registry = new StatusCheckRegistry();
    for (const [provider, canCheckStatus] of Object.entries(CAN_CHECK_STATUS))
      registry.register('recharge', provider, {
        canCheckStatus,
        notFoundIsFinal: false,
        recheckAfterMs: 0,
      } as ProviderStatusChecks);
    const dependencies = { ledger, store, statusCheckStore: this.statusChecks, statusChecks: registry };
    this.outcomes = new Outcomes(dependencies, new OrderSearch(new Secret('a pepper')), POLICY);
    this.orders = new OrderService(
      ledger,
      store,
      this.outcomes,
      {
        pepper: new Secret('a pepper for tests'),
        referenceSecret: new Secret('a secret of references'),
        syncWindowMs: 1,
        metrics: new Metrics(),
        sendLeaseMs: 60_000,
        maxInFlight: 100,
        ...(limits ? { unstored: limits } : {}),
      },
      lines.log,
    );
  }

  /** Sends recharges with these keys; the database goes away before the provider returns the outcomes, one after the other. */
  async outage(provider: Provider, outcomes: Record<string, Outcome<object>>): Promise<void> {
    const closed = Promise.withResolvers<void>();
    let previous = closed.promise;
    for (const [key, outcome] of Object.entries(outcomes)) {
      const sent = Promise.withResolvers<void>();
      const returns = previous;
      await this.orders.place({
        ...placement(key, provider),
        send: async () => {
          sent.resolve();
          await returns;
          return outcome;
        },
      });
      await sent.promise;
      const txn = outcome.evidence.providerTxnId;
      previous = returns.then(() =>
        until(`${key} is retried`, () =>
          lines.of(RETRYING).some(({ providerTxnId }) => [txn, '[redacted]'].includes(String(providerTxnId))),
        ),
      );
    }
    await link.close();
    closed.resolve();
  }

  /** Runs the sweeper of another process after the lease. */
  async sweep(provider: Provider): Promise<void> {
    await db.query('update order_due set due_at = now()');
    for (const order of await this.statusChecks.leaseDue(provider, 10, 1)) await this.outcomes.checkStatus(order);
  }
}

const placement = (clientKey: string, provider: Provider): Omit<Placement<object>, 'send'> => ({
  principal: { kind: 'developer', developerId, environment: 'production' } as DeveloperPrincipal,
  operation: 'recharge',
  amountPaise: paise(1_000),
  clientKey,
  identity: {},
  account: ACCOUNT,
  provider,
  request: {},
});
const accepted = (providerTxnId: string): Outcome<object> => ({
  kind: 'accepted',
  value: {},
  evidence: { reason: 'provider_success', httpStatus: 200, providerStatus: 'Success', providerTxnId },
});
const orderOf = async (key: string) =>
  (
    await db.query<{ id: string; state: string; txn: string }>(
      'select id, state, provider_txn_id as txn from orders where client_key = $1',
      [key],
    )
  )[0]!;
const evidenceOf = async (key: string): Promise<string[]> =>
  (
    await db.query<{ word: string }>(
      `select concat_ws(' ', e.kind, e.detail ->> 'reason', e.detail ->> 'providerTxnId') as word
       from order_event e join orders o on o.id = e.order_id where o.client_key = $1 order by e.at, e.kind = 'review', e.kind`,
      [key],
    )
  ).map(({ word }) => word);
const linesOf = (message: string, orderId: string) => lines.of(message).filter((line) => line.orderId === orderId);

beforeEach(() => {
  processed = new Processes();
});

describe('an outcome that a provider returned while the database was unavailable', () => {
  it.each(['MOKSHIQ', 'ROUNDPAY'] as const)(
    'is stored when the database is back, however long that takes (%s)',
    async (provider) => {
      const key = `kept ${provider}`;
      await processed.outage(provider, { [key]: accepted(`T-${provider}`) });
      await until('it is kept', () => processed.orders.unstored === 1);
      // much longer than a batch retries
      await sleep(5 * RETRY_MS);
      expect(processed.orders.unstored).toBe(1);
      await link.open();
      await processed.orders.drain();
      const { id } = await orderOf(key);
      expect(linesOf('outcome not stored', id)).toEqual([]);
      expect(await orderOf(key)).toMatchObject({ state: 'success', txn: `T-${provider}` });
      expect(await evidenceOf(key)).toEqual([`response provider_success T-${provider}`]);
      expect(processed.orders.unstored).toBe(0);
      expect(linesOf('outcome stored', id)).toHaveLength(1);
    },
  );

  it('is logged once, before the first retry, with status and transaction ID, and without personal data', async () => {
    // the batch itself retries for longer than the outage
    processed = new Processes(undefined, 600_000);
    await processed.outage('MOKSHIQ', { logged: accepted('MQ-77') });
    await until('it is logged', () => lines.of(RETRYING).at(-1)?.providerTxnId === 'MQ-77');
    await link.open();
    await processed.orders.drain();
    const { id } = await orderOf('logged');
    expect(linesOf(RETRYING, id)).toEqual([
      expect.objectContaining({
        level: 50,
        operation: 'recharge',
        provider: 'MOKSHIQ',
        apiRequestId: expect.any(String),
        result: 'accepted',
        reason: 'provider_success',
        providerStatus: 'Success',
        providerTxnId: 'MQ-77',
        err: expect.any(Object),
      }),
    ]);
  });

  it('is logged without the transaction ID if that is the number', async () => {
    const outcome: Outcome<object> = {
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer', providerStatus: 'Hello', providerTxnId: `91${ACCOUNT}` },
    };
    await processed.outage('MOKSHIQ', { personal: outcome });
    await until('it is logged', () => lines.of(RETRYING).at(-1)?.reason === outcome.evidence.reason);
    await link.open();
    await processed.orders.drain();
    const [line] = linesOf(RETRYING, (await orderOf('personal')).id);
    expect(line).toMatchObject({ providerTxnId: '[redacted]' });
    expect(line).not.toHaveProperty('providerStatus');
    expect(JSON.stringify(line)).not.toContain(ACCOUNT);
  });

  it('can be pending: its transaction ID is stored once, also if the order is in review by then', async () => {
    const pending: Outcome<object> = {
      kind: 'unknown',
      evidence: { reason: 'provider_pending', providerTxnId: 'MQ-PENDING' },
    };
    await processed.outage('MOKSHIQ', { pending });
    await until('it is retried', () => processed.orders.unstored === 1);
    // the sweeper of another process reaches the database first
    const direct = createPool(db.url, { max: 1 });
    await db.query('update order_due set due_at = now()');
    const sweeper = new StatusCheckStore(direct);
    const [order] = await sweeper.leaseDue('MOKSHIQ', 1, 1);
    await sweeper.markPending(order!, {
      dueMs: null,
      pauseMs: 1,
      review: true,
      statusCheck: true,
      event: 'status_check',
      notFound: false,
      providerTxnId: '',
      search: Buffer.alloc(0),
      detail: { reason: 'answer_not_stored' },
    });
    await direct.end();
    expect((await orderOf('pending')).state).toBe('review');
    await link.open();
    await processed.orders.drain();
    expect(await orderOf('pending')).toMatchObject({ state: 'review', txn: 'MQ-PENDING' });
    expect(await evidenceOf('pending')).toEqual([
      'status_check answer_not_stored',
      'review',
      'response provider_pending MQ-PENDING',
    ]);
    expect(
      await db.query('select reason from order_review where order_id = $1', [(await orderOf('pending')).id]),
    ).toEqual([{ reason: 'review' }]);
  });

  it('is recorded once, although the process did not receive the commit', async () => {
    const returned = Promise.withResolvers<void>();
    await processed.orders.place({
      ...placement('twice', 'ROUNDPAY'),
      send: async () => {
        await returned.promise;
        return { kind: 'unknown', evidence: { reason: 'provider_pending', providerTxnId: 'RP-1' } };
      },
    });
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    const ports = clients.map(
      (client) =>
        (client as PoolClient & { connection: { stream: { localPort: number } } }).connection.stream.localPort,
    );
    for (const port of ports) link.withhold(port);
    for (const client of clients) client.release();
    returned.resolve();
    await until('it was committed', async () => (await evidenceOf('twice')).length > 0);
    await link.close();
    link.deliver();
    await link.open();
    await processed.orders.drain();
    expect(await orderOf('twice')).toMatchObject({ state: 'open', txn: 'RP-1' });
    expect(await evidenceOf('twice')).toEqual(['response provider_pending RP-1']);
  });

  it('is kept while its order is locked', async () => {
    const lock = new Client({ connectionString: db.url });
    await lock.connect();
    const sent = Promise.withResolvers<void>();
    await processed.orders.place({
      ...placement('locked', 'MOKSHIQ'),
      send: async () => {
        await lock.query('begin');
        await lock.query(`select from orders where client_key = 'locked' for update`);
        sent.resolve();
        return accepted('MQ-LOCKED');
      },
    });
    await sent.promise;
    await until('it is kept', () => processed.orders.unstored === 1);
    await lock.end();
    await processed.orders.drain();
    expect(await evidenceOf('locked')).toEqual(['response provider_success MQ-LOCKED']);
  });
});

describe('an outcome that is not kept', () => {
  const expectLeft = async (key: string, reason: string): Promise<void> => {
    await until('it is left to the sweeper', () =>
      lines.of('outcome not stored').some((line) => line.providerTxnId === key),
    );
    await link.open();
    await processed.orders.drain();
    const { id, state } = await orderOf(key);
    expect(state).toBe('open');
    expect(linesOf('outcome not stored', id)).toEqual([expect.objectContaining({ why: reason, result: 'accepted' })]);
    await processed.sweep('MOKSHIQ');
    expect((await orderOf(key)).state).toBe('review');
    expect(await evidenceOf(key)).toEqual(['response answer_not_stored', 'review']);
  };

  it.each([
    ['bytes', { outcomes: 10, bytes: 100 }],
    ['outcomes', { outcomes: 0, bytes: 100_000 }],
  ])('because there are too many %s is logged, and the evidence of its order says so', async (limit, limits) => {
    processed = new Processes(limits);
    await processed.outage('MOKSHIQ', { [`full-of-${limit}`]: accepted(`full-of-${limit}`) });
    await expectLeft(`full-of-${limit}`, 'too many outcomes are kept');
  });

  it('because the process stops is logged, and is in the evidence of its order', async () => {
    const own = createPool(linkedUrl, { max: 2 });
    processed = new Processes(undefined, RETRY_MS, own);
    await processed.outage('MOKSHIQ', { stopped: accepted('stopped') });
    await until('it is retried', () => processed.orders.unstored === 1);
    let isDrained = false;
    const drain = processed.orders.drain().finally(() => (isDrained = true));
    processed.orders.storeUntil(performance.now() + 300);
    await new Promise((resume) => setImmediate(resume));
    expect(isDrained).toBe(false);
    await drain;
    await own.end();
    processed = new Processes();
    await expectLeft('stopped', 'the process stops');
  });

  it('does not affect the outcomes that are kept', async () => {
    processed = new Processes({ outcomes: 1, bytes: 100_000 });
    await processed.outage('MOKSHIQ', { first: accepted('first'), second: accepted('second') });
    await expectLeft('second', 'too many outcomes are kept');
    expect(await orderOf('first')).toMatchObject({ state: 'success', txn: 'first' });
    expect(await evidenceOf('first')).toEqual(['response provider_success first']);
  });
});

it('the ledger check passes after all these tests', async () => {
  expect(await db.query('select * from ledger_check()')).toEqual([]);
});
