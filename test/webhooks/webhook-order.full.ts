import { expect, it, onTestFinished } from 'vitest';
import { useConsole } from '../console/console.fixture.js';
import { until } from '../support/until.js';
import { type Reaction, startReceiver } from './receiver.fixture.js';
import { type Account, accountOf, createEndpoint, logOf, recharge } from './webhooks.fixture.js';

const on = useConsole({ WEBHOOK_RETRY_DELAY_MAX_S: '3600s' });

const failsFor =
  (seconds: number): Reaction =>
  (response) =>
    response.writeHead(503, { 'retry-after': String(seconds) }).end();

/** A recharge that was reversed after the first attempt to deliver its success had failed. */
async function reversedOrder(retryAfterS: number) {
  const [receiver, account] = [await startReceiver(), await accountOf(on)];
  onTestFinished(() => receiver.close());
  const endpoint = await createEndpoint(on, account, receiver.url);
  receiver.react(failsFor(retryAfterS));
  await recharge(on, account);
  await until('the first attempt failed', async () => (await logOf(on, account, endpoint.id))[0]?.attemptCount === 1);
  await reverse(account);
  const eventOf = async (type: string) =>
    (await logOf(on, account, endpoint.id)).find((line) => line.type === `RECHARGE_${type}`);
  await until('the reversal is held', async () => {
    const reversed = await eventOf('REVERSED');
    return reversed && Date.parse(reversed.nextAttemptAt) - Date.parse(reversed.occurredAt) > 4_000;
  });
  return { receiver, account, eventOf, types: () => receiver.received.map(({ body }) => body.type) };
}

async function reverse({ developer }: Account): Promise<void> {
  const [order] = await on.test.db.query<{ id: string }>('select id from orders where developer_id = $1', [
    developer.id,
  ]);
  expect(await on.test.app.ledger.reverse(developer.id, order!.id, {})).toBe('reversed');
}

const makeDue = ({ developer }: Account, event: string) =>
  on.test.db.query(
    `update pgboss.job j set start_after = now() from webhook_delivery d
      where d.developer_id = $1 and d.event = $2 and j.name = 'webhook' and j.id = d.job_id and j.state < 'active'`,
    [developer.id, event],
  );

it('a reversal is delivered after the success of its order, and waiting uses no attempt', async () => {
  const { account, eventOf, receiver, types } = await reversedOrder(2);
  const nextAttempt = async () => (await eventOf('REVERSED')).nextAttemptAt;
  const attemptBefore = await nextAttempt();
  await makeDue(account, 'reversed');
  await until('it is held again', async () => receiver.received.length > 1 || (await nextAttempt()) !== attemptBefore);
  await receiver.has(2);
  expect(types().slice(0, 2)).toEqual(['recharge.succeeded', 'recharge.succeeded']);
  await until('the success is delivered', async () => (await eventOf('SUCCEEDED')).state === 'DELIVERED');
  await makeDue(account, 'reversed');
  await receiver.has(3);
  expect(types()).toEqual(['recharge.succeeded', 'recharge.succeeded', 'recharge.reversed']);
  await until('the reversal is delivered', async () => (await eventOf('REVERSED')).state === 'DELIVERED');
  expect(await eventOf('REVERSED')).toMatchObject({ attemptCount: 1, error: null });
  const jobs = await on.test.db.query(
    `select distinct j.retry_count from pgboss.job j join webhook_delivery d on d.job_id = j.id
      where d.developer_id = $1 and d.event = 'reversed'`,
    [account.developer.id],
  );
  expect(jobs).toEqual([{ retry_count: 0 }]);
});

it('a reversal waits for at most ten minutes', async () => {
  const { account, eventOf, receiver, types } = await reversedOrder(3_000);
  const { occurredAt, nextAttemptAt } = await eventOf('REVERSED');
  const delayS = (Date.parse(nextAttemptAt) - Date.parse(occurredAt)) / 1_000;
  expect(delayS).toBeGreaterThanOrEqual(600);
  expect(delayS).toBeLessThan(660);
  expect(types()).toEqual(['recharge.succeeded']);
  await on.test.db.query(
    `update webhook_delivery set created_at = created_at - interval '10 minutes' where developer_id = $1`,
    [account.developer.id],
  );
  await makeDue(account, 'reversed');
  await receiver.has(2);
  expect(types()).toEqual(['recharge.succeeded', 'recharge.reversed']);
  expect(await eventOf('SUCCEEDED')).toMatchObject({ state: 'PENDING', attemptCount: 1 });
});

it('events of other orders and other endpoints do not wait', async () => {
  const { account, receiver, types } = await reversedOrder(3_000);
  const other = await startReceiver();
  onTestFinished(() => other.close());
  await createEndpoint(on, account, other.url);
  await recharge(on, account);
  await Promise.all([receiver.has(2), other.has(1)]);
  expect(types()).toEqual(['recharge.succeeded', 'recharge.succeeded']);
});
