import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId, referenceOf } from '../../src/core/ids.js';
import { paise, rupees } from '../../src/core/money.js';
import { releaseLookups } from '../../src/orders/charged-lookup.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { ageLookups } from '../support/orders.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { feesPaise, inPaise, lookupNames, lookups, transfersOf, viaGraphql, viaRest } from './lookups.fixture.js';

const test = useSharedApp();

const balanceOf = async (developer: TestDeveloper) => inPaise(await test.balance(developer, 'production'));
const find = (developer: TestDeveloper, body: Record<string, unknown> = {}) =>
  viaRest(test, 'production', developer, 'operator-fetch', { ...lookups['operator-fetch'].body, ...body });
const kindsOf = async (developer: TestDeveloper) => (await transfersOf(test, developer)).map(({ kind }) => kind);
const statesOf = async ({ id }: TestDeveloper) =>
  (await test.db.query<{ state: string }>('select state from orders where developer_id = $1', [id])).map(
    ({ state }) => state,
  );
const callsOf = async (path: string) =>
  (await test.simulator.calls('ekychub')).filter((call) => call.path.endsWith(path));

describe('a repeated orderid', () => {
  it('returns the stored data free of charge for ten minutes if the body is equal, over either API, with the current balance', async () => {
    const developer = await test.developer({ feesPaise });
    await test.simulator.reset();
    for (const name of lookupNames) {
      const { body } = lookups[name];
      const first = await viaRest(test, 'production', developer, name, body);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      await creditWallet(
        test.app,
        { developerId: developer.id, environment: 'production', amountPaise: rupees(5), reference: `credit ${name}` },
        seed,
      );
      const retry = await viaRest(test, 'production', developer, name, body);
      expect(retry.body.data).toEqual(first.body.data);
      expect([retry.status, retry.body.fee]).toEqual([200, 0]);
      expect(inPaise(retry.body.wallet_balance)).toBe(inPaise(first.body.wallet_balance) + 500);
      expect(retry.headers.get('idempotent-replayed')).toBe('true');
      const graphql = await viaGraphql(test, 'production', developer, name, body);
      expect(graphql.body.data.result).toMatchObject({
        fee: 0,
        replayed: true,
        wallet: { balance: retry.body.wallet_balance },
      });
      expect(lookups[name].dataOf(graphql.body.data.result)).toEqual(first.body.data);
      expect(graphql.body.extensions).toEqual({ replayed: true });
    }
    expect(await test.simulator.calls('ekychub')).toHaveLength(lookupNames.length);
    expect(await kindsOf(developer)).toEqual(lookupNames.flatMap(() => ['hold', 'settle']));
  });

  it('is optional over GraphQL: equal lookups without one are charged once in ten minutes, different ones separately', async () => {
    const developer = await test.developer({ feesPaise });
    await test.simulator.reset();
    const look = async (mobile: string, more = '') => {
      const query = `{ operatorFind(input: { mobile: "${mobile}"${more} }) { clientRequestId fee replayed plans(opcode: BT) { fee clientRequestId } } }`;
      const { body } = await test.graphql('production', developer.tokens.production, query);
      expect(body.errors).toBeUndefined();
      return body.data.operatorFind;
    };
    const without = { clientRequestId: null, fee: 0.1, replayed: false };
    expect(await look('9468455123')).toEqual({ ...without, plans: { fee: 0.25, clientRequestId: null } });
    const free = { ...without, fee: 0, replayed: true, plans: { fee: 0, clientRequestId: null } };
    // null is the same as a missing value
    for (const more of ['', ', clientRequestId: null']) expect(await look('9468455123', more)).toEqual(free);
    expect(await test.balance(developer, 'production')).toBeCloseTo(10_000 - 0.35, 6);
    const charged = [await look('9468455124'), await look('9468455123', ', clientRequestId: "mine"')];
    expect(charged.map(({ fee, plans }) => [fee, plans.fee])).toEqual([
      [0.1, 0.25],
      [0.1, 0.25],
    ]);
    expect(await test.balance(developer, 'production')).toBeCloseTo(10_000 - 3 * 0.35, 6);
    expect(await test.simulator.calls('ekychub')).toHaveLength(6);
    await ageLookups(test.db, developer.id, 10);
    expect((await look('9468455123')).fee).toBe(0.1);
    // other accounts never receive the stored response
    const other = await test.developer({ feesPaise });
    const { body } = await test.graphql(
      'production',
      other.tokens.production,
      '{ operatorFind(input: { mobile: "9468455123" }) { fee } }',
    );
    expect(body.data.operatorFind.fee).toBe(0.1);
  });

  it('is required over REST and reported together with other errors', async () => {
    const developer = await test.developer({ feesPaise });
    for (const orderid of [undefined, null]) {
      const { status, body } = await find(developer, { orderid, mobile: '12' });
      expect([status, body.code, body.errors]).toEqual([
        422,
        'VALIDATION_FAILED',
        { mobile: ['Must be exactly 10 digits.'], orderid: ['This field is required.'] },
      ]);
    }
    expect(await test.balance(developer, 'production')).toBe(10_000);
  });

  it('is a new lookup after ten minutes', async () => {
    const developer = await test.developer({ feesPaise });
    await find(developer);
    await ageLookups(test.db, developer.id, 10);
    const { body } = await find(developer);
    expect(body.fee).toBe(0.1);
    expect((await find(developer)).body.fee).toBe(0);
    expect(await balanceOf(developer)).toBe(10_000_00 - 20);
  });

  it('finds no response older than ten minutes, and the earlier fee is kept', async () => {
    const developer = await test.developer({ feesPaise });
    for (const orderid of ['old', 'young']) await find(developer, { orderid });
    const stored = () =>
      test.db.query<{ key: boolean; answer: boolean }>(
        `select exists (select from order_key k where k.order_id = o.id) as key, exists (select from lookup_answer a where a.order_id = o.id) as answer
         from orders o where developer_id = $1 order by id`,
        [developer.id],
      );
    await ageLookups(test.db, developer.id, 11, 1);
    const stillStored = { key: true, answer: true };
    expect(await stored()).toEqual([stillStored, stillStored]);
    expect(await releaseLookups(test.app.pool, 500)).toBeGreaterThanOrEqual(1);
    expect(await stored()).toEqual([{ key: false, answer: false }, stillStored]);
    expect(await kindsOf(developer)).toEqual(['hold', 'settle', 'hold', 'settle']);
    expect((await find(developer, { orderid: 'young' })).body.fee).toBe(0);
    expect((await find(developer, { orderid: 'old' })).body.fee).toBe(0.1);
  });

  it('keeps the key of the second lookup when that of the first one is released', async () => {
    const developer = await test.developer({ feesPaise });
    await find(developer);
    await ageLookups(test.db, developer.id, 11);
    expect((await find(developer)).body.fee).toBe(0.1);
    expect(await releaseLookups(test.app.pool, 500)).toBeGreaterThanOrEqual(1);
    expect((await find(developer)).body.fee).toBe(0);
    expect(await balanceOf(developer)).toBe(10_000_00 - 20);
  });

  it('with a different body or endpoint is a different lookup', async () => {
    const developer = await test.developer({ feesPaise });
    const orderid = 'one for all';
    const fees: number[] = [];
    for (const body of [{ mobile: '9468455123' }, { mobile: '9468455124' }, { mobile: '9468455123', orderid: 'other' }])
      fees.push((await find(developer, { orderid, ...body })).body.fee);
    for (const opcode of ['STV', 'DTV'])
      for (const name of ['dth-plan-fetch', 'dth-info'] as const)
        fees.push(
          (await viaRest(test, 'production', developer, name, { dth_number: '0721', opcode, orderid })).body.fee,
        );
    expect(fees).toEqual([0.1, 0.1, 0.1, 0.13, 0.07, 0.13, 0.07]);
    // spaces and the case of an opcode are ignored
    const sameInput = { dth_number: ' 0721 ', opcode: 'stv', orderid };
    expect((await viaRest(test, 'production', developer, 'dth-info', sameInput)).body.fee).toBe(0);
  });

  it('sent twelve times at once is looked up and charged once', async () => {
    const developer = await test.developer({ feesPaise });
    await test.simulator.reset();
    await test.simulator.latency('ekychub', 150);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2
          ? find(developer)
          : viaGraphql(test, 'production', developer, 'operator-fetch', lookups['operator-fetch'].body),
      ),
    );
    await test.simulator.latency('ekychub', 0);
    const fees = responses.map(({ body }) => body.fee ?? body.data.result.fee);
    expect(fees.toSorted()).toEqual([...Array(11).fill(0), 0.1]);
    expect(await callsOf('operator_fetch')).toHaveLength(1);
    expect(await kindsOf(developer)).toEqual(['hold', 'settle']);
  });

  it('in one document charges equal aliases once and different ones separately', async () => {
    const developer = await test.developer({ feesPaise });
    const { body } = await test.graphql(
      'production',
      developer.tokens.production,
      `{
        a: operatorFind(input: { mobile: "9468455123", clientRequestId: "e" }) { fee }
        b: operatorFind(input: { mobile: "9468455123", clientRequestId: "e" }) { fee }
        c: operatorFind(input: { mobile: "9468455124", clientRequestId: "e" }) { fee }
      }`,
    );
    const { a, b, c } = body.data;
    expect([a.fee + b.fee, c.fee]).toEqual([0.1, 0.1]);
    expect(await test.balance(developer, 'production')).toBe(10_000 - 0.2);
  });
});

describe('a lookup whose process crashed', () => {
  it('between hold and response is refunded by the sweeper, once', async () => {
    const developer = await test.developer({ feesPaise });
    const id = newId();
    const hold = await test.app.ledger.hold({
      developerId: developer.id,
      environment: 'production',
      operation: 'lookup',
      id,
      reference: referenceOf(id),
      clientKey: 'a lookup that nobody waits for',
      fingerprint: randomBytes(32),
      amountPaise: paise(25),
      provider: 'EKYCHUB',
      request: Buffer.from('sealed'),
      accountHash: randomBytes(32),
      leaseMs: 800,
    });
    expect(hold).toMatchObject({ outcome: 'accepted', balancePaise: 9_999_75n });
    expect(await kindsOf(developer)).toEqual(['hold']);
    await until('the fee is refunded', async () => (await kindsOf(developer)).length > 1);
    await test.app.sweeper.sweep();
    expect(await kindsOf(developer)).toEqual(['hold', 'refund']);
    expect(await statesOf(developer)).toEqual(['failed']);
    expect(await balanceOf(developer)).toBe(10_000_00);
  });

  it('fails even if its response is still on the way, and is refunded once', async () => {
    const developer = await test.developer({ feesPaise });
    await test.simulator.latency('ekychub', 1_800);
    const lookup = find(developer);
    await until('the lookup exists', async () => (await statesOf(developer)).length === 1);
    await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
    await test.app.sweeper.sweep();
    await until('the lookup has failed', async () => (await statesOf(developer))[0] === 'failed');
    await test.simulator.latency('ekychub', 0);
    const { status, body } = await lookup;
    expect([status, body.code]).toEqual([400, 'PROVIDER_FAILED']);
    expect(await kindsOf(developer)).toEqual(['hold', 'refund']);
    expect(await balanceOf(developer)).toBe(10_000_00);
    expect((await find(developer)).body.fee).toBe(0.1);
  });
});
