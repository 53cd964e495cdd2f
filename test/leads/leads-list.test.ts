import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, person, setDefaultCustomer } from './lead.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
let otherAccount: TestDeveloper;
/** Oldest first. */
const codes: string[] = [];

beforeAll(async () => {
  await setDefaultCustomer(test, 'production');
  const feesPaise = { lead_generation: 5_000 };
  [developer, otherAccount] = [await test.developer({ feesPaise }), await test.developer()];
  const call = callsOf(test, developer);
  for (const n of [71, 72, 73]) {
    const { body: profile } = await call.profile('production', person(n));
    const product_id = n === 73 ? '4002' : '4001';
    const { body } = await call.lead('production', { product_id, customer_id: profile.data.customer_id });
    codes.push(body.data.lead_code);
  }
  // approved with the third call, which charges the fee
  for (let n = 0; n < 3; n++) await call.status('production', codes[0]!);
});

const list = async (variables: object, account = developer): Promise<any> => {
  const { body } = await test.graphql(
    'production',
    account.tokens.production,
    `query($filter: LeadFilter, $first: Int, $after: String, $last: Int, $before: String) {
      leads(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id leadCode status createdAt feeChargedAt product { productId title } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    variables,
  );
  return body;
};
const found = async (variables: object, account = developer): Promise<string[]> =>
  (await list(variables, account)).data.leads.edges.map(({ node }: { node: { leadCode: string } }) => node.leadCode);

it('lists only the leads of one developer, newest first, with their products', async () => {
  expect(await found({})).toEqual(codes.toReversed());
  expect(await found({}, otherAccount)).toEqual([]);
  const { data } = await list({});
  expect(data.leads.edges[2].node).toEqual({
    id: expect.stringMatching(/^lea_/),
    leadCode: codes[0],
    status: 'APPROVED',
    createdAt: expect.any(String),
    feeChargedAt: expect.any(String),
    product: { productId: '4001', title: expect.any(String) },
  });
});

it('paginates leads forwards and backwards', async () => {
  const { data } = await list({ first: 2 });
  expect(data.leads.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  expect(await found({ first: 2, after: data.leads.pageInfo.endCursor })).toEqual([codes[0]]);
  expect(await found({ last: 1, before: data.leads.pageInfo.endCursor })).toEqual([codes[2]]);
});

it('filters leads by state, product and time', async () => {
  expect(await found({ filter: { status: ['APPROVED'] } })).toEqual([codes[0]]);
  // leads whose status was never requested
  expect(await found({ filter: { status: ['PENDING'] } })).toEqual([codes[2], codes[1]]);
  expect(await found({ filter: { productId: '4002' } })).toEqual([codes[2]]);
  expect(await found({ filter: { to: '2020-01-01T00:00:00Z' } })).toEqual([]);
  expect((await found({ filter: { from: '2020-01-01T00:00:00Z' } })).length).toBe(3);
});

it('searches leads by code, ID and customer mobile number', async () => {
  const { data } = await list({ filter: { search: codes[1] } });
  const [{ node }] = data.leads.edges;
  expect(node.leadCode).toBe(codes[1]);
  for (const search of [node.id, node.id.replace('lea_', ''), person(72).mobile_no])
    expect([search, await found({ filter: { search } })]).toEqual([search, [codes[1]]]);
  expect(await found({ filter: { search: person(72).mobile_no, productId: '4002' } })).toEqual([]);
  expect(await found({ filter: { search: '9000000009' } })).toEqual([]);
  expect(await found({ filter: { search: codes[1] } }, otherAccount)).toEqual([]);
});

it.each([
  [{ filter: { search: '' } }, 'filter.search'],
  [{ first: 0 }, 'first'],
  [{ after: 'bm90IG9uZQ' }, 'after'],
  [{ filter: { status: [] } }, 'filter.status'],
  [{ filter: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'filter.to'],
])('rejects %j', async (variables, path) => {
  const { errors } = await list(variables);
  expect(errors[0].extensions.fields[0].path).toBe(path);
});

it('filters the statement by the lead code of a fee', async () => {
  const { body } = await test.graphql(
    'production',
    developer.tokens.production,
    'query($reference: String) { wallet { statement(reference: $reference) { edges { node { kind reference } } } } }',
    { reference: codes[0] },
  );
  expect(body.data.wallet.statement.edges).toEqual([{ node: { kind: 'LEAD_FEE', reference: codes[0] } }]);
});

it('links the statement entry of a fee to its lead', async () => {
  const { body } = await test.graphql(
    'production',
    developer.tokens.production,
    '{ wallet { statement(first: 1) { edges { node { kind amount order { id } lead { leadCode } } } } } }',
  );
  expect(body.data.wallet.statement.edges[0].node).toEqual({
    kind: 'LEAD_FEE',
    amount: -50,
    order: null,
    lead: { leadCode: codes[0] },
  });
});

describe('a lead export', () => {
  const today = indianDay(new Date());
  const file = async (query: string, token = developer.tokens.production) =>
    fetch(`${test.urls.production}/api/v1/leads.csv?${query}`, { headers: { authorization: `Bearer ${token}` } });

  it('contains the leads of the account, oldest first', async () => {
    const response = await file(`from=${today}&to=${today}`);
    expect(response.headers.get('content-disposition')).toContain(`leads-production-${today}-${today}.csv`);
    const [header, ...rows] = (await response.text()).trim().split('\r\n');
    expect(header).toBe('created_at,id,lead_code,product_id,status,fee_charged_at,environment');
    expect(rows.map((row) => row.split(',')[2])).toEqual(codes);
    expect(rows[0]).toMatch(/^\S+,lea_[\w-]+,[\w-]+,4001,approved,\S+,production$/);
    const otherFile = await file(`from=${today}&to=${today}`, otherAccount.tokens.production);
    expect((await otherFile.text()).trim()).toBe(header);
  });

  it('supports the filters of the list', async () => {
    const codesIn = async (filter: string) =>
      (await (await file(`from=${today}&to=${today}&${filter}`)).text())
        .trim()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[2]);
    expect(await codesIn('status=approved')).toEqual([codes[0]]);
    expect(await codesIn(`search=${codes[1]}`)).toEqual([codes[1]]);
    expect(await codesIn('product_id=none')).toEqual([]);
    const rejection = await file(`from=${today}&to=${today}&status=lost`);
    expect([rejection.status, Object.keys(((await rejection.json()) as any).errors)]).toEqual([422, ['status']]);
  });

  it('is rejected without a range and without access to the service', async () => {
    expect((await file('from=x')).status).toBe(422);
    const without = await test.developer({ disabledServices: ['lead_generation'] });
    expect((await file(`from=${today}&to=${today}`, without.tokens.production)).status).toBe(403);
  });
});
