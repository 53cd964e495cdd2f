import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientSettings } from '../../src/http/pages/schema-documents.js';
import { useConsole } from '../console/console.fixture.js';
import { kyc, SUBMIT, upload } from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { CREATE } from '../webhooks/webhooks.fixture.js';
import { type CachingClient, clients } from './clients.js';
import { expectNoComplaints } from './complaints.js';
import * as screens from './screens.js';

const service = useConsole();
const { test } = service;
const schemas = {} as Record<'api' | 'console', IntrospectionQuery>;
const settings = {} as Record<'api' | 'console', ClientSettings>;

beforeAll(async () => {
  const { tokens } = await test.developer();
  schemas.api = (await test.graphql('uat', tokens.uat, getIntrospectionQuery())).body.data;
  for (const [surface, host] of [
    ['api', 'production'],
    ['console', 'console'],
  ] as const)
    settings[surface] = (await (await fetch(`${test.urls[host]}/clients.json`)).json()) as ClientSettings;
  schemas.console = (await service.call(service.staff.admin, getIntrospectionQuery())).body.data;
});

expectNoComplaints();

/** Data that a client shows without another request. */
async function cached<Shown>(client: CachingClient, show: () => Promise<Shown>): Promise<Shown> {
  const before = client.calls();
  const result = await show();
  expect(client.calls()).toBe(before);
  return result;
}

/** An approved account with KYC, an API key and a webhook endpoint. */
async function account() {
  const { developers, credentials } = test.app;
  const email = `${crypto.randomUUID()}@test.example`;
  const id = await developers.register({ name: 'Asha', email }, seed);
  await developers.markEmailVerified(id, seed);
  const session = await service.userOf(id);
  const documentIds = [(await upload(test.urls.console, session)).body.documentId];
  expect(await service.codes(session, SUBMIT, { input: { ...kyc, documentIds } })).toEqual([]);
  const { user } = (await service.call(session, '{ viewer { user { id } } }')).body.data.viewer;
  await developers.change(
    'approveDeveloper',
    { developerId: id },
    { ...seed, actor: user.id.replace('usr_', 'user:') },
  );
  const input = { environment: 'UAT', url: 'https://hooks.test.example/' };
  expect(await service.codes(session, CREATE, { input })).toEqual([]);
  return { id, clientId: (await credentials.create(id, 'uat', 'Shop', seed)).clientId };
}

describe.each(Object.entries(clients))('the cache of %s', (_, connect) => {
  it('shows the wallet after a lookup and a recharge, and the final status of the order in every list', async () => {
    const { tokens } = await test.developer({ feesPaise: { operator_fetch: 100, operator_plan_fetch: 250 } });
    const client = connect({
      url: `${test.urls.production}/graphql`,
      token: tokens.production,
      schema: schemas.api,
      settings: settings.api,
    });
    const wallets = () =>
      cached(client, async () => [
        (await client.query(screens.SHOP)).wallet,
        (await client.query(screens.STATEMENT)).wallet,
      ]);

    const before = (await client.query(screens.SHOP)).wallet;
    await client.query(screens.STATEMENT);
    const lookup = { mobile: '9876540005', clientRequestId: 'shop' };
    const { circle, operator } = (await client.query(screens.FIND, { input: lookup })).operatorFind;
    await client.query(screens.PLANS, { input: { ...lookup, circle: circle.code, opcode: operator.mobileOpcode } });
    const [looked] = await wallets();
    expect(looked.balance).toBe(before.balance - 3.5);

    const input = { accountNumber: '9876540005', amount: 199, operatorSpKey: operator.spKey, operatorType: 'MOBILE' };
    const { order, wallet } = (await client.mutate(screens.RECHARGE, { input })).recharge;
    expect(order.status).toBe('PENDING');
    expect(wallet.balance).toBe(looked.balance - 199);
    expect(wallet.version).toBeGreaterThan(looked.version);
    expect(await wallets()).toMatchObject([wallet, wallet]);

    const newest = async () => (await client.query(screens.HISTORY)).orders.edges[0].node;
    expect((await newest()).id).toBe(order.id);
    await client.refresh(screens.ORDER, { id: order.id, waitMs: 25_000 });
    expect((await cached(client, newest)).status).toBe('SUCCESS');
  });

  it('shows the changes made by an administrator', async () => {
    const { id, clientId } = await account();
    const client = connect({
      url: `${test.urls.console}/graphql`,
      token: service.staff.admin,
      schema: schemas.console,
      settings: settings.console,
    });
    const page = async () => {
      const { developer, webhookEndpoints } = await client.query(screens.DEVELOPER, { id: `dev_${id}` });
      return { ...developer, endpoint: webhookEndpoints[0] };
    };
    const list = async () => (await client.query(screens.DEVELOPERS, { search: String(id) })).developers;
    expect(await list()).toMatchObject({ totalCount: 1, edges: [{ node: { id: `dev_${id}` } }] });
    const before = await page();
    const approval = async () =>
      (await client.query(screens.AUDIT_LOG, { id: before.id })).auditLog.edges
        .map(({ node }: { node: { action: string } }) => node)
        .find(({ action }: { action: string }) => action === 'DEVELOPER_APPROVE');
    expect(await approval()).toMatchObject({ actor: before.approvedBy, subject: { id: before.id } });

    const [purse] = before.wallets;
    const utr = `TEST${String(id).replaceAll('-', '').slice(-12)}`;
    const credit = { developerId: before.id, environment: purse.environment, amount: 25, reference: `UTR ${id}`, utr };
    const { wallet } = (await client.mutate(screens.CREDIT, { input: credit })).creditWallet.outcome;
    expect(wallet).toMatchObject({ id: purse.id, balance: purse.balance + 25 });
    expect(wallet.version).toBeGreaterThan(purse.version);
    await client.mutate(screens.REVOKE, { input: { clientId } });
    await client.mutate(screens.DISABLE, { input: { endpointId: before.endpoint.id } });
    const [person] = before.users;
    await client.mutate(screens.SUSPEND_USER, { input: { userId: person.id, reason: 'Left the company' } });

    const after = await cached(client, page);
    expect(after.wallets[0]).toEqual(wallet);
    expect(before.credentials[0].revokedAt).toBeNull();
    expect(after.credentials).toEqual([{ ...before.credentials[0], revokedAt: expect.any(String) }]);
    // the same user in the account's list of users and as the actor
    const suspended = { ...person, suspendedAt: expect.any(String) };
    expect([after.users, after.approvedBy.user]).toEqual([[suspended], suspended]);
    expect((await cached(client, approval)).actor.user).toEqual(suspended);
    expect(after.endpoint).toMatchObject({ disabledAt: expect.any(String), disabledReason: 'REQUEST' });
  });
});
