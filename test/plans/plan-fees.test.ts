import { describe, expect, it } from 'vitest';
import { rupees } from '../../src/core/money.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { useSharedApp } from '../support/use-app.js';
import { feesPaise, inPaise, lookupNames, lookups, transfersOf, viaRest } from './lookups.fixture.js';

const test = useSharedApp();

const balanceOf = async (developer: TestDeveloper) => inPaise(await test.balance(developer, 'production'));
const find = (developer: TestDeveloper, body: Record<string, unknown> = {}) =>
  viaRest(test, 'production', developer, 'operator-fetch', { ...lookups['operator-fetch'].body, ...body });
const kindsOf = async (developer: TestDeveloper) => (await transfersOf(test, developer)).map(({ kind }) => kind);
const statesOf = async ({ id }: TestDeveloper) =>
  (await test.db.query<{ state: string }>('select state from orders where developer_id = $1', [id])).map(
    ({ state }) => state,
  );

describe('the fee of a lookup', () => {
  it('is that of the service, held before the call and kept after it, and wallet_balance matches the ledger', async () => {
    const developer = await test.developer({ feesPaise });
    let expected = await balanceOf(developer);
    for (const name of lookupNames) {
      const { body } = await viaRest(test, 'production', developer, name, lookups[name].body);
      expected -= lookups[name].feePaise;
      expect(inPaise(body.fee)).toBe(lookups[name].feePaise);
      expect(inPaise(body.wallet_balance)).toBe(expected);
      expect(await balanceOf(developer)).toBe(expected);
    }
    expect(await transfersOf(test, developer)).toMatchObject(
      lookupNames.flatMap((name) => [
        { kind: 'hold', operation: 'lookup', paise: lookups[name].feePaise },
        { kind: 'settle', operation: 'lookup', paise: lookups[name].feePaise, balance: null },
      ]),
    );
    const income = await test.db.query<{ total: number }>(
      `select sum(amount_paise)::int as total from ledger_entry where developer_id = $1 and to_account = 'fee_income'`,
      [developer.id],
    );
    expect(income[0]!.total).toBe(lookupNames.reduce((sum, name) => sum + lookups[name].feePaise, 0));
  });

  it.each([
    ['returns Failure', '0001'],
    ['does not respond', '0002'],
    ['returns an HTML page with HTTP 500', '0007'],
    ['truncates its response', '0008'],
    ['resets the connection', '0012'],
  ])('is refunded once when the provider %s', async (_name, suffix) => {
    const developer = await test.developer({ feesPaise });
    const { status, body } = await find(developer, { mobile: `946854${suffix}` });
    expect([status, body.code]).toEqual([400, 'PROVIDER_FAILED']);
    expect(body).not.toHaveProperty('wallet_balance');
    expect(await balanceOf(developer)).toBe(10_000_00);
    expect(await transfersOf(test, developer)).toMatchObject([
      { kind: 'hold', paise: 10 },
      { kind: 'refund', paise: 10, balance: String(10_000_00) },
    ]);
    await test.app.sweeper.sweep();
    expect(await kindsOf(developer)).toEqual(['hold', 'refund']);
  });

  it('is charged for the next call after a failure because only successes are stored', async () => {
    const developer = await test.developer({ feesPaise });
    const body = { mobile: '9468540001', orderid: 'again' };
    expect((await find(developer, body)).status).toBe(400);
    await test.simulator.outcome('0001', 'success');
    const second = await find(developer, body);
    expect([second.status, second.body.fee]).toEqual([200, 0.1]);
    expect(await kindsOf(developer)).toEqual(['hold', 'refund', 'hold', 'settle']);
    await test.simulator.reset();
  });

  it('is rejected with an empty wallet before the provider is called, and the orderid can be reused', async () => {
    const developer = await test.developer({ feesPaise, liveRupees: 0 });
    await test.simulator.reset();
    const { status, body } = await find(developer);
    expect([status, body.code, body.status]).toEqual([400, 'INSUFFICIENT_BALANCE', 'error']);
    expect(await test.simulator.calls('ekychub')).toEqual([]);
    await creditWallet(
      test.app,
      { developerId: developer.id, environment: 'production', amountPaise: rupees(1), reference: 'late' },
      seed,
    );
    const second = await find(developer);
    expect([second.status, second.body.wallet_balance]).toEqual([200, 0.9]);
  });

  it('of zero writes no rows, and every call is live', async () => {
    const developer = await test.developer();
    await test.simulator.reset();
    const rows = () =>
      test.db.query(
        `select (select count(*) from orders where developer_id = $1) as orders, (select count(*) from transfer where developer_id = $1) as transfers,
          (select sum(version) from wallet where developer_id = $1) as versions`,
        [developer.id],
      );
    const rowsBefore = await rows();
    for (const name of lookupNames)
      for (const environment of ['production', 'production', 'uat'] as const) {
        const { status, body } = await viaRest(test, environment, developer, name, lookups[name].body);
        expect([status, body.fee]).toEqual([200, 0]);
        expect(body.wallet_balance).toBe(await test.balance(developer, environment));
      }
    expect((await find(developer, { mobile: '9468540001' })).status).toBe(400);
    expect(await rows()).toEqual(rowsBefore);
    // two Production calls per lookup, and the one that failed
    expect(await test.simulator.calls('ekychub')).toHaveLength(2 * lookupNames.length + 1);
  });
});

it('a lookup is rejected without a charge while the provider’s circuit breaker is open', async () => {
  const developer = await test.developer({ feesPaise, rateLimitPerMinute: 200 });
  await test.simulator.outage('ekychub', true);
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 20 }, (_, n) => find(developer, { orderid: `outage ${round} ${n}` })));
  const orders = (await statesOf(developer)).length;
  const { status, body, headers } = await find(developer, { orderid: 'while open' });
  expect([status, body.code, body.status]).toEqual([503, 'PROVIDER_UNAVAILABLE', 'error']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statesOf(developer)).toHaveLength(orders);
  expect(await balanceOf(developer)).toBe(10_000_00);
  await test.simulator.outage('ekychub', false);
});
