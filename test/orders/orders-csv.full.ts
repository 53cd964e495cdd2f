import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { csvRecords } from '../../src/core/csv.js';
import { PASSWORD, useConsole } from '../console/console.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';

const service = useConsole();
const { test } = service;
let developer: TestDeveloper;
let otherAccount: TestDeveloper;
const today = indianDay(new Date());

beforeAll(async () => {
  [developer, otherAccount] = [await test.developer({ rateLimitPerMinute: 1_000 }), await test.developer()];
  const recharge = (key: string, more: object = {}) => place(test, developer, { client_request_id: key, ...more });
  await recharge('first', { amount: 10.5 });
  await recharge('declined', { account_number: '9876540001' });
  await recharge('=1+1', { account_number: '9811100002' });
});

const download = (host: 'uat' | 'production' | 'console', path: string, token?: string) =>
  fetch(`${test.urls[host]}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

async function rowsOf(response: Response): Promise<Record<string, string>[]> {
  expect(response.status).toBe(200);
  const records: string[][] = [];
  for await (const { fields } of csvRecords([await response.text()])) records.push(fields);
  const [header, ...rows] = records;
  return rows.map((row) => Object.fromEntries(header!.map((name, n) => [name, row[n]!])));
}

const own = (query = `from=${today}&to=${today}`, token = developer.tokens.production) =>
  download('production', `/api/v1/orders.csv?${query}`, token);

describe('an order export', () => {
  it('contains the orders of the account and environment, oldest first', async () => {
    const response = await own();
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(response.headers.get('content-disposition')).toContain(`orders-production-${today}-${today}.csv`);
    const rows = await rowsOf(response);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^ord_/),
      client_request_id: 'first',
      kind: 'recharge',
      status: 'success',
      amount: '10.50',
      refunded: '0.00',
      account_number: '9876543210',
      operator: 'Jio',
      environment: 'production',
      decline_reason: '',
    });
    expect(rows[1]).toMatchObject({ status: 'failed', refunded: '10.00', decline_reason: 'UNSPECIFIED' });
    // spreadsheets do not execute the text as a formula
    expect(rows[2]!.client_request_id).toBe("'=1+1");
    expect(await rowsOf(await own(undefined, otherAccount.tokens.production))).toEqual([]);
    expect(
      await rowsOf(await download('uat', `/api/v1/orders.csv?from=${today}&to=${today}`, developer.tokens.uat)),
    ).toEqual([]);
  });

  it('excludes other days', async () => {
    expect(await rowsOf(await own('from=2026-01-01&to=2026-01-31'))).toEqual([]);
  });

  it.each([
    ['', 'from'],
    ['from=2026-01-01', 'to'],
    ['from=2026-02-01&to=2026-01-01', 'to'],
    ['from=2020-01-01&to=2026-01-01', 'to'],
    ['from=x&to=2026-01-01', 'from'],
  ])('is rejected for the range %j', async (query, field) => {
    const response = await own(query);
    expect([response.status, Object.keys(((await response.json()) as any).errors)]).toEqual([
      422,
      expect.arrayContaining([field]),
    ]);
  });

  it.each([
    ['status=failed', ['declined']],
    ['status=success,failed&max_amount=10', ['declined', '=1+1']],
    ['kind=RECHARGE&amount=10.5', ['first']],
    ['account_number=9811100002', ['=1+1']],
    ['client_request_id=first', ['first']],
    // an unencoded plus in a key matches a space or a plus
    ['reference=%3D1+1', ['=1+1']],
    ['decline_reason=UNSPECIFIED&operator_sp_key=116', ['declined']],
    ['kind=card_payment', []],
  ])('supports the filters of the list: %s', async (filter, keys) => {
    const rows = await rowsOf(await own(`from=${today}&to=${today}&raw=true&${filter}`));
    expect(rows.map((row) => row.client_request_id)).toEqual(keys);
    const list = await test.rest('production', 'GET', `/api/v1/orders?${filter}`, developer.tokens.production);
    expect(list.body.data.map((order: any) => order.client_request_id)).toEqual(keys.toReversed());
  });

  it.each([
    ['status=lost', 'status', 'Must be one of success, pending, failed, reversed.'],
    ['status=', 'status', 'Must not be empty. Set a value or omit the parameter.'],
    ['amount=1&min_amount=1', 'amount', 'Cannot be combined with `min_amount` or `max_amount`.'],
    ['min_amount=2&max_amount=1', 'max_amount', 'Must be greater than or equal to `min_amount`.'],
    ['kind=recharge&utr=1', 'utr', 'Only card bill payments have this field'],
    ['limit=1', 'limit', 'Unknown parameter.'],
    ['raw=yes', 'raw', 'Must be true or false.'],
    ['bom=2', 'bom', 'Must be true or false.'],
    ['raw=true&raw=true', 'raw', 'Must be sent only once.'],
  ])('is rejected with the invalid parameter %s', async (query, name, message) => {
    const response = await own(`from=${today}&to=${today}&${query}`);
    const { code, errors } = (await response.json()) as { code: string; errors: Record<string, string[]> };
    expect([response.status, code, Object.keys(errors)]).toEqual([422, 'VALIDATION_FAILED', [name]]);
    expect(errors[name]![0]).toContain(message);
  });

  it('is limited to 92 days if only a text filter is given, like the list', async () => {
    const { body } = await test.rest(
      'production',
      'GET',
      '/api/v1/orders.csv?from=2026-01-01&to=2026-12-31&status=failed&raw=no',
      developer.tokens.production,
    );
    expect(body.errors).toEqual({
      raw: ['Must be true or false.'],
      from: [expect.stringContaining('Must be at most 92 days before `to`')],
    });
  });

  it('has raw values and a byte order mark if the query requests them', async () => {
    const range = `from=${today}&to=${today}`;
    expect((await rowsOf(await own(`${range}&raw=1`)))[2]!.client_request_id).toBe('=1+1');
    expect((await rowsOf(await own(`${range}&raw=false`)))[2]!.client_request_id).toBe("'=1+1");
    const firstBytes = async (query: string) => Buffer.from(await (await own(query)).arrayBuffer()).subarray(0, 6);
    expect((await firstBytes(`${range}&bom=true`)).toString('latin1')).toBe('\xef\xbb\xbfcre');
    expect((await firstBytes(range)).toString()).toBe('create');
  });

  it('requires a token', async () => {
    expect((await download('production', `/api/v1/orders.csv?from=${today}&to=${today}`)).status).toBe(401);
  });
});

const problemOf = async (path: string, token: string): Promise<[status: number, fields: string[]]> => {
  const response = await download('console', path, token);
  return [response.status, Object.keys(((await response.json()) as { errors?: object }).errors ?? {})];
};

describe('an order workbook', () => {
  const workbook = async (
    filter = '',
    host: 'production' | 'console' = 'production',
    token = developer.tokens.production,
  ) => {
    const path = host === 'console' ? '/orders' : '/api/v1/orders';
    const response = await download(host, `${path}.xlsx?from=${today}&to=${today}${filter}`, token);
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-[\w-]*\.xlsx"$/);
    const [sheet] = (await readXlsx(new Uint8Array(await response.arrayBuffer()))).sheets;
    const [header, ...rows] = sheet!.rows;
    return rows.map((row) => Object.fromEntries(header!.map((name, n) => [name, row[n]])));
  };

  it('contains the rows of the CSV file, with strings as text, amounts as numbers and IST times as dates', async () => {
    const rows = await workbook();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      client_request_id: 'first',
      account_number: '9876543210',
      amount: 10.5,
      refunded: 0,
    });
    // without an apostrophe, because a text cell is never a formula
    expect(rows[2]).toMatchObject({ client_request_id: '=1+1', utr: null });
    const [first] = await rowsOf(await own());
    expect((rows[0]!.created_at as Date).toISOString()).toBe(`${first!.created_at!.slice(0, 23)}Z`);
    const user = await service.userOf(developer.id);
    expect(await workbook('&environment=production', 'console', user)).toEqual(rows);
  });

  it('supports the filters of the list and shares its rate limit with the CSV file', async () => {
    expect((await workbook('&status=failed')).map((row) => row.client_request_id)).toEqual(['declined']);
    const other = await test.developer({ rateLimitPerMinute: 2 });
    const statuses = [];
    for (const ending of ['csv', 'xlsx', 'csv'])
      statuses.push(
        (await download('production', `/api/v1/orders.${ending}?from=${today}&to=${today}`, other.tokens.production))
          .status,
      );
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each(['status=lost', 'raw=true', 'bom=true'])('is rejected with the parameter %s', async (query) => {
    const response = await download(
      'production',
      `/api/v1/orders.xlsx?from=${today}&to=${today}&${query}`,
      developer.tokens.production,
    );
    const { errors } = (await response.json()) as { errors: object };
    expect([response.status, Object.keys(errors)]).toEqual([422, [query.split('=')[0]]]);
  });
});

describe('an order export in the console', () => {
  const path = (more = '') => `/orders.csv?from=${today}&to=${today}${more}`;

  it('contains the orders of all developers or one developer for staff, with masked numbers', async () => {
    const rows = await rowsOf(
      await download('console', path(`&developerId=dev_${developer.id}`), service.staff.support),
    );
    expect(rows.map(({ account_number }) => account_number)).toEqual(['xxxxxx3210', 'xxxxxx0001', 'xxxxxx0002']);
    expect((await rowsOf(await download('console', path(), service.staff.support))).length).toBeGreaterThanOrEqual(3);
  });

  it('supports the filters of the console list by their GraphQL names', async () => {
    const staff = service.staff.support;
    const keys = async (filter: string) =>
      (await rowsOf(await download('console', path(`&developerId=dev_${developer.id}&raw=true&${filter}`), staff))).map(
        (row) => row.client_request_id,
      );
    expect(await keys('status=failed')).toEqual(['declined']);
    expect(await keys('minAmount=10.5&environment=production')).toEqual(['first']);
    expect(await keys('provider=sandbox')).toEqual([]);
    expect(await problemOf(path('&min_amount=1'), staff)).toEqual([422, ['min_amount']]);
    expect(await problemOf(path('&provider=nobody&minAmount=x'), staff)).toEqual([422, ['minAmount', 'provider']]);
    expect(await problemOf(path('&provider=sandbox&environment=production'), staff)).toEqual([422, ['provider']]);
  });

  it('is limited to one environment if requested', async () => {
    const user = await service.userOf(developer.id);
    const response = await download('console', path('&environment=production'), user);
    expect(response.headers.get('content-disposition')).toContain(`orders-production-${today}-${today}.csv`);
    expect(await rowsOf(response)).toHaveLength(3);
    expect(await rowsOf(await download('console', path('&environment=uat'), user))).toEqual([]);
    expect(await problemOf(path('&environment=live'), user)).toEqual([422, ['environment']]);
  });

  it('contains the developer’s own orders with full numbers', async () => {
    const user = await service.userOf(developer.id);
    const rows = await rowsOf(await download('console', path(), user));
    expect(rows.map(({ account_number }) => account_number)).toEqual(['9876543210', '9876540001', '9811100002']);
    expect((await download('console', path(`&developerId=${otherAccount.id}`), user)).status).toBe(422);
  });

  it('requires a session', async () => {
    expect((await download('console', path())).status).toBe(401);
  });
});

describe('a card number in a client request ID', () => {
  const CARD = '4539578763621486';
  const keys = [CARD, `ORD-${CARD}-7`, '4539 5787 6362 1486', '20261128083911'];
  const MASKED = ['xxxxxxxxxxxx1486', 'ORD-xxxxxxxxxxxx1486-7', 'xxxx xxxx xxxx 1486', '20261128083911'];
  const MASKED_FOR_STAFF = MASKED.with(1, 'ORD-xxxxxxxxxxxxx486-7');
  const ORDERS =
    'query($of: ID) { orders(filter: { developerId: $of }, first: 20) { edges { node { clientRequestId deliveries { body } } } } }';
  let owner: TestDeveloper;
  beforeAll(async () => {
    owner = await test.developer();
    for (const key of keys) await place(test, owner, { client_request_id: key }, 'uat');
  });

  it('is masked in the exports of every user', async () => {
    const range = `from=${today}&to=${today}`;
    const user = await service.userOf(owner.id);
    for (const response of [
      await download('uat', `/api/v1/orders.csv?${range}`, owner.tokens.uat),
      await download('console', `/orders.csv?${range}`, user),
    ])
      expect((await rowsOf(response)).map((row) => row.client_request_id)).toEqual(MASKED);
    for (const staff of [service.staff.support, service.staff.admin]) {
      const response = await download('console', `/orders.csv?${range}&developerId=dev_${owner.id}`, staff);
      expect((await rowsOf(response)).map((row) => row.client_request_id)).toEqual(MASKED_FOR_STAFF);
    }
  });

  it('is shown to the account and to administrators, but not to support', async () => {
    const readKeys = async (token: string) => {
      const { body } = await service.call(token, ORDERS, { of: `dev_${owner.id}` });
      return body.data.orders.edges.map(({ node }: { node: { clientRequestId: string } }) => node.clientRequestId);
    };
    expect(await readKeys(service.staff.admin)).toEqual(keys.toReversed());
    const supportKeys: string[] = await readKeys(service.staff.support);
    expect(supportKeys.toReversed().map((key) => key.slice(-4))).toEqual(['1486', '86-7', '1486', '3911']);
    expect(supportKeys.join()).not.toMatch(/4539|5787/);
  });
});

describe('a statement export in the console', () => {
  const path = (more = '') => `/statement.csv?environment=production&from=${today}&to=${today}${more}`;
  const kinds = (rows: Record<string, string>[]) => rows.map(({ kind }) => kind);
  const LINES = ['opening', 'top_up', 'hold', 'hold', 'refund', 'hold', 'closing'];

  it('contains the entries of the developer’s own wallet in one environment', async () => {
    const user = await service.userOf(developer.id);
    const response = await download('console', path(), user);
    expect(response.headers.get('content-disposition')).toContain(`statement-production-${today}-${today}.csv`);
    expect(kinds(await rowsOf(response))).toEqual(LINES);
    const play = await download('console', path().replace('production', 'uat'), user);
    expect(kinds(await rowsOf(play))).toEqual(['opening', 'top_up', 'closing']);
    expect(await problemOf(path(`&developerId=dev_${otherAccount.id}`), user)).toEqual([422, ['developerId']]);
  });

  it('contains only the entries that match the filter', async () => {
    const user = await service.userOf(developer.id);
    const rows = await rowsOf(await download('console', path('&kinds=hold,refund'), user));
    expect(kinds(rows)).toEqual(['hold', 'hold', 'refund', 'hold']);
    expect(rows[0]!.date).toBe(today);
    const { reference } = rows[2]!;
    expect(kinds(await rowsOf(await download('console', path(`&reference=${reference}`), user)))).toEqual([
      'hold',
      'refund',
    ]);
    expect(await problemOf(path('&kinds=gift'), user)).toEqual([422, ['kinds']]);
  });

  it('is available to staff with access to money, for a specified wallet', async () => {
    const rows = await rowsOf(
      await download('console', path(`&developerId=dev_${developer.id}`), service.staff.support),
    );
    expect(kinds(rows)).toEqual(LINES);
    expect(await problemOf(path(), service.staff.support)).toEqual([422, ['developerId']]);
    expect(await problemOf(path('&developerId=nobody').replace('production', ''), service.staff.support)).toEqual([
      422,
      ['environment'],
    ]);
    const user = { email: 'reviewer@files.example', name: 'R', password: PASSWORD, role: 'reviewer' } as const;
    await test.app.users.create(user, seed);
    const { token } = await test.app.sessions.signIn({ email: user.email, password: PASSWORD }, FROM_TEST);
    expect((await download('console', path(`&developerId=dev_${developer.id}`), token)).status).toBe(403);
    expect((await download('console', path())).status).toBe(401);
  });
});
