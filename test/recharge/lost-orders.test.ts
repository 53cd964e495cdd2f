import { beforeAll, expect, it } from 'vitest';
import { newId, referenceOf } from '../../src/core/ids.js';
import { Secret } from '../../src/core/secret.js';
import { referenceFor } from '../../src/orders/order.store.js';
import type { TestDeveloper } from '../support/app.js';
import { developerNumber } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const recharge = (key: string) => place(test, developer, { client_request_id: key, account_number: '9812345678' });

/** Deletes an order the way a restore to an earlier point in time does, and restores the wallet. Archiving keeps the key. */
async function loseOrder(key: string, more = ['order_key', 'order_reference', 'order_due']): Promise<void> {
  const [order] = await test.db.query<{ id: string; amount: string }>(
    'select id, amount_paise::text as amount from orders where developer_id = $1 and client_key = $2',
    [developer.id, key],
  );
  const parameters = [developer.id, order!.id];
  await test.db.query('delete from order_event where developer_id = $1 and order_id = $2', parameters);
  await test.db.query('delete from transfer where developer_id = $1 and subject_id = $2', parameters);
  await test.db.query('delete from orders where developer_id = $1 and id = $2', parameters);
  for (const table of more)
    await test.db.query(`delete from ${table} where developer_id = $1 and order_id = $2`, parameters);
  await test.db.query(
    `update wallet set balance_paise = balance_paise + $2::bigint, version = version - 1 where developer_id = $1 and environment = 'production'`,
    [developer.id, order!.amount],
  );
}

it('an order lost by a restore is not processed again when its idempotency key is reused', async () => {
  const first = await recharge('before the restore');
  expect([first.status, first.body.status]).toEqual([200, 'success']);
  const payments = async () => (await test.simulator.book()).filter(({ account }) => account === '9812345678');
  expect(await payments()).toHaveLength(1);
  await loseOrder('before the restore');

  const retry = await recharge('before the restore');
  expect([retry.status, retry.body.status]).toEqual([200, 'success']);
  expect(retry.headers.get('idempotent-replayed')).toBeNull();
  const { api_request_id, provider_txn_id } = first.body.data;
  expect(retry.body.data).toMatchObject({ api_request_id, provider_txn_id });
  expect(await payments()).toHaveLength(1);
});

it('an idempotency key of an archived order is rejected with the reference of that order and charges nothing', async () => {
  const { body } = await recharge('of long ago');
  await loseOrder('of long ago', ['order_reference', 'order_due']);
  const paymentCount = (await test.simulator.book()).length;
  const balance = await test.balance(developer, 'production');
  const retry = await recharge('of long ago');
  expect([retry.status, retry.body.status, retry.body.code]).toEqual([409, 'error', 'IDEMPOTENCY_KEY_REUSED']);
  expect(retry.body.message).toMatch(/archived/);
  expect(retry.body.api_request_id).toBe(body.data.api_request_id);
  expect(await test.balance(developer, 'production')).toBe(balance);
  expect(await test.simulator.book()).toHaveLength(paymentCount);
});

it('an idempotency key maps to one reference per developer, environment and kind of payment', () => {
  const secret = new Secret('a secret of references');
  const scope = { developerId: developerNumber(1), environment: 'production', operation: 'recharge' } as const;
  const reference = (more: object = {}, key = 'a key', by = secret) =>
    referenceFor(by, { ...scope, ...more }, key, newId());
  expect(reference()).toMatch(/^[0-9A-Z]{25}$/);
  expect(reference()).toBe(reference());
  const otherReferences = [
    reference({ developerId: developerNumber(2) }),
    reference({ environment: 'uat' }),
    reference({ operation: 'card_payment' }),
    reference({}, 'a Key'),
    reference({}, 'a key', new Secret('another secret of references')),
  ];
  expect(new Set([reference(), ...otherReferences]).size).toBe(6);
});

it('payments without an idempotency key and lookups use the reference of their row', () => {
  const secret = new Secret('a secret of references');
  const scope = { developerId: developerNumber(1), environment: 'production' } as const;
  const id = newId();
  expect(referenceFor(secret, { ...scope, operation: 'recharge' }, null, id)).toBe(referenceOf(id));
  expect(referenceFor(secret, { ...scope, operation: 'lookup' }, 'a key', id)).toBe(referenceOf(id));
});
