import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fetchIdOf, owner, PAY, PAY_MUTATION } from '../card-bills/card-bills.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place, rechargeInput } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { whileRefused } from './refused-statements.fixture.js';

const test = useSharedApp();

const RECHARGE = `mutation($input: RechargeInput!) {
  recharge(input: $input) { replayed order { id status apiRequestId clientRequestId } wallet { balance version } }
}`;
const input = rechargeInput();

async function send(developer: TestDeveloper, query: string, variables: object, key?: string | Buffer) {
  const response = await fetch(`${test.urls.uat}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${developer.tokens.uat}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key.toString('latin1') }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { headers: response.headers, body: (await response.json()) as any };
}
const amountSpent = async (developer: TestDeveloper, opening: number) =>
  opening - (await test.balance(developer, 'uat'));

describe('the header Idempotency-Key', () => {
  it('is the key of a recharge without one in its input, also in REST', async () => {
    const developer = await test.developer();
    const opening = await test.balance(developer, 'uat');
    const [first, second] = [
      await send(developer, RECHARGE, { input }, 'H-1'),
      await send(developer, RECHARGE, { input }, ' H-1 '),
    ];
    expect(first.body.data.recharge).toMatchObject({ replayed: false, order: { clientRequestId: 'H-1' } });
    expect(second.body.data.recharge).toMatchObject({ replayed: true, order: first.body.data.recharge.order });
    const rest = await place(test, developer, { client_request_id: 'H-1' }, 'uat');
    expect(rest.headers.get('idempotent-replayed')).toBe('true');
    expect(await amountSpent(developer, opening)).toBe(10);
  });

  it('finds the order of a request that is rejected for another reason', async () => {
    const developer = await test.developer();
    const first = await send(developer, RECHARGE, { input }, 'H-2');
    const rejection = await send(developer, RECHARGE, { input: { ...input, circle: 'x'.repeat(200) } }, 'H-2');
    expect(rejection.body.data.recharge).toMatchObject({ replayed: true, order: first.body.data.recharge.order });
    const misfit = await send(developer, RECHARGE, { input: { ...input, geocode: 7 } }, 'H-2');
    expect(misfit.body.data.recharge).toMatchObject({ replayed: true, order: first.body.data.recharge.order });
  });

  it.each([
    ['a different key in the input', { clientRequestId: 'B' }, 'A', 'COMBINATION'],
    ['a key that is too long', {}, 'k'.repeat(101), 'TEXT'],
    ['bytes that are not text', {}, Buffer.from([0x41, 0xff]), 'TEXT'],
  ])('is rejected at clientRequestId: %s', async (_, more, key, rule) => {
    const developer = await test.developer();
    const opening = await test.balance(developer, 'uat');
    const { body } = await send(developer, RECHARGE, { input: { ...input, ...more } }, key);
    expect(body.errors[0]).toMatchObject({
      path: ['recharge'],
      extensions: { code: 'VALIDATION_FAILED', charged: false, fields: [{ path: 'input.clientRequestId', rule }] },
    });
    expect(await amountSpent(developer, opening)).toBe(0);
  });

  it('changes nothing if it is blank or equal, or if the operation moves no money', async () => {
    const developer = await test.developer();
    const opening = await test.balance(developer, 'uat');
    for (const key of ['', '  ']) {
      const { body } = await send(developer, RECHARGE, { input: { ...input, amount: key.length + 20 } }, key);
      expect(body.data.recharge.order.clientRequestId).toBeNull();
    }
    const { body } = await send(developer, RECHARGE, { input: { ...input, clientRequestId: 'same' } }, 'same');
    expect(body.data.recharge.order.clientRequestId).toBe('same');
    const read = await send(developer, '{ wallet { balance } }', {}, 'k'.repeat(300));
    expect(read.body.errors).toBeUndefined();
    expect(await amountSpent(developer, opening)).toBe(52);
  });

  it('does not replace the key of a card payment, as documented', async () => {
    const developer = await test.developer();
    const payment = { ...owner, amount: 10, fetchId: await fetchIdOf(test, developer, 'uat') };
    const opening = await test.balance(developer, 'uat');
    const { body } = await send(developer, PAY_MUTATION, { input: payment }, 'H-3');
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [{ path: 'input.clientRequestId', rule: 'REQUIRED' }],
    });
    expect(await amountSpent(developer, opening)).toBe(0);
    const words = (file: string) => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    expect(words('docs/interface.md')).toContain('`payCardBill` requires `clientRequestId`');
    expect(words('docs/guide/orders.md')).toContain('A card payment requires `clientRequestId` in its input');
  });
});

describe('a duplicate card payment', () => {
  it('gets the first response in GraphQL, and 409 in REST', async () => {
    const developer = await test.developer();
    const fetchId = await fetchIdOf(test, developer, 'uat');
    const opening = await test.balance(developer, 'uat');
    const payment = { ...owner, amount: 10, clientRequestId: 'P-1', fetchId };
    const pay = (more: object = {}, key?: string) =>
      send(
        developer,
        PAY_MUTATION.replace('wallet {', 'replayed wallet {').replace('kind', 'kind apiRequestId'),
        { input: { ...payment, ...more } },
        key,
      );
    const first = await pay();
    expect(first.body.data.payCardBill).toMatchObject({ replayed: false, order: { status: 'SUCCESS' } });
    const retry = await pay({}, 'P-1');
    expect(retry.body.data.payCardBill).toEqual({ ...first.body.data.payCardBill, replayed: true });
    expect(retry.body.extensions).toMatchObject({ replayed: true });

    const { apiRequestId } = first.body.data.payCardBill.order;
    for (const other of [{ amount: 11 }, { fetchId: 'another' }, { card: '3009' }]) {
      const { body } = await pay(other);
      expect(body.errors[0]).toMatchObject({
        path: ['payCardBill'],
        extensions: { code: 'DUPLICATE_ORDER', clientRequestId: 'P-1', orderStatus: 'success', apiRequestId },
      });
    }
    const rest = await test.rest('uat', 'POST', PAY, developer.tokens.uat, {
      ...owner,
      amount: 10,
      orderid: 'P-1',
      fetch_id: fetchId,
    });
    expect([rest.status, rest.headers.get('x-order-status'), rest.body]).toEqual([
      409,
      'success',
      {
        status: 'error',
        message: expect.any(String),
        code: 'DUPLICATE_ORDER',
        doc_url: expect.any(String),
        request_id: expect.any(String),
        order_id: 'P-1',
        order_status: 'success',
      },
    ]);
    expect(await amountSpent(developer, opening)).toBe(10);
  });
});

describe('a failed read next to a payment', () => {
  const HELD = `mutation($input: RechargeInput!) {
    recharge(input: $input) { order { id status apiRequestId } wallet { balance held } }
  }`;
  it('leaves the order in the response, and reports that money is held', async () => {
    const developer = await test.developer();
    const [paid, declined, read] = await whileRefused(test, ['wallets-held'], async () => [
      await send(developer, HELD, { input: { ...input, clientRequestId: 'F-1' } }),
      await send(developer, HELD, { input: { ...input, accountNumber: '9876540001', clientRequestId: 'F-2' } }),
      await send(developer, '{ wallet { balance held } }', {}),
    ]);
    expect(paid.body.data.recharge).toMatchObject({ order: { status: 'SUCCESS' }, wallet: { held: null } });
    expect(paid.body.errors).toMatchObject([
      {
        path: ['recharge', 'wallet', 'held'],
        extensions: {
          charged: true,
          apiRequestId: paid.body.data.recharge.order.apiRequestId,
          clientRequestId: 'F-1',
          orderStatus: 'success',
        },
      },
    ]);
    // A refunded amount is not held.
    expect(declined.body.data.recharge.order.status).toBe('FAILED');
    expect(declined.body.errors[0].extensions).toMatchObject({ charged: false, orderStatus: 'failed' });
    // A field that cannot charge.
    expect(read.body.data.wallet).toMatchObject({ balance: expect.any(Number), held: null });
    expect(read.body.errors[0].extensions).toMatchObject({ code: 'INTERNAL', charged: false });
    expect(read.body.errors[0].extensions.apiRequestId).toBeUndefined();
  });
});
