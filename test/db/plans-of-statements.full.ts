import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { paise } from '../../src/core/money.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { unrecordedChanges } from '../../src/ledger/wallet-difference.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { OrderFeedStore } from '../../src/orders/views/order-feed.store.js';
import { ScenarioStore } from '../../src/providers/sandbox/scenario.store.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { claimProbe } from '../../src/webhooks/webhook-endpoint.health.js';
import { fetchIdOf, payBill } from '../card-bills/card-bills.fixture.js';
import { useConsole } from '../console/console.fixture.js';
import { callsOf as leadCallsOf, person, setDefaultCustomer } from '../leads/lead.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { callsOf as sandboxCallsOf } from '../sandbox/sandbox.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { rechargeInput } from '../support/recharges.js';
import { rowKeys } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { Probe } from './probe.fixture.js';
import { skewBooks } from './skewed.fixture.js';

/**
 * Maximum ratio of the pages read by a generic plan to those read by a custom plan. An index scan counts a page once for each of
 * its rows, and a bitmap scan once. Small differences are ignored.
 */
const TIMES = 10;
const FEW_PAGES = 40;

const on = useConsole({ ALLOW_PRIVATE_WEBHOOKS: 'true', PROVIDER_CONCURRENCY: 'roundpay:50' });
let developer: TestDeveloper;
let probe: Probe;

beforeAll(async () => {
  developer = await on.test.developer({ rateLimitPerMinute: 1_000, feesPaise: { operator_fetch: 10 } });
  await skewBooks(on.test.db, { developerId: developer.id, clientId: developer.keys.production.clientId });
  probe = await Probe.open(on.test.db.url);
  await runAllStatements();
});
afterAll(() => probe?.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => indianDay(new Date(Date.now() - days * DAY_MS));
/** Key of an order in the middle of the large wallet. */
const OLD_KEY = 'key 22500';
const OLD_REFERENCE = '22500'.padStart(25, '0');
const ORDER = 'id status nextCheckAt reviewAt timeline { kind } wallet { balance version held }';

async function withoutErrors(responses: Promise<TestResponse>[]): Promise<any[]> {
  const bodies = (await Promise.all(responses)).map(({ body }) => body);
  expect(bodies.flatMap(({ errors = [] }) => errors)).toEqual([]);
  return bodies.map(({ data }) => data);
}

/** Runs the calls of clients, users and background loops, all with the large account. */
async function runAllStatements(): Promise<void> {
  await signIn();
  await readOrders(await placeOrders());
  await readStatement();
  await useFeatures();
  await deliver();
}

const api = (query: string, variables = {}, token = developer.tokens.production) =>
  on.test.graphql('production', token, query, variables);
const staff = (query: string, variables = {}) => on.call(on.staff.admin, query, variables);

async function signIn(): Promise<void> {
  const { test } = on;
  const { app } = test;
  // so that the time of the last use is updated again
  await test.db.query(`update access_token set last_used_at = now() - interval '2 hours' where revoked_at is null`);
  await test.db.query(`update session set last_used_at = now() - interval '2 minutes'`);
  await test.developer();
  const capped = await api('mutation { createClientToken(input: { scopes: [LOOKUPS], maxSpend: 0 }) { token } }');
  await api('{ operatorFind(input: { mobile: "9876543211" }) { fee } }', {}, capped.body.data.createClientToken.token);
  const [{ createClientToken }] = await withoutErrors([
    api('mutation($input: CreateClientTokenInput!) { createClientToken(input: $input) { token clientToken { id } } }', {
      input: { scopes: ['LOOKUPS'], maxSpend: 10 },
    }),
  ]);
  const hash = rowKeys.lookup('client_token', createClientToken.token);
  await app.clientTokens.reserve(hash, paise(10));
  await app.clientTokens.giveBack(hash, paise(10));
  await withoutErrors([api('{ circles { name } }', {}, createClientToken.token)]);
  await withoutErrors([
    api('{ clientTokens { totalCount edges { cursor } } }'),
    api('{ clientTokens(last: 1) { edges { cursor } } }'),
    api('mutation($id: ID!) { revokeClientToken(input: { clientTokenId: $id }) { clientToken { id } } }', {
      id: createClientToken.clientToken.id,
    }),
  ]);
  await app.settings.get('production', 'default_lead_customer');
  await app.reader.ownerOfKey(developer.keys.production.clientId);
  await withoutErrors([
    staff('{ search(text: "nobody 7") { title } }'),
    staff('{ providers { successRate } }'),
    staff(
      'query($id: ID!) { developer(id: $id) { wallets { balance held } lastRejectedCalls { code } services { service lastRejectedCalls { code } } credentials { clientId } goLive { completedAt } } }',
      {
        id: `dev_${developer.id}`,
      },
    ),
  ]);
}

/** Returns the IDs of a resolved order and of one with an unknown outcome. */
async function placeOrders(): Promise<[decided: string, waiting: string]> {
  const { test } = on;
  const recharge = `mutation($input: RechargeInput!) { recharge(input: $input) { order { ${ORDER} } } }`;
  const input = rechargeInput();
  const [{ recharge: placed }] = await withoutErrors([
    api(recharge, { input: { ...input, clientRequestId: 'a key of its own' } }),
  ]);
  await withoutErrors([api(recharge, { input: { ...input, amount: 11 } })]);
  const waiting = `ord_${await inReview(test, developer)}`;
  const { app } = test;
  const statusChecks = new StatusCheckStore(app.pool);
  const key = { developerId: developer.id, id: placed.order.id.replace('ord_', '') };
  await statusChecks.claim(key, 'send');
  await statusChecks.isStillClaimed(key);
  await statusChecks.leaseDue('ROUNDPAY', 20, 1_000);
  await statusChecks.recordCallback('ROUNDPAY', OLD_REFERENCE, 'success', 20, {});
  return [placed.order.id, waiting];
}

async function readOrders([resolved, waiting]: [decided: string, waiting: string]): Promise<void> {
  const { app } = on.test;
  const wallet = [developer.id, 'production', 'recharge'] as const;
  const [{ node }] = await withoutErrors([
    api(`query($id: ID!) { node(id: $id) { ... on Order { apiRequestId ${ORDER} } } }`, { id: resolved }),
    api(`query($id: ID!) { order(id: $id) { ${ORDER} } }`, { id: waiting }),
    api('{ order(kind: RECHARGE, clientRequestId: "a key of its own", waitMs: 10) { id } }'),
    staff(`query($id: ID!) { order(id: $id) { ${ORDER} entries { kind } deliveries { state } developer { id } } }`, {
      id: resolved,
    }),
  ]);
  await withoutErrors([
    api('query($r: String!) { order(apiRequestId: $r) { id } }', { r: node.apiRequestId }),
    staff('query($r: String!) { order(apiRequestId: $r) { id } }', { r: node.apiRequestId }),
    staff('{ reviewOrders(first: 1) { edges { node { preview { resolution } } } } }'),
  ]);
  await app.store.byStoredKey(...wallet, OLD_KEY);
  const key = { developerId: developer.id, id: resolved.replace('ord_', '') };
  await app.store.byIds([key]);
  const [developerId, environment, operation] = wallet;
  await app.store.archived.byId(key.id);
  await app.store.archived.byReference(OLD_REFERENCE);
  await app.store.archived.byKey({ developerId, environment, operation, storedKey: OLD_KEY });
  await app.store.settledIdsOf([key]);
  const feed = new OrderFeedStore(app.pool);
  const { version } = await feed.positionOf({ developerId, environment });
  await feed.postingsAfter([{ developerId, environment, version: String(Number(version) - 5) }], 500);
  await app.store.findDuplicate({ developerId, environment }, Buffer.alloc(32), { guardS: 60, arrivedMs: 0 });
  const day = { from: new Date(Date.now() - 60 * 60_000), to: new Date() };
  const line = {
    line: 1,
    reference: OLD_REFERENCE,
    account: '1',
    amountPaise: paise(1),
    status: 'succeeded',
    at: day.to,
  } as const;
  await reconcile(app.pool, [line], { provider: 'ROUNDPAY', period: day, windowMs: 1, pepper: app.config.pepper });
}

async function readStatement(): Promise<void> {
  const { pool } = on.test.app;
  const wallet = [developer.id, 'production'] as const;
  const statement = new StatementService(pool);
  const middle = Buffer.from('statement:12500').toString('base64url');
  await statement.page(...wallet, { first: 20 });
  await statement.page(...wallet, { first: 20, after: middle });
  await statement.page(...wallet, { last: 20, before: middle });
  await statement.page(...wallet, { first: 20 }, { from: new Date(Date.now() - 5 * DAY_MS) });
  for (const filter of [{ kinds: ['hold', 'refund', 'debit'] as const }, { reference: OLD_REFERENCE }])
    for (const page of [
      { first: 20, after: middle },
      { last: 20, before: middle },
    ])
      await statement.page(...wallet, page, filter);
  await statement.line({ developerId: developer.id, environment: 'production' }, '12500');
  await statement.pages(...wallet, 12_500n, 12_600n).next();
  await unrecordedChanges(pool, { developerId: developer.id, environment: 'production' });
  await new DailyStatementService(pool).days(...wallet, daysAgo(6), daysAgo(5));
}

async function useFeatures(): Promise<void> {
  const { test } = on;
  await setDefaultCustomer(test, 'production');
  const leads = leadCallsOf(test, developer);
  const { body: profile } = await leads.profile('production', person(1));
  await leads.lead('production', { product_id: '4002', customer_id: profile.data.customer_id });
  await test.rest(
    'production',
    'GET',
    `/api/v1/leads/profile?mobile_no=${person(1).mobile_no}`,
    developer.tokens.production,
  );
  const fetch_id = await fetchIdOf(test, developer, 'production');
  await payBill(test, developer, 'production', { orderid: 'paid', fetch_id });
  const scenarios = sandboxCallsOf(test, developer);
  await scenarios.chooseOutcome({ account_number: '9876543210' }, 'decline');
  await scenarios.recharge('in the sandbox');
  const caller = { developerId: developer.id, environment: 'uat', clientRequestId: undefined } as never;
  const store = new ScenarioStore(test.app.pool, test.app.config.pepper);
  await store.takeOutage(caller, '1');
  await store.takeForLookup(caller, '1');
  await store.ofOrder(OLD_REFERENCE);
}

/** Delivers webhooks and emails, as the background loops do. */
async function deliver(): Promise<void> {
  const { app, db } = on.test;
  const email = { to: 'somebody@x.example', subject: 'x', text: 'x' };
  await app.mails.ready();
  await app.orm.em.fork().transactional((tx) => app.mails.queue(email, tx as never));
  app.mails.wake();
  expect((await fetch(`${on.test.urls.production}/readyz`)).status).toBe(200);
  const [endpoint] = await db.query<{ id: string }>('select id from webhook_endpoint');
  await withoutErrors([
    staff(
      'query($e: ID) { webhookDeliveries(endpointId: $e, first: 2) { edges { node { body order { id } attempts { at } } } } }',
      { e: endpoint!.id },
    ),
    staff('query($e: ID!) { node(id: $e) { ... on WebhookEndpoint { health { delivered p95Ms } } } }', {
      e: `whe_${endpoint!.id}`,
    }),
  ]);
  await claimProbe({ developerId: developer.id, endpointId: endpoint!.id } as never, app.pool);
  await until('loops have done their work', () => missing().length === 0).catch(() => {});
}

const missing = (): string[] => {
  const probedNames = new Set(probe.probed.map(({ name }) => name));
  return namesInSource().filter((name) => !probedNames.has(name));
};

/** Files whose code passes on names and texts of statements. The names are in the same file and match this pattern. */
const HANDED_ON: Readonly<Record<string, RegExp>> = {
  'ledger/daily-statement.service.ts': /'(statement-[a-z-]+)'/g,
  'ledger/statement.service.ts': /'(statement-[a-z-]+)'/g,
  'accounts/keys/client-token.service.ts': /'(client-tokens[a-z-]*)'/g,
  'accounts/principal.reader.ts': /'(principal-[a-z-]+)'/g,
  // a command that walks along a table by its key
  'db/key-rotation.ts': /(?!)/g,
  // a channel, not a statement
  'db/channel.ts': /(?!)/g,
  // settings, not statements
  'db/shared-settings.ts': /(?!)/g,
};
const COMMENTS = String.raw`(?:\/\/[^\n]*\s*)*`;

/** Names that the source gives to statements. */
function namesInSource(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const names = files.flatMap((file) => {
    const source = readFileSync(path.join('src', file), 'utf8');
    const direct = [...source.matchAll(new RegExp(`\\bname: ?'([a-z-]+)',\\s*${COMMENTS}text\\b`, 'g'))];
    const forwarded = HANDED_ON[file] ? [...source.matchAll(HANDED_ON[file])] : [];
    // a name that is not a literal must be found in another way
    const isAmbiguous = new RegExp(
      `\\bname(: (?!string)[^',\\n]+|: '[^']*[^a-z'-][^']*')?,\\s*${COMMENTS}text\\b`,
    ).test(source);
    if (isAmbiguous && !HANDED_ON[file])
      throw new Error(`${file} names a statement in a way that this test cannot parse.`);
    return [...direct, ...forwarded].map((match) => match[1]!);
  });
  return [...new Set(names)].toSorted();
}

it('every named statement was seen, and every statement that was seen is found in the source', () => {
  expect(probe.problems).toEqual([]);
  expect(missing()).toEqual([]);
  const sourceNames = new Set(namesInSource());
  expect(probe.probed.map(({ name }) => name).filter((name) => !sourceNames.has(name))).toEqual([]);
});

it('no generic plan reads many times the pages of a custom plan', () => {
  const slower = probe.probed.filter(({ custom, generic }) => generic > TIMES * custom + FEW_PAGES);
  expect(slower).toEqual([]);
});
