import { describe, expect, it } from 'vitest';
import { feesPaise } from '../plans/lookups.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const WALLET = 'wallet { id version balance }';

/** The fields of a query that return the wallet or change it. */
const parts: Readonly<Record<string, (key: string, id: string) => string>> = {
  wallet: () => WALLET,
  node: (_key, id) => `node(id: "${id}") { ... on Wallet { id version balance } }`,
  find: (key) =>
    `find: operatorFind(input: { mobile: "9468455123", clientRequestId: "${key}" }) { fee ${WALLET} plans { fee ${WALLET} groups { name } } }`,
  packs: (key) =>
    `packs: dthPlans(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: "${key}" }) { ${WALLET} fee }`,
};

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

/** All wallets in a response. */
function walletsIn(value: unknown): { version: number; balance: number }[] {
  if (value === null || typeof value !== 'object') return [];
  const own = 'version' in value ? [value as { version: number; balance: number }] : [];
  return [...own, ...Object.values(value).flatMap(walletsIn)];
}

const send = (developer: TestDeveloper, query: string, variables: object = {}) =>
  test.graphql('production', developer.tokens.production, query, variables);
const stateOf = async (developer: TestDeveloper) => {
  const { body } = await send(developer, `{ ${WALLET} }`);
  return body.data.wallet as { id: string; version: number; balance: number };
};

describe('the version of a wallet', () => {
  it.each([
    ['9876540005', 'SUCCESS', 0, 10],
    ['9876540006', 'FAILED', 1, 0],
  ])(
    'orders balances, but not held amounts: for %s, which ends as %s, it grows by %i',
    async (accountNumber, outcome, growth, paid) => {
      const developer = await test.developer();
      const read = async (id: string) => {
        const { body } = await send(
          developer,
          'query($id: ID!) { order(id: $id) { status } wallet { balance version held } }',
          { id },
        );
        return body.data;
      };
      const stateBefore = await stateOf(developer);
      await test.simulator.blind('roundpay', true);
      const { body } = await send(
        developer,
        `mutation { recharge(input: { accountNumber: "${accountNumber}", amount: 10, operatorSpKey: 116,
          operatorType: MOBILE, clientRequestId: "held" }) { order { id } } }`,
      );
      const { id } = body.data.recharge.order;
      const pending = await read(id);
      expect(pending).toEqual({
        order: { status: 'PENDING' },
        wallet: { balance: stateBefore.balance - 10, version: stateBefore.version + 1, held: 10 },
      });
      await test.simulator.blind('roundpay', false);
      let last = pending;
      await until('the order is final', async () => {
        last = await read(id);
        return last.order.status !== 'PENDING';
      });
      expect(last).toEqual({
        order: { status: outcome },
        wallet: { balance: stateBefore.balance - paid, version: pending.wallet.version + growth, held: 0 },
      });
    },
  );
});

describe('the wallets of one response', () => {
  it('have one version, from after the charges, in any order of the fields', async () => {
    const developer = await test.developer({ feesPaise, rateLimitPerMinute: 10_000 });
    let stateBefore = await stateOf(developer);
    for (const [n, order] of permutations(Object.keys(parts)).entries()) {
      const query = `{ ${order.map((name) => parts[name]!(`p${n}`, stateBefore.id)).join('\n')} }`;
      const { body } = await send(developer, query);
      expect(body.errors, query).toBeUndefined();
      const after = await stateOf(developer);
      expect(after.balance).toBeCloseTo(stateBefore.balance - 0.1 - 0.25 - 0.13, 6);
      const wallets = walletsIn(body.data);
      expect(wallets).toHaveLength(5);
      expect(new Set(wallets.map(({ version }) => version)), query).toEqual(new Set([after.version]));
      expect(wallets.every(({ balance }) => balance === after.balance)).toBe(true);
      stateBefore = after;
    }
  });

  it('have one version in a frequent document, which is compiled', async () => {
    const developer = await test.developer({ feesPaise, rateLimitPerMinute: 10_000 });
    const query = `query($key: String!) {
      wallet { version }
      find: operatorFind(input: { mobile: "9468455123", clientRequestId: $key }) { wallet { version } plans { wallet { version } } }
      orders(first: 3) { edges { node { wallet { version } } } }
    }`;
    for (let n = 0; n < 6; n++) {
      const { body } = await send(developer, query, { key: `c${n}` });
      const { version } = await stateOf(developer);
      expect(new Set(walletsIn(body.data).map((wallet) => wallet.version))).toEqual(new Set([version]));
    }
  });

  it.each([
    [
      'a rejected call',
      'find: operatorFind(input: { mobile: "9468455123", clientRequestId: "r" }) { plans { fee } wallet { version } } bad: dthPlans(input: { dthNumber: "!", opcode: STV, clientRequestId: "r" }) { fee wallet { version } }',
      {},
    ],
    [
      'a failed call',
      'find: operatorFind(input: { mobile: "9468455123", clientRequestId: "f" }) { wallet { version } } bad: mobilePlans(input: { mobile: "9876540001", opcode: BT, circle: "06", clientRequestId: "f" }) { fee wallet { version } }',
      {},
    ],
    [
      'a skipped call',
      'find: operatorFind(input: { mobile: "9468455123", clientRequestId: "s" }) { wallet { version } plans @include(if: $no) { fee } } bad: dthPlans(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: "s" }) @skip(if: $yes) { fee }',
      { no: false, yes: true },
    ],
    [
      'a call inside one that fails',
      'bad: operatorFind(input: { mobile: "9876540001", clientRequestId: "i" }) { plans { fee } wallet { version } }',
      {},
    ],
    ['fragments that select a call twice', '...A ...B', {}],
  ])('do not wait for a call that never runs: %s', async (_, selection, variables) => {
    const developer = await test.developer({ feesPaise });
    const declared = Object.keys(variables).length > 0 ? '($no: Boolean!, $yes: Boolean!)' : '';
    const fragments = selection.includes('...A')
      ? `fragment A on Query { find: operatorFind(input: { mobile: "9468455123", clientRequestId: "t" }) { plans { wallet { version } } } }
         fragment B on Query { find: operatorFind(input: { mobile: "9468455123", clientRequestId: "t" }) { plans { fee } wallet { version } } }`
      : '';
    const { body } = await send(
      developer,
      `query Q${declared} { wallet { version } ${selection} } ${fragments}`,
      variables,
    );
    const { version } = await stateOf(developer);
    expect(body.data.wallet).toEqual({ version });
    expect(new Set(walletsIn(body.data).map((wallet) => wallet.version))).toEqual(new Set([version]));
  });

  it('show the state after their own field in a mutation', async () => {
    const developer = await test.developer({ feesPaise });
    const recharge = (key: string) =>
      `recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "${key}" }) { ${WALLET} order { ${WALLET} } }`;
    const stateBefore = await stateOf(developer);
    const { body } = await send(developer, `mutation { ${recharge('m1')} }`);
    expect(body.data.recharge.wallet.balance).toBe(stateBefore.balance - 10);
    expect(body.data.recharge.order.wallet.version).toBeGreaterThanOrEqual(body.data.recharge.wallet.version);
  });
});
