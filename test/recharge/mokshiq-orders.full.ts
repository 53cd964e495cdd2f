import { beforeAll, describe, expect, it } from 'vitest';
import { mismatches } from '../rest/schemas/common.js';
import { rechargePending } from '../rest/schemas/recharge.schemas.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { mokshiqTools } from './mokshiq.fixture.js';

const test = useSharedApp();
let tools: ReturnType<typeof mokshiqTools>;
/** A shared Mokshiq account for tests that need no account of their own. */
let developer: TestDeveloper;
beforeAll(async () => {
  tools = mokshiqTools(test);
  developer = await tools.mokshiqDeveloper();
});

describe('an unknown outcome at Mokshiq', () => {
  const scripts: [what: string, suffix: string, performed: boolean][] = [
    ['no response, completed', '0002', true],
    ['no response, not completed', '0003', false],
    ['no response, never received', '0004', false],
    ['pending', '0005', true],
    ['an HTML page with 500', '0007', true],
    ['a truncated response', '0008', true],
    ['a different amount', '0011', true],
    ['a reset connection', '0012', true],
  ];

  it('needs review: the order stays pending and is never refunded or sent again automatically', async () => {
    const holder = await tools.mokshiqDeveloper();
    await test.simulator.reset();
    const requests = scripts.map(([name, suffix]) => ({
      account_number: `987654${suffix}`,
      circle: '10',
      client_request_id: name,
    }));
    const firsts = await Promise.all(requests.map((request) => tools.recharge(holder, request)));
    for (let n = 0; n < 3; n++) await test.app.sweeper.sweep();
    const retries = await Promise.all(requests.map((request) => tools.recharge(holder, request)));
    scripts.forEach(([name], index) => {
      const [first, second] = [firsts[index]!, retries[index]!];
      expect([name, first.status, second.status]).toEqual([name, 200, 200]);
      expect(mismatches(rechargePending, first.body), name).toEqual([]);
      expect(second.body, name).toEqual(first.body);
      expect(second.headers.get('idempotent-replayed'), name).toBe('true');
    });
    expect(await tools.ordersOf(holder)).toEqual(scripts.map(() => ({ provider: 'MOKSHIQ', state: 'review' })));
    expect(await tools.kindsOf(holder)).toEqual(scripts.map(() => 'hold'));
    expect(await test.balance(holder, 'production')).toBe(10_000 - 10 * scripts.length);
    expect(await tools.called()).toEqual(scripts.map(() => '/mokshiq/create_mobile_recharge'));
    const book = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
    expect(book.map(({ account }) => account).toSorted()).toEqual(
      scripts.filter(([, , isCompleted]) => isCompleted).map(([, suffix]) => `987654${suffix}`),
    );
  });

  it('shows its evidence and stays pending over GraphQL too', async () => {
    await tools.recharge(developer, { account_number: '9876540007', circle: '10', client_request_id: 'evidence' });
    const { body: responseBody } = await test.graphql(
      'production',
      developer.tokens.production,
      `{ order(kind: RECHARGE, clientRequestId: "evidence") {
        status settledAt decline { reason } timeline { kind detail }
      } }`,
    );
    const { status, settledAt, decline, timeline } = responseBody.data.order;
    expect([status, settledAt, decline]).toEqual(['PENDING', null, null]);
    const kinds = timeline.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['HOLD', 'RESPONSE', 'REVIEW']));
    expect(kinds).not.toEqual(expect.arrayContaining(['REFUND']));
    expect(timeline.find(({ kind }: { kind: string }) => kind === 'RESPONSE').detail).toContain('HTTP 500');
  });
});

it('a declined recharge is refunded immediately', async () => {
  const balanceBefore = await test.balance(developer, 'production');
  const { status, body: responseBody } = await tools.recharge(developer, {
    account_number: '9876540001',
    circle: '10',
  });
  expect([status, responseBody.code]).toEqual([400, 'PROVIDER_DECLINED']);
  expect((await tools.kindsOf(developer)).slice(-2)).toEqual(['hold', 'refund']);
  expect(await test.balance(developer, 'production')).toBe(balanceBefore);
});

describe('the assigned provider', () => {
  const providersCalled = async () => [...new Set((await tools.called()).map((path) => path.split('/')[1]))];

  it('leaves a Mokshiq order in review when the developer is moved back to RoundPay', async () => {
    const mover = await tools.mokshiqDeveloper();
    const request = { account_number: '9876540008', circle: '10', client_request_id: 'mine' };
    expect((await tools.recharge(mover, request)).body.status).toBe('pending');
    await test.app.developers.assignProvider(mover.id, 'ROUNDPAY', seed);
    await test.simulator.reset();
    expect((await tools.recharge(mover, request)).body.status).toBe('pending');
    await test.app.sweeper.sweep();
    expect(await tools.ordersOf(mover)).toEqual([{ provider: 'MOKSHIQ', state: 'review' }]);
    expect(await tools.called()).toEqual([]);
    expect((await tools.recharge(mover, { client_request_id: 'next' })).status).toBe(200);
    expect(await providersCalled()).toEqual(['roundpay']);
  });

  it('of a white label applies to all its developers from their next request', async () => {
    const [first, second] = [await test.developer(), await test.developer()];
    const label = await test.app.whiteLabels.create('Reseller', 'MOKSHIQ', seed);
    await test.app.developers.change('moveToWhiteLabel', { developerId: first.id, whiteLabelId: label.id }, seed);
    const providersOf = async (...accounts: TestDeveloper[]) => {
      await test.simulator.reset();
      for (const account of accounts)
        expect((await tools.recharge(account, { circle: '10', allow_duplicate: true })).status).toBe(200);
      return (await test.simulator.book()).map(({ provider }) => provider);
    };
    expect(await providersOf(first, second)).toEqual(['mokshiq', 'roundpay']);
    await test.app.developers.change('moveToWhiteLabel', { developerId: second.id, whiteLabelId: label.id }, seed);
    expect(await providersOf(first, second)).toEqual(['mokshiq', 'mokshiq']);
    await test.app.whiteLabels.assignProvider(label.id, 'ROUNDPAY', seed);
    expect(await providersOf(first, second)).toEqual(['roundpay', 'roundpay']);
    await test.app.whiteLabels.assignProvider(label.id, 'MOKSHIQ', seed);
    await test.app.developers.change('removeFromWhiteLabel', { developerId: second.id }, seed);
    expect(await providersOf(first, second)).toEqual(['mokshiq', 'roundpay']);
  });

  it('is ignored in UAT', async () => {
    await test.simulator.reset();
    const { status } = await tools.recharge(developer, {}, 'uat');
    expect(status).toBe(200);
    expect(await tools.called()).toEqual([]);
  });

  // runs last because the status of its second order is checked with the provider until the file ends
  it('changes for the next recharge; existing orders keep their provider', async () => {
    const mover = await test.developer();
    await test.simulator.reset();
    const completed = { account_number: '9876540002', client_request_id: 'performed' };
    // RoundPay validates unlisted operator keys itself; Mokshiq has no mapping for this one
    const unsent = { operator_sp_key: 999, client_request_id: 'lost' };
    expect((await tools.recharge(mover, completed)).body.status).toBe('pending');
    await test.simulator.outage('roundpay', true);
    expect((await tools.recharge(mover, unsent)).body.status).toBe('pending');
    await test.app.developers.assignProvider(mover.id, 'MOKSHIQ', seed);
    // a retry refers to the first order regardless of the provider assigned now
    for (const request of [completed, unsent]) {
      const retry = await tools.recharge(mover, request);
      expect([retry.status, retry.body.status, retry.headers.get('idempotent-replayed')]).toEqual([
        200,
        'pending',
        'true',
      ]);
    }
    await test.simulator.outage('roundpay', false);
    await until('the order succeeds', async () => (await tools.ordersOf(mover))[0]!.state === 'success');
    expect(await providersCalled()).toEqual(['roundpay']);
    expect((await tools.recharge(mover, completed)).body.status).toBe('success');

    expect((await tools.recharge(mover, { ...unsent, client_request_id: 'new' })).body.errors).toHaveProperty(
      'operator_sp_key',
    );
    expect((await tools.recharge(mover, { client_request_id: 'newer', circle: '10' })).status).toBe(200);
    expect((await tools.ordersOf(mover)).map(({ provider }) => provider)).toEqual(['ROUNDPAY', 'ROUNDPAY', 'MOKSHIQ']);
  });
});
