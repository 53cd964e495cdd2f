import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import type { Host } from '../../src/core/environment.js';
import { fetchIdOf, PAY_MUTATION } from '../card-bills/card-bills.fixture.js';
import { useConsole } from '../console/console.fixture.js';
import { createAccounts } from '../faults/support/accounts.js';
import { callsOf as leadCallsOf, person } from '../leads/lead.fixture.js';
import { documentOf, formOf, kyc, SUBMIT, upload as uploadDocument } from '../onboarding/onboarding.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { callsDuring, setDefaultCustomer } from '../products/product.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { rechargeInput } from '../support/recharges.js';

// Every lookup has a fee, which is held and settled; no background posting or status check runs in between.
const on = useConsole({ WORKERS: 'none' });
const ORDERS = 12;
const LEADS = 5;
const SUBMITTED = 5;
/** Occasional statements that no request waits for. */
const NOTES = ['session-used', 'tokens-used', 'orders-pending', 'select pg_notify($1, $2)'];

type Statement = string | { name?: string; text?: string };
const counted = new AsyncLocalStorage<Statement[]>();
let developer: TestDeveloper;
let endpointId: string;
let orderId: string;

beforeAll(async () => {
  const { query } = Client.prototype;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    counted.getStore()?.push(args[0] as Statement);
    return query.apply(this, args as never) as never;
  });
  const { test } = on;
  // A statement that waits for a connection is sent when another one is released, so it is recorded when it is requested.
  const { pool } = test.app;
  const originalQuery = pool.query;
  vi.spyOn(pool, 'query').mockImplementation((...args: unknown[]) => {
    counted.getStore()?.push(args[0] as Statement);
    return counted.exit(() => originalQuery.apply(pool, args as never) as never);
  });
  await setDefaultCustomer(test, 'production');
  developer = await test.developer({
    rateLimitPerMinute: 1_000,
    feesPaise: { operator_fetch: 10, operator_plan_fetch: 25, lead_generation: 500 },
  });
  const { tokens, id } = developer;
  const recharge = (n: number) =>
    test.rest('production', 'POST', '/api/v1/recharge', tokens.production, {
      account_number: n % 4 === 1 ? '9876540001' : '9876543210',
      amount: 10 + n,
      operator_sp_key: n % 2 ? 37 : 116,
      operator_type: 'mobile',
      client_request_id: `counted-${n}`,
    });
  for (let n = 0; n < LEADS; n++) await inReview(test, developer);
  // Without a job, these emails are never sent.
  await test.db.query(`insert into email (id, content) select uuidv7(), '' from generate_series(1, $1)`, [LEADS]);
  await test.db.query(
    `with run as (insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested)
       values (uuidv7(), 'MOKSHIQ', sha256('x'), now(), now() + interval '1 day', 0, $1, 0, $1, 0) returning id)
     insert into reconcile_difference (id, provider, fingerprint, kind, run_id, line, reference, their_status, their_amount_paise, occurred_at,
       resolution, resolved_at, resolved_by, reason)
     select uuidv7(), 'MOKSHIQ', sha256(n::text::bytea), 'order_not_found', run.id, n, 'x', 'succeeded', 100, now(), 'staff', now(),
       (select id from app_user where role = 'admin' order by id offset n % 2 limit 1), 'x'
     from run cross join generate_series(1, $1) n`,
    [LEADS],
  );
  for (let n = 1; n < ORDERS; n++) await recharge(n);
  const leads = leadCallsOf(test, developer);
  for (let n = 0; n < LEADS; n++) {
    const { body: profile } = await leads.profile('production', person(300 + n));
    const product_id = n % 2 ? '4001' : '4002';
    const { body } = await leads.lead('production', { product_id, customer_id: profile.data.customer_id });
    // Approved at the third status check, which takes the fee.
    for (let checkNumber = 0; checkNumber < 3; checkNumber++) await leads.status('production', body.data.lead_code);
  }
  // The two newest entries of the statement belong to an order and a lead.
  await recharge(0);
  for (let n = 0; n < SUBMITTED; n++) {
    const email = `handed-in-${n}@test.example`;
    const account = await test.app.developers.register({ name: `Handed in ${n}`, email }, seed);
    await test.app.developers.markEmailVerified(account, seed);
    const session = await on.userOf(account);
    const upload = await uploadDocument(test.urls.console, session, formOf(documentOf()));
    const documentIds = [upload.body.documentId];
    expect(await on.codes(session, SUBMIT, { input: { ...kyc, documentIds } })).toEqual([]);
  }
  await createAccounts({ query: test.db.query }, 25);
  const input = { environment: 'PRODUCTION', url: 'https://hooks.test.example/', developerId: id };
  const { body } = await on.call(
    on.staff.admin,
    'mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }',
    { input },
  );
  endpointId = body.data.createWebhookEndpoint.endpoint.id;
  await test.db.query(`select webhook_test($1, $2, uuidv7(), 'test-' || n) from generate_series(1, 60) n`, [
    id,
    endpointId.replace('whe_', ''),
  ]);
  await test.db.query(`update webhook_delivery set state = 'failed', next_attempt_at = null`);
  const { body: first } = await test.graphql(
    'production',
    tokens.production,
    '{ orders(first: 1) { edges { node { id } } } }',
  );
  orderId = first.data.orders.edges[0].node.id;
});
afterAll(() => vi.restoreAllMocks());

interface Counted {
  statements: string[];
  data: any;
}

/** Runs a document and records the statements sent to PostgreSQL, including begin and commit. */
async function run(host: Host, query: string, variables: object = {}): Promise<Counted> {
  const statements: Statement[] = [];
  const token = host === 'console' ? on.staff.admin : developer.tokens[host];
  const server = on.test.app.hosts.get(host)!;
  const headers = { authorization: `Bearer ${token}` };
  const response = await counted.run(
    statements,
    // It is sent when awaited.
    async () => await server.inject({ method: 'POST', url: '/graphql', headers, body: { query, variables } }),
  );
  const { data, errors } = response.json();
  expect(errors).toBeUndefined();
  const names = statements.map(nameOf).filter((name) => !NOTES.includes(name));
  return { statements: names.toSorted(), data };
}

/** Unnamed statements are named by their table, because the ORM puts values into the text. */
function nameOf(statement: Statement): string {
  const { name, text = '' } = typeof statement === 'string' ? { text: statement } : statement;
  return name ?? /\b(?:from|into) "?(\w+)/.exec(text)?.[1] ?? text;
}

let sequence = 0;
const newKey = (): string => `count-${++sequence}`;
const TODAY = indianDay(new Date());
const daysAgo = (days: number): string => new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);

const WALLET = 'wallet { id balance version held }';
const TIMELINE = 'timeline { kind at detail }';
const EXTRA_FIELDS = 'environment entries { kind amount } deliveries { state }';
const ORDER = `id status amount accountNumber operator { name } ${TIMELINE} ${WALLET}`;

/**
 * Documents with their maximum number of statements, whatever the length of a list. Reads in the same event loop turn need fewer.
 */
const lists: readonly [
  name: string,
  host: Host,
  statements: number,
  query: string,
  variables?: (isLarge: boolean) => object,
][] = [
  [
    'orders with wallet, timeline, entries and deliveries',
    'production',
    9,
    `query($first: Int) { orders(first: $first) { edges { node { ${ORDER} ${EXTRA_FIELDS} } } } }`,
  ],
  [
    'wallet with its statement, orders and leads',
    'production',
    14,
    `query($first: Int) { wallet { balance statement(first: $first) { edges { node { kind amount order { ${ORDER} } lead { leadCode product { title } } } } } } }`,
    (isLarge) => ({ first: isLarge ? 50 : 2 }),
  ],
  [
    'wallet with its days',
    'production',
    6,
    'query($from: Date!, $to: Date!) { wallet { balance days(from: $from, to: $to) { date opening closing } } }',
    (isLarge) => ({ from: daysAgo(isLarge ? 60 : 0), to: TODAY }),
  ],
  [
    'leads with their products',
    'production',
    4,
    'query($first: Int) { leads(first: $first) { edges { node { leadCode status product { title } } } } }',
  ],
  [
    'developers with wallets, services and credentials',
    'console',
    8,
    'query($first: Int) { developers(first: $first) { edges { node { name wallets { balance held } services { service fee } credentials { clientId } whiteLabel { name } } } } }',
    (isLarge) => ({ first: isLarge ? 20 : 1 }),
  ],
  [
    'developers with the statements and days of their wallets',
    'console',
    10,
    `query($first: Int) { developers(first: $first) { edges { node { wallets {
      statement(first: 2) { edges { node { amount } } } days(from: "${daysAgo(1)}", to: "${TODAY}") { closing } } } } } }`,
    (isLarge) => ({ first: isLarge ? 20 : 1 }),
  ],
  [
    'developers with what they handed in, each reading with its entry',
    'console',
    10,
    'query($first: Int) { developers(first: $first, sort: NAME_ASC, filter: { search: "Handed in" }) { edges { node { kyc { id documents { id } } } } } }',
  ],
  [
    'developers with their last orders',
    'console',
    6,
    'query($first: Int) { developers(first: $first) { edges { node { name orders(first: 2, filter: { status: [SUCCESS] }) { searchedFrom edges { node { id status } } } } } } }',
    (isLarge) => ({ first: isLarge ? 20 : 2 }),
  ],
  [
    'orders in review with their timelines, and what decisions would post',
    'console',
    13,
    `query($first: Int) { reviewOrders(first: $first) { totalCount edges { node { developer { name } preview { requiresApproval entries { from to } } order { ${ORDER} nextCheckAt } } } } }`,
  ],
  [
    'orders of all developers, with whose they are',
    'console',
    11,
    `query($first: Int) { orders(first: $first) { edges { node { ${ORDER} ${EXTRA_FIELDS} provider actions developer { name } } } } }`,
  ],
  [
    'audit log with actors',
    'console',
    4,
    'query($first: Int) { auditLog(first: $first) { edges { node { action actor { name } changes { field before after } } } } }',
  ],
  [
    'what happened to an account, with actors',
    'console',
    6,
    'query($id: ID!, $first: Int) { developer(id: $id) { activity(first: $first) { edges { node { action address actor { name user { email } } changes { field before after } } } } } }',
    (isLarge) => ({ id: developer.id, first: isLarge ? 50 : 1 }),
  ],
  [
    'webhook deliveries',
    'console',
    6,
    'query($id: ID!, $first: Int) { webhookDeliveries(endpointId: $id, first: $first) { edges { node { type state attemptCount body attempts { at } order { id } } } } }',
    (isLarge) => ({ id: endpointId, first: isLarge ? 50 : 1 }),
  ],
  [
    'webhook deliveries of all accounts that were given up',
    'console',
    5,
    'query($first: Int) { webhookDeliveries(filter: { state: [FAILED] }, first: $first) { edges { node { type attempts { at } developer { name } } } } }',
  ],
  [
    'mails that were given up',
    'console',
    3,
    'query($first: Int) { failedEmails(first: $first) { edges { node { id to subject failure } } } }',
  ],
  [
    'differences with statements, and who resolved them',
    'console',
    4,
    'query($first: Int) { statementDifferences(first: $first) { edges { node { id kind orderAmount lineAmount resolvedBy { name } } } } }',
  ],
];

/** Most of the lists are not at the root. */
const edgesOf = (value: any): number =>
  value === null || typeof value !== 'object'
    ? 0
    : Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(edgesOf));

describe('a list costs as many statements for many entries as for one', () => {
  it.each(lists)(
    '%s on %s: at most %i',
    async (_name, host, statements, query, variables = (isLarge) => ({ first: isLarge ? 50 : 1 })) => {
      // Fills the caches.
      await run(host, query, variables(true));
      const [small, large] = [await run(host, query, variables(false)), await run(host, query, variables(true))];
      expect(edgesOf(large.data)).toBeGreaterThanOrEqual(LEADS);
      expect(large.statements.length).toBeLessThanOrEqual(statements);
      expect(new Set(large.statements)).toEqual(new Set(small.statements));
    },
  );
});

const SCREEN = `query($mobile: String!, $key: String!) {
  operators(type: MOBILE) { name spKey available maxAmount }
  operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {
    operator { spKey } circle { code } fee plans { fee groups { name plans { price description } } }
  }
  wallet { balance held version }
}`;
const RECHARGE = `mutation($input: RechargeInput!) {
  recharge(input: $input) { replayed order { ${ORDER} } wallet { balance version } }
}`;

describe('the statements of a charged call', () => {
  it('of a recharge screen: operators, the operator of a number, its plans, and the wallet', async () => {
    const variables = { mobile: '9876543210', key: newKey() };
    const first = { calls: {}, statements: [] as string[] };
    first.calls = await callsDuring(on.test, async () => {
      first.statements = (await run('production', SCREEN, variables)).statements;
    });
    expect(first.statements.length).toBeLessThanOrEqual(11);
    expect(first.calls).toEqual({ operator_fetch: 1, operator_plan_fetch: 1 });
    // A retry with the same keys is replayed.
    const secondCalls = await callsDuring(on.test, async () => {
      expect((await run('production', SCREEN, variables)).statements.length).toBeLessThanOrEqual(9);
    });
    expect(secondCalls).toEqual({});
  });

  it('of a recharge', async () => {
    const input = rechargeInput();
    const variables = { input: { ...input, clientRequestId: newKey() } };
    const { statements } = await run('production', RECHARGE, variables);
    expect(statements.length).toBeLessThanOrEqual(8);
    expect((await run('production', RECHARGE, variables)).statements.length).toBeLessThanOrEqual(9);
  });

  it('of a card bill payment', async () => {
    const fetchId = await fetchIdOf(on.test, developer, 'production');
    const input = {
      card: '3008',
      mobile: '9876543210',
      opcode: 'ICIC',
      amount: 10,
      fetchId,
      clientRequestId: newKey(),
    };
    const { statements } = await run('production', PAY_MUTATION, { input });
    expect(statements.length).toBeLessThanOrEqual(6);
  });
});

it('the work list of staff costs at most 3 statements', async () => {
  const { statements, data } = await run('console', '{ work { kind count amount oldestAt } }');
  expect(data.work).toContainEqual(expect.objectContaining({ kind: 'REVIEW', count: LEADS }));
  expect(statements.length).toBeLessThanOrEqual(3);
});

it.each([
  ['an order with its timeline', 'production', 7, `query($id: ID!) { order(id: $id) { ${ORDER} } }`],
  ['the node of an order', 'production', 7, `query($id: ID!) { node(id: $id) { id ... on Order { ${ORDER} } } }`],
  ['the node of an order', 'console', 7, `query($id: ID!) { node(id: $id) { id ... on Order { ${ORDER} } } }`],
] as const)('%s on %s costs at most %i statements', async (_name, host, count, query) => {
  const { statements } = await run(host, query, { id: orderId });
  expect(statements.length).toBeLessThanOrEqual(count);
});

describe('the product catalogue calls its provider', () => {
  const CATALOGUE = '{ productCategories { categories { title products { title details { url } } } } }';

  it('once for each list and product, and not for cached ones', async () => {
    let counts: number[] = [];
    const readCatalogue = () =>
      callsDuring(on.test, async () => {
        counts = [...counts, (await run('production', CATALOGUE)).statements.length];
      });
    const first = await readCatalogue();
    expect(first).toEqual({ productByCategory: 3, otherProductDetails: 64 });
    expect(await readCatalogue()).toEqual({});
    for (const count of counts) expect(count).toBeLessThanOrEqual(5);
  });
});
