import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const service = useConsole();
let developer: TestDeveloper;
let otherAccount: TestDeveloper;
/** Response of each recharge by its idempotency key. */
const responses = new Map<string, { api_request_id: string; operator_ref: string; provider_txn_id: string }>();

const recharge = async (key: string, more: object = {}, environment: 'uat' | 'production' = 'production') => {
  const response = await place(test, developer, { client_request_id: key, ...more }, environment);
  responses.set(key, response.body.data);
  return response;
};

beforeAll(async () => {
  [developer, otherAccount] = [await test.developer({ rateLimitPerMinute: 1_000 }), await test.developer()];
  for (let n = 1; n <= 5; n++) await recharge(`r${n}`, { amount: 10 + n });
  await recharge('other number', { account_number: '9812345678' });
  await recharge('declined', { account_number: '9876540001' });
  await recharge('in uat', {}, 'uat');
  // a lookup is not an order
  await test.rest('production', 'POST', '/api/v1/plan/operator-fetch', developer.tokens.production, {
    mobile: '9468455123',
    orderid: 'lookup',
  });
});

interface OrderPage {
  searchedFrom: string | null;
  keys: string[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const send = (variables: object, account = developer): Promise<TestResponse> =>
  test.graphql(
    'production',
    account.tokens.production,
    `query($filter: OrderFilter, $first: Int, $after: String, $last: Int, $before: String) {
      orders(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id clientRequestId status amount accountNumber decline { reason } } }
        searchedFrom pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    variables,
  );

async function list(variables: object, account = developer): Promise<OrderPage> {
  const { body } = await send(variables, account);
  if (!body.data.orders) throw new Error(JSON.stringify(body.errors));
  const { edges, ...rest } = body.data.orders;
  return { keys: edges.map(({ node }: { node: { clientRequestId: string } }) => node.clientRequestId), ...rest };
}

const found = async (filter: object): Promise<string[]> => (await list({ filter })).keys;
/** Start of the searched period; null if all orders were searched. */
const searchStartOf = async (filter: object): Promise<string | null> => (await list({ filter })).searchedFrom;
const problems = async (variables: object): Promise<string[]> =>
  (await send(variables)).body.errors[0].extensions.fields.map(({ path }: { path: string }) => path);

const ALL = ['declined', 'other number', 'r5', 'r4', 'r3', 'r2', 'r1'];

describe('the orders of a developer', () => {
  it('are listed newest first for one environment, and only to their owner', async () => {
    const { body } = await send({});
    expect(body.data.orders.edges.map(({ node }: { node: object }) => node)[1]).toEqual({
      id: expect.stringMatching(/^ord_/),
      decline: null,
      clientRequestId: 'other number',
      status: 'SUCCESS',
      amount: 10,
      accountNumber: '9812345678',
    });
    expect((await list({})).keys).toEqual(ALL);
    expect((await list({}, otherAccount)).keys).toEqual([]);
  });

  it('are paginated forwards and backwards, and each page reports its neighbors', async () => {
    const first = await list({ first: 3 });
    expect([first.keys, first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([
      ALL.slice(0, 3),
      true,
      false,
    ]);
    const second = await list({ first: 3, after: first.pageInfo.endCursor });
    expect([second.keys, second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage]).toEqual([
      ALL.slice(3, 6),
      true,
      true,
    ]);
    const third = await list({ first: 3, after: second.pageInfo.endCursor });
    expect([third.keys, third.pageInfo.hasNextPage]).toEqual([ALL.slice(6), false]);

    const last = await list({ last: 3 });
    expect([last.keys, last.pageInfo.hasNextPage, last.pageInfo.hasPreviousPage]).toEqual([ALL.slice(4), false, true]);
    const previousPage = await list({ last: 4, before: last.pageInfo.startCursor });
    expect([previousPage.keys, previousPage.pageInfo.hasNextPage, previousPage.pageInfo.hasPreviousPage]).toEqual([
      ALL.slice(0, 4),
      true,
      false,
    ]);
    const empty = await list({ filter: { accountNumber: '9000000000' } });
    expect(empty.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null });
  });

  it.each<[string, () => object, string[]]>([
    ['the number', () => ({ accountNumber: '9812345678' }), ['other number']],
    ['the operator’s reference, in any case', () => ({ operatorRef: ref('operator_ref').toLowerCase() }), ['r3']],
    ['the provider’s transaction ID', () => ({ providerTxnId: ref('provider_txn_id') }), ['r3']],
    ['two matching references', () => ({ providerTxnId: ref('provider_txn_id'), accountNumber: '9876543210' }), ['r3']],
    ['two conflicting references', () => ({ providerTxnId: ref('provider_txn_id'), accountNumber: '9812345678' }), []],
    ['an unknown reference', () => ({ utr: 'UTR000' }), []],
  ])('are found by %s, regardless of age', async (_name, filter, keys) => {
    expect(await found(filter())).toEqual(keys);
  });
  const ref = (name: 'operator_ref' | 'provider_txn_id'): string => responses.get('r3')![name];

  it('are found by any kind of reference', async () => {
    const { body } = await send({ filter: { clientRequestId: 'r3' } });
    const [{ node }] = body.data.orders.edges;
    const { api_request_id, operator_ref, provider_txn_id } = responses.get('r3')!;
    const references = [
      api_request_id,
      api_request_id.toLowerCase(),
      node.id,
      node.id.replace('ord_', ''),
      'r3',
      operator_ref.toLowerCase(),
      provider_txn_id,
    ];
    for (const reference of references) expect([reference, await found({ reference })]).toEqual([reference, ['r3']]);
    expect(await found({ reference: '9812345678' })).toEqual(['other number']);
    expect(await found({ reference: 'r3', accountNumber: '9812345678' })).toEqual([]);
    expect(await found({ reference: 'in uat' })).toEqual([]);
    expect((await list({ filter: { reference: node.id } }, otherAccount)).keys).toEqual([]);
  });

  it('are filtered by amount, operator and decline reason', async () => {
    expect(await found({ minAmount: 12, maxAmount: 14 })).toEqual(['r4', 'r3', 'r2']);
    expect(await found({ minAmount: 15 })).toEqual(['r5']);
    expect(await found({ operatorSpKey: 116 })).toEqual(ALL);
    expect(await found({ operatorSpKey: 37 })).toEqual([]);
    const { body } = await send({ filter: { clientRequestId: 'declined' } });
    const { reason } = body.data.orders.edges[0].node.decline;
    expect(await found({ declineReason: [reason, 'LIMIT_REACHED'] })).toEqual(['declined']);
    expect(await found({ declineReason: ['LIMIT_REACHED', 'REVERSED_BY_PROVIDER'] })).toEqual([]);
  });

  it('are filtered by an operator, whichever of its keys was used', async () => {
    const account = await test.developer();
    for (const operator_sp_key of [12, 37, 116])
      await place(test, account, { client_request_id: `by ${operator_sp_key}`, operator_sp_key }, 'production');
    for (const operatorSpKey of [12, 37])
      expect((await list({ filter: { operatorSpKey } }, account)).keys).toEqual(['by 37', 'by 12']);
    expect((await list({ filter: { operatorSpKey: 13 } }, account)).keys).toEqual([]);
  });

  it('are limited to the last 92 days if the filter has no start, and the response reports that', async () => {
    expect(await found({ status: ['FAILED'], kind: 'RECHARGE' })).toEqual(['declined']);
    const days =
      (92 * 86_400_000 - (Date.now() - Date.parse((await searchStartOf({ status: ['FAILED'] }))!))) / 86_400_000;
    expect(Math.abs(days)).toBeLessThan(0.01);
    const to = '2026-05-03T00:00:00+05:30';
    expect(await searchStartOf({ minAmount: 1, to })).toBe('2026-01-31T00:00:00.000+05:30');
    for (const filter of [
      {},
      { accountNumber: '9812345678', kind: 'RECHARGE' },
      { amount: 5, from: new Date().toISOString() },
    ])
      expect(await searchStartOf(filter)).toBeNull();
  });

  it('are filtered by kind, status and amount within a range', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    expect(await found({ from, status: ['FAILED'] })).toEqual(['declined']);
    expect(await found({ from, status: ['SUCCESS'] })).toEqual(ALL.slice(1));
    expect(await found({ from, status: ['FAILED', 'PENDING', 'REVERSED', 'SUCCESS'] })).toEqual(ALL);
    expect(await found({ from, status: ['REVERSED'] })).toEqual([]);
    expect(await found({ from, amount: 13 })).toEqual(['r3']);
    expect(await found({ from, kind: 'CARD_PAYMENT' })).toEqual([]);
    expect(await found({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect(await found({ to: from })).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['a range of years', { filter: { amount: 5, from: '2020-01-01T00:00:00Z' } }, ['filter.from']],
    ['a reversed range', { filter: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, ['filter.to']],
    [
      'a repeated status',
      { filter: { from: new Date().toISOString(), status: ['FAILED', 'FAILED'] } },
      ['filter.status'],
    ],
    ['an incomplete order reference', { filter: { apiRequestId: 'ABC' } }, ['filter.apiRequestId']],
    ['an ID of another type', { filter: { reference: `dev_${UNKNOWN_ID}` } }, ['filter.reference']],
    ['a card filter for recharges', { filter: { cardLast4: '3008', kind: 'RECHARGE' } }, ['filter.cardLast4']],
    ['a card and an operator', { filter: { cardLast4: '3008', operatorSpKey: 116 } }, ['filter.cardLast4']],
    ['a full card number', { filter: { cardLast4: '4111111111111111' } }, ['filter.cardLast4']],
    ['a UTR filter for recharges', { filter: { utr: 'UTR000', kind: 'RECHARGE' } }, ['filter.utr']],
    [
      'an operator filter for bill payments',
      { filter: { operatorSpKey: 116, kind: 'CARD_PAYMENT' } },
      ['filter.operatorSpKey'],
    ],
    [
      'a decline reason for successful orders',
      { filter: { declineReason: ['UNSPECIFIED'], status: ['SUCCESS'] } },
      ['filter.declineReason'],
    ],
    ['a minimum amount above the maximum', { filter: { minAmount: 2, maxAmount: 1 } }, ['filter.maxAmount']],
    ['an exact amount in a range', { filter: { amount: 2, maxAmount: 3 } }, ['filter.amount']],
    ['both directions', { first: 1, last: 1 }, ['last']],
    ['a page size over the limit', { last: 201 }, ['last']],
    ['a page size of zero', { first: 0 }, ['first']],
  ])('are rejected for %s with the name of the field', async (_name, variables, paths) => {
    expect(await problems(variables)).toEqual(paths);
  });
});

it('an order includes its statement entries, and each event has structured values and a summary', async () => {
  const { body } = await test.graphql(
    'production',
    developer.tokens.production,
    `query($filter: OrderFilter) { orders(filter: $filter) { edges { node {
      apiRequestId environment providerTxnId entries { kind amount reference order { clientRequestId } }
      timeline { kind amount httpStatus durationMs reference } deliveries { id } } } } }`,
    { filter: { clientRequestId: 'declined' } },
  );
  const [{ node }] = body.data.orders.edges;
  const line = { reference: node.apiRequestId, order: { clientRequestId: 'declined' } };
  expect(node.entries).toEqual([
    { kind: 'HOLD', amount: -10, ...line },
    { kind: 'REFUND', amount: 10, ...line },
  ]);
  const emptyFields = { amount: null, httpStatus: null, durationMs: null, reference: null };
  const response = {
    ...emptyFields,
    kind: 'RESPONSE',
    httpStatus: 200,
    durationMs: expect.any(Number),
    reference: node.providerTxnId,
  };
  expect(node.timeline).toEqual([
    { ...emptyFields, kind: 'HOLD', amount: 10 },
    { ...emptyFields, kind: 'SEND' },
    response,
    { ...emptyFields, kind: 'REFUND', amount: 10 },
  ]);
  expect(node).toMatchObject({ environment: 'PRODUCTION', deliveries: [] });
});

describe('ordersByKey', () => {
  const byKey = async (clientRequestIds: string[], account = developer) =>
    (
      await test.graphql(
        'production',
        account.tokens.production,
        'query($keys: [String!]!) { ordersByKey(kind: RECHARGE, clientRequestIds: $keys) { clientRequestId status } }',
        { keys: clientRequestIds },
      )
    ).body;

  it('returns many orders in the order of the keys, with null for unknown keys', async () => {
    expect((await byKey(['declined', 'nothing', 'r1', 'in uat'])).data.ordersByKey).toEqual([
      { clientRequestId: 'declined', status: 'FAILED' },
      null,
      { clientRequestId: 'r1', status: 'SUCCESS' },
      null,
    ]);
    expect((await byKey(['r1'], otherAccount)).data.ordersByKey).toEqual([null]);
  });

  it('counts up to fifty keys as one call and rejects more', async () => {
    const keys = Array.from({ length: 51 }, (_, n) => `key ${n}`);
    expect((await byKey(keys)).errors[0].extensions.fields[0].path).toBe('clientRequestIds');
    const limited = await test.developer({ rateLimitPerMinute: 1 });
    expect((await byKey(keys.slice(1), limited)).data.ordersByKey).toHaveLength(50);
  });
});

describe('a statement', () => {
  const STATEMENT = `{ wallet { statement(first: 50) { edges { node { kind amount
    order { clientRequestId status amount accountNumber } } } } } }`;

  it('links each entry to its order, but not those of lookups and credits', async () => {
    const { body } = await test.graphql('production', developer.tokens.production, STATEMENT);
    const lines = body.data.wallet.statement.edges.map(({ node }: { node: object }) => node);
    expect(lines).toContainEqual({
      kind: 'HOLD',
      amount: -10,
      order: {
        clientRequestId: 'other number',
        status: 'SUCCESS',
        amount: 10,
        accountNumber: '9812345678',
      },
    });
    const declinedLines = lines.filter(
      ({ order }: { order: { clientRequestId: string } | null }) => order?.clientRequestId === 'declined',
    );
    expect(declinedLines.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['HOLD', 'REFUND']);
    expect(lines.find(({ kind }: { kind: string }) => kind === 'TOP_UP').order).toBeNull();
  });

  const FILTERED = `query($kinds: [StatementKind!], $reference: String, $first: Int, $after: String, $last: Int) { wallet {
    statement(kinds: $kinds, reference: $reference, first: $first, after: $after, last: $last) {
      edges { node { kind amount reference } } pageInfo { endCursor hasNextPage } } } }`;
  const filtered = async (variables: object, account = developer) =>
    (await test.graphql('production', account.tokens.production, FILTERED, variables)).body.data.wallet.statement;
  const amounts = ({ edges }: { edges: { node: { amount: number } }[] }) => edges.map(({ node }) => node.amount);

  it('can be filtered by kind and paginated from either end', async () => {
    expect(amounts(await filtered({ kinds: ['REFUND'] }))).toEqual([10]);
    const first = await filtered({ kinds: ['HOLD', 'REFUND'], first: 3 });
    // the newest three entries: a refund, its hold, and the hold before them
    expect([amounts(first), first.pageInfo.hasNextPage]).toEqual([[10, -10, -10], true]);
    const rest = await filtered({ kinds: ['HOLD', 'REFUND'], after: first.pageInfo.endCursor });
    expect(amounts(rest)).toEqual([-15, -14, -13, -12, -11]);
    expect(amounts(await filtered({ kinds: ['HOLD', 'TOP_UP'], last: 2 }))).toEqual([-11, 10_000]);
    expect(amounts(await filtered({ kinds: ['DEBIT', 'LEAD_FEE'] }))).toEqual([]);
  });

  it('can be filtered by the reference of an order, a credit or a lookup', async () => {
    const { api_request_id: reference } = responses.get('r3')!;
    for (const spelled of [reference, reference.toLowerCase()])
      expect((await filtered({ reference: spelled })).edges.map(({ node }: { node: object }) => node)).toEqual([
        { kind: 'HOLD', amount: -13, reference },
      ]);
    expect(amounts(await filtered({ reference, kinds: ['REFUND'] }))).toEqual([]);
    expect(amounts(await filtered({ reference }, otherAccount))).toEqual([]);
    const [credit] = (await filtered({ kinds: ['TOP_UP'] })).edges;
    expect(amounts(await filtered({ reference: credit.node.reference, last: 5 }))).toEqual([10_000]);
    const charged = await test.developer({ feesPaise: { operator_fetch: 10 } });
    await test.rest('production', 'POST', '/api/v1/plan/operator-fetch', charged.tokens.production, {
      mobile: '9468455123',
      orderid: 'charged',
    });
    const [fee] = (await filtered({ kinds: ['HOLD'] }, charged)).edges;
    expect(amounts(await filtered({ reference: fee.node.reference }, charged))).toEqual([-0.1]);
  });

  it('loads all orders of a page with a single SQL statement', async () => {
    const byIds = vi.spyOn(test.app.store, 'byIds');
    const { body } = await test.graphql('production', developer.tokens.production, STATEMENT);
    expect(body.data.wallet.statement.edges.length).toBeGreaterThan(7);
    expect(byIds).toHaveBeenCalledTimes(1);
    byIds.mockRestore();
  });

  it('are limited to the last 92 days for staff too, for one developer and for all', async () => {
    const { body } = await service.call(
      service.staff.support,
      `query($id: ID!, $failed: ConsoleOrderFilter, $found: ConsoleOrderFilter, $since: ConsoleOrderFilter) {
        all: orders(filter: $failed) { searchedFrom edges { node { clientRequestId } } }
        one: developer(id: $id) { orders(filter: $failed) { searchedFrom } }
        found: orders(filter: $found) { searchedFrom }
        since: orders(filter: $since) { searchedFrom }
      }`,
      {
        id: developer.id,
        failed: { status: ['FAILED'], to: '2026-05-03T00:00:00+05:30' },
        found: { accountNumber: '9812345678' },
        since: { status: ['FAILED'], from: '2026-02-01T00:00:00+05:30', to: '2026-05-03T00:00:00+05:30' },
      },
    );
    const searchedFrom = '2026-01-31T00:00:00.000+05:30';
    expect(body.data).toEqual({
      all: { searchedFrom, edges: [] },
      one: { orders: { searchedFrom } },
      found: { searchedFrom: null },
      since: { searchedFrom: null },
    });
  });

  it('are shown to staff with masked numbers', async () => {
    const { body } = await service.call(
      service.staff.support,
      `query($id: ID!) { developer(id: $id) { wallets { environment statement(first: 50) { edges { node {
        order { accountNumber } } } } } } }`,
      { id: developer.id },
    );
    const text = JSON.stringify(body.data);
    expect(text).toContain('xxxxxx5678');
    expect(text).not.toContain('9812345678');
  });
});
