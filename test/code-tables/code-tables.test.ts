import { beforeAll, describe, expect, it } from 'vitest';
import { services as names } from '../../src/core/services.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({
    feesPaise: { operator_fetch: 25 },
    disabledServices: ['dth_info'],
    rateLimitPerMinute: 1_000,
  });
});

const send = async (query: string, host: 'uat' | 'production' = 'uat') =>
  (await test.graphql(host, developer.tokens[host], query)).body.data;

describe('a recharge screen', () => {
  it('shows every operator with the key that recharges use', async () => {
    const { operators } = await send('{ operators { id name type spKey opcode } }');
    expect(operators).toHaveLength(10);
    expect(operators[0]).toEqual({ id: 'opr_airtel', name: 'Airtel', type: 'MOBILE', spKey: 3, opcode: 'A' });
    expect(new Set(operators.map(({ id }: { id: string }) => id)).size).toBe(10);
    for (const { spKey, type } of operators) {
      const order = {
        account_number: type === 'DTH' ? '1234567890' : '9876543210',
        operator_sp_key: spKey,
        operator_type: type.toLowerCase(),
        client_request_id: `key ${spKey}`,
      };
      const { body } = await place(test, developer, order, 'uat');
      expect([spKey, body.status]).toEqual([spKey, 'success']);
    }
  });

  it('shows only the operators of one kind', async () => {
    const { operators } = await send('{ operators(type: DTH) { type } }');
    expect(new Set(operators.map(({ type }: { type: string }) => type))).toEqual(new Set(['DTH']));
  });

  it('recharges with the operator that was found for a number', async () => {
    const found = async (host: 'uat' | 'production') =>
      (
        await send(
          `{ operatorFind(input: { mobile: "9876543210", clientRequestId: "s" }) {
            operatorName operator { name spKey }
          } }`,
          host,
        )
      ).operatorFind;
    for (const host of ['uat', 'production'] as const)
      expect(await found(host)).toEqual({ operatorName: 'Vi', operator: { name: 'Vi', spKey: 37 } });
  });

  it('shows the circles with the codes that plan queries use', async () => {
    const { circles } = await send('{ circles { code name } }');
    expect(circles).toHaveLength(30);
    expect(circles).toContainEqual({ code: '06', name: 'Karnataka' });
    expect(circles.map(({ name }: { name: string }) => name)).toEqual(
      circles.map(({ name }: { name: string }) => name).toSorted(),
    );
  });
});

it('a bill screen shows the banks with the codes that bill fetches use', async () => {
  const { banks } = await send('{ banks { opcode name } }');
  expect(banks).toHaveLength(35);
  expect(banks).toContainEqual({ opcode: 'UTIB', name: 'Axis Bank' });
});

it('a page can show which services are enabled, and their costs, before it calls them', async () => {
  const services = async (host: 'uat' | 'production') =>
    (await send('{ services { service enabled fee } }', host)).services as { service: string }[];
  const of = (list: { service: string }[], service: string) => list.find((row) => row.service === service);
  const live = await services('production');
  expect(live.map(({ service }) => service.toLowerCase())).toEqual(names);
  expect(of(live, 'OPERATOR_FETCH')).toEqual({ service: 'OPERATOR_FETCH', enabled: true, fee: 0.25 });
  expect(of(live, 'DTH_INFO')).toEqual({ service: 'DTH_INFO', enabled: false, fee: 0 });
  expect(of(await services('uat'), 'OPERATOR_FETCH')).toMatchObject({ enabled: true, fee: 0 });
});
