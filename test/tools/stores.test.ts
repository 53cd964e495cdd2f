import path from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { whileRefused } from '../graphql/refused-statements.fixture.js';
import { feesPaise } from '../plans/lookups.fixture.js';
import { useOwnApp } from '../support/use-app.js';
import { type Access, type CachingClient, clients, relay } from './clients.js';
import { expectNoComplaints } from './complaints.js';
import { ARTIFACTS, compileForRelay } from './relay-compiler.js';

const test = useOwnApp();
const SHOWN = '{ id version balance }';

const STORED = `query storesStoredQuery($id: ID!) { node(id: $id) { ... on Wallet ${SHOWN} } }`;
const WALLET = 'query storesWalletQuery { wallet { id version balance held } }';
const parts = [
  `wallet ${SHOWN}`,
  `node(id: $id) { ... on Wallet ${SHOWN} }`,
  `operatorFind(input: { mobile: "9468455123", clientRequestId: $key }) { fee wallet ${SHOWN} plans { fee wallet ${SHOWN} } }`,
  `dthPlans(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: $key }) { wallet ${SHOWN} fee }`,
];
/** Each part comes first once and last once, because a store keeps the last value it receives. */
const SCREENS = parts.map((_, n) => {
  const turned = [...parts.slice(n), ...parts.slice(0, n)];
  return `query storesScreen${n}Query($id: ID!, $key: String!) { ${turned.join('\n')} }`;
});
const FAILING = `query storesFailingQuery($key: String!) {
  ${parts[2]}
  mobilePlans(input: { mobile: "9876540001", opcode: BT, circle: "06", clientRequestId: $key }) { fee wallet ${SHOWN} }
  wallet ${SHOWN}
}`;
const RECHARGE = `mutation storesRechargeMutation($input: RechargeInput!) {
  recharge(input: $input) { replayed wallet { id version balance held } order { id status wallet ${SHOWN} } }
}`;
const recharge = (clientRequestId: string, more: object = {}) => ({
  input: {
    accountNumber: '9876543210',
    amount: 10,
    operatorSpKey: 116,
    operatorType: 'MOBILE',
    clientRequestId,
    ...more,
  },
});

expectNoComplaints();

let artifacts: string;
let schema: Access['schema'];
let settings: Access['settings'];
beforeAll(async () => {
  const documents = [STORED, WALLET, ...SCREENS, FAILING, RECHARGE].join('\n');
  settings = (await (await fetch(`${test.urls.production}/clients.json`)).json()) as Access['settings'];
  const { customScalarTypes } = settings;
  artifacts = path.join(await compileForRelay('stores', documents, 'schema.graphql', { customScalarTypes }), ARTIFACTS);
  const { tokens } = await test.developer();
  schema = (await test.graphql('uat', tokens.uat, getIntrospectionQuery())).body.data;
});

type Connect = (access: Access) => CachingClient;
const stores: Record<string, Connect> = { ...clients, Relay: (access) => relay(access, artifacts) };

describe.each(Object.entries(stores))('the store of %s', (_, connect) => {
  /** A client that has shown the wallet by its ID. */
  async function open(liveRupees = 1_000) {
    const developer = await test.developer({ feesPaise, liveRupees });
    const token = developer.tokens.production;
    const client = connect({ url: `${test.urls.production}/graphql`, token, schema, settings });
    const { wallet } = await client.query(WALLET);
    const id: string = wallet.id;
    await client.query(STORED, { id });
    const stored = async () => {
      const calls = client.calls();
      const { node } = await client.query(STORED, { id });
      expect(client.calls()).toBe(calls);
      return node as { version: number; balance: number };
    };
    const expectLatest = async () => {
      const { body } = await test.graphql('production', token, `{ wallet ${SHOWN} }`);
      expect(await stored()).toMatchObject(body.data.wallet);
      return body.data.wallet as { version: number; balance: number };
    };
    return { client, id, stored, expectLatest };
  }

  it('contains the wallet after the latest charge and never an older version', async () => {
    const { client, id, expectLatest } = await open();
    for (const [n, screen] of SCREENS.entries()) {
      const before = await expectLatest();
      await client.refresh(screen, { id, key: `s${n}` });
      const after = await expectLatest();
      expect(after.balance).toBeCloseTo(before.balance - 0.1 - 0.25 - 0.13, 6);
      expect(after.version).toBeGreaterThan(before.version);
    }
    const { balance } = await expectLatest();
    const paid = await client.mutate(RECHARGE, recharge('paid'));
    expect(paid.recharge.order.status).toBe('SUCCESS');
    expect((await expectLatest()).balance).toBeCloseTo(balance - 10, 6);
    const declined = await client.mutate(RECHARGE, recharge('declined', { accountNumber: '9876540001' }));
    expect(declined.recharge.order.status).toBe('FAILED');
    const last = await expectLatest();
    // a replayed charge returns its first result with the current wallet
    for (const [n, screen] of SCREENS.entries()) await client.refresh(screen, { id, key: `s${n}` });
    expect((await client.mutate(RECHARGE, recharge('paid'))).recharge.replayed).toBe(true);
    expect(await expectLatest()).toEqual(last);
  });

  it('keeps the wallet when a response contains errors', async () => {
    const { client, stored, expectLatest } = await open(300);
    const unread = ['wallets-held', 'wallets-by-key'];
    const refused = await client.partial(RECHARGE, recharge('refused', { amount: 500 }));
    expect(refused).toEqual({ recharge: null });
    await expectLatest();
    const failed = await client.partial(FAILING, { key: 'failed' });
    expect(failed).toMatchObject({ mobilePlans: null, wallet: { balance: 300 - 0.1 - 0.25 } });
    await expectLatest();
    const paid = await whileRefused(test, unread, () => client.partial(RECHARGE, recharge('paid')));
    expect(paid.recharge).toMatchObject({ order: { status: 'SUCCESS', wallet: null }, wallet: { held: null } });
    const before = await expectLatest();
    const read = await whileRefused(test, unread, () => client.partial(WALLET));
    expect(read?.wallet ?? null).toBeNull();
    await expectLatest();

    // a client that throws an error may ignore the data and keep the old wallet until the next request
    await expect(whileRefused(test, unread, () => client.mutate(RECHARGE, recharge('thrown')))).rejects.toThrow();
    expect([before.balance, before.balance - 10]).toContainEqual(expect.closeTo((await stored()).balance, 6));
    expect((await client.refresh(WALLET)).wallet.held).toBe(0);
    await expectLatest();
  });
});
