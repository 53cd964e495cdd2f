import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { services as allServices, services as everyService } from '../../src/core/services.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { codesOf, expectExplained, fieldsOf, PASSWORD, useOwnConsole } from './console.fixture.js';

const LIST = `query($filter: DeveloperFilter, $sort: DeveloperSort, $first: Int, $after: String, $last: Int) {
  developers(filter: $filter, sort: $sort, first: $first, after: $after, last: $last) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id name onboardingStatus } } } }`;
const FULL = `{ id name email mobile onboardingStatus rejectionReason approvedAt approvedBy { kind name user { id } } productionUnlocked
  rechargeProvider rateLimitPerMinute whiteLabel { id name rechargeProvider } services { service enabled fee }
  wallets { environment balance }
  credentials { id clientId environment label secretLast4 createdAt lastUsedAt revokedAt } }`;

const console = useOwnConsole();
expectExplained(console);
const ids: DeveloperId[] = [];
let developer: TestDeveloper;

beforeAll(async () => {
  developer = await console.test.developer({
    liveRupees: 500,
    feesPaise: { operator_fetch: 10 },
    disabledServices: ['dth_info'],
  });
  for (const name of ['100% Recharge', 'Under_score', 'Back\\slash', 'Plain', 'Other'])
    ids.push(await console.applicant(name));
  await console.test.app.developers.change(
    'rejectDeveloper',
    { developerId: ids[4]!, reason: 'Papers are missing' },
    seed,
  );
});

interface Page {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { cursor: string; node: { id: string; name: string; onboardingStatus: string } }[];
}
const list = async (variables: object): Promise<Page> =>
  (await console.call(console.staff.support, LIST, variables)).body.data.developers;
const names = ({ edges }: Page): string[] => edges.map(({ node }) => node.name);
const idsIn = ({ edges }: Page): string[] => edges.map(({ node }) => node.id);
/** ID of the developer in the API, with its prefix. */
const publicId = (id: string): string => `dev_${id}`;

describe('developers', () => {
  it('includes every developer once, newest first, also while others register', async () => {
    const collected: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 3; page++) {
      const response: Page = await list({ first: 2, after });
      expect(response.totalCount).toBe(6 + page);
      expect(response.pageInfo).toEqual({ hasNextPage: page < 2, endCursor: response.edges.at(-1)!.cursor });
      collected.push(...idsIn(response));
      after = response.pageInfo.endCursor;
      await console.applicant('Latecomer');
    }
    expect(collected).toEqual([...ids.toReversed(), developer.id].map(publicId));
  });

  it('can be sorted by name, forwards and backwards', async () => {
    const sort = 'NAME_ASC';
    const all = await list({ first: 200, sort });
    expect(new Set(names(all)).size).toBeLessThan(all.edges.length); // some have the same name
    expect([...new Set(names(all))]).toEqual([...new Set(names(all))].toSorted());
    const collected: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page = await list({ first: 2, sort, after });
      collected.push(...idsIn(page));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(collected).toEqual(idsIn(all));
    expect(idsIn(await list({ last: 3, sort }))).toEqual(idsIn(all).slice(-3));
    expect(idsIn(await list({ last: 3 }))).toEqual([ids[1], ids[0], developer.id].map((id) => publicId(id!)));
  });

  it.each([
    ['%', ['100% Recharge']],
    ['_', ['Under_score']],
    ['\\', ['Back\\slash']],
    ['PLAIN', ['Plain']],
    ["' or 1=1 --", []],
  ])('finds the literal text %s', async (search, expected) => {
    const page = await list({ first: 200, filter: { search } });
    expect(names(page)).toEqual(expected);
    expect(page.totalCount).toBe(expected.length);
  });

  it('finds by email address, ID and account number', async () => {
    const found = async (search: string) => idsIn(await list({ first: 200, filter: { search } }));
    for (const search of ['developer-1-', developer.id, publicId(developer.id)])
      expect(await found(search)).toEqual([publicId(developer.id)]);
    const { body } = await console.test.graphql('uat', developer.tokens.uat, '{ me { accountNumber } }');
    expect(await found(String(body.data.me.accountNumber))).toContain(publicId(developer.id));
  });

  it('filters by state and search text, and counts the matches', async () => {
    const found = (filter: object, first = 10) => list({ first, filter });
    expect(names(await found({ status: 'REJECTED' }))).toEqual(['Other']);
    expect((await found({ status: 'REJECTED', search: 'Plain' })).totalCount).toBe(0);
    expect((await found({ status: 'APPROVED', search: ' ' }, 1)).totalCount).toBe(1);
  });

  it('filters by Production access and white label', async () => {
    const { developers, whiteLabels } = console.test.app;
    const found = async (filter: object) => idsIn(await list({ first: 200, filter }));
    expect(await found({ productionUnlocked: true })).toEqual([publicId(developer.id)]);
    expect(await found({ productionUnlocked: false })).toEqual(expect.arrayContaining(ids.map(publicId)));
    const { id: labelId } = await whiteLabels.create('Label of the list', 'MOKSHIQ', seed);
    expect(await found({ whiteLabelId: labelId })).toEqual([]);
    await developers.change('moveToWhiteLabel', { developerId: developer.id, whiteLabelId: labelId }, seed);
    for (const whiteLabelId of [labelId, `wlb_${labelId}`])
      expect(await found({ whiteLabelId })).toEqual([publicId(developer.id)]);
    expect(await found({ whiteLabelId: labelId, suspended: true })).toEqual([]);
    await developers.change('removeFromWhiteLabel', { developerId: developer.id }, seed);
    for (const whiteLabelId of [labelId, UNKNOWN_ID]) expect(await found({ whiteLabelId })).toEqual([]);
    expect(await console.codes(console.staff.admin, LIST, { filter: { whiteLabelId: 'none' } })).toEqual([
      'RECORD_NOT_FOUND',
    ]);
  });

  it.each([
    [{ first: 0 }, ['first']],
    [{ first: 201 }, ['first']],
    [{ first: 1, after: 'nonsense' }, ['after']],
    [{ first: 1, after: Buffer.from('developers:99999999999').toString('base64url') }, ['after']],
    [{ first: 1, after: Buffer.from('developers-by-name:Plain').toString('base64url') }, ['after']],
    [{ first: 1, last: 1 }, ['last']],
    [{ first: 1, filter: { search: 'x'.repeat(101) } }, ['filter.search']],
    [{ first: 1, filter: { status: 'WAITING' } }, ['filter.status']],
    [{ first: 1, sort: 'EMAIL' }, ['sort']],
  ])('rejects %j and names the path', async (variables, fields) => {
    const response = await console.call(console.staff.admin, LIST, variables);
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], fields]);
  });

  it.each([
    ['', 1],
    ['totalCount', 2],
  ])('reads the children of a page with one statement each, and counts on request: %j', async (count, reads) => {
    const query = vi.spyOn(console.test.app.pool, 'query');
    const document = `{ developers(first: 200) { ${count} edges { node ${FULL} } } }`;
    const { body } = await console.call(console.staff.admin, document);
    const statements = query.mock.calls.map(([config]) => (config as unknown as { text?: string }).text ?? '');
    query.mockRestore();
    expect(body.data.developers.edges.length).toBeGreaterThan(6);
    for (const table of ['service_access', 'wallet', 'credential'])
      expect(statements.filter((text) => new RegExp(`from ${table}\\b`).test(text))).toHaveLength(1);
    // The developers themselves are read with their white labels.
    expect(statements.filter((text) => /from developer\b/.test(text))).toHaveLength(reads);
  });
});

it('IDs of accounts, users and white labels are UUIDs of version 7 in the order of creation', async () => {
  const { developers, users, whiteLabels } = console.test.app;
  const created: string[] = [];
  for (const name of ['first', 'second']) {
    const email = `${name}@ids.example`;
    const developerId = await developers.register({ name, email }, seed);
    const userId = await users.create({ email, name, password: PASSWORD, role: 'developer', developerId }, seed);
    created.push(developerId, userId, (await whiteLabels.create(`Label ${name} of ids`, 'MOKSHIQ', seed)).id);
  }
  for (const id of created) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(created).toEqual(created.toSorted());
});

describe('developer', () => {
  it('shows everything about an account, and no secret', async () => {
    const { body } = await console.call(console.staff.support, `{ developer(id: "${developer.id}") ${FULL} }`);
    const { services, wallets, credentials, ...account } = body.data.developer;
    expect(account).toEqual({
      id: publicId(developer.id),
      name: 'Developer 1',
      email: expect.stringContaining('@test.example'),
      mobile: null,
      onboardingStatus: 'APPROVED',
      rejectionReason: null,
      approvedAt: expect.stringMatching(/\+05:30$/),
      approvedBy: { kind: 'SYSTEM', name: seed.actor, user: null },
      productionUnlocked: true,
      rechargeProvider: 'ROUNDPAY',
      rateLimitPerMinute: null,
      whiteLabel: null,
    });
    expect(services).toEqual(
      everyService.map((service) => ({
        service: service.toUpperCase(),
        enabled: service !== 'dth_info',
        fee: service === 'operator_fetch' ? 0.1 : 0,
      })),
    );
    expect(wallets).toEqual([
      { environment: 'UAT', balance: 200_000 },
      { environment: 'PRODUCTION', balance: 500 },
    ]);
    const { clientId, apiSecret } = developer.keys.production;
    expect(credentials).toHaveLength(2);
    expect(credentials.find((key: { clientId: string }) => key.clientId === clientId)).toEqual({
      id: `key_${clientId}`,
      clientId,
      environment: 'PRODUCTION',
      label: null,
      secretLast4: apiSecret.slice(-4),
      createdAt: expect.stringMatching(/\+05:30$/),
      lastUsedAt: expect.stringMatching(/\+05:30$/),
      revokedAt: null,
    });
    expect(JSON.stringify(body)).not.toContain(apiSecret);
  });

  it('shows every service as disabled, no wallets and no keys before approval', async () => {
    const { body } = await console.call(console.staff.admin, `{ developer(id: "${ids[0]}") ${FULL} }`);
    expect(body.data.developer).toMatchObject({
      onboardingStatus: 'KYC_SUBMITTED',
      approvedAt: null,
      approvedBy: null,
      wallets: [],
      credentials: [],
    });
    expect(body.data.developer.services.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual(
      allServices.map(() => false),
    );
  });

  it('paginates the statement of a wallet', async () => {
    const document = `query($after: String) { developer(id: "${developer.id}") { wallets { environment statement(first: 1, after: $after) {
      pageInfo { hasNextPage endCursor } edges { node { kind amount balanceAfter reference } } } } } }`;
    const [, live] = (await console.call(console.staff.support, document)).body.data.developer.wallets;
    expect(live.statement.edges).toEqual([
      { node: { kind: 'TOP_UP', amount: 500, balanceAfter: 500, reference: 'Opening 1' } },
    ]);
    expect(live.statement.pageInfo.hasNextPage).toBe(false);
  });

  it.each([UNKNOWN_ID, '0', '-1', '01001', '1001.5', '99999999999999999999', 'abc', ''])(
    'does not find %j',
    async (id) => {
      expect(await console.codes(console.staff.admin, 'query($id: ID!) { developer(id: $id) { id } }', { id })).toEqual(
        ['RECORD_NOT_FOUND'],
      );
    },
  );

  it('shows a user only their own account: others are not found, and the lists are forbidden', async () => {
    const user = await console.userOf(developer.id);
    expect(
      (
        await console.call(
          user,
          `{ developer(id: "${developer.id}") { wallets { balance statement(first: 1) { edges { cursor } } } } }`,
        )
      ).body.errors,
    ).toBeUndefined();
    expect(
      (await console.call(user, '{ viewer { developer { id credentials { clientId } } } }')).body.data.viewer.developer
        .credentials,
    ).toHaveLength(2);
    expect(await console.codes(user, `{ developer(id: "${ids[0]}") { id } }`)).toEqual(['RECORD_NOT_FOUND']);
    expect(await console.codes(user, `{ developer(id: "${UNKNOWN_ID}") { id } }`)).toEqual(['RECORD_NOT_FOUND']);
    for (const closed of [
      '{ developers(first: 1) { totalCount } }',
      '{ whiteLabels { id } }',
      '{ auditLog(first: 1) { edges { cursor } } }',
    ])
      expect(await console.codes(user, closed)).toEqual(['FORBIDDEN']);
  });
});

// Last, because it creates more accounts.
describe('lists of accounts', () => {
  it.each([
    ['KYC_SUBMITTED_ASC', `coalesce(kyc_submitted_at, 'infinity')`, 'asc'],
    [
      'LAST_ORDER_DESC',
      `coalesce((select max(last_order_at) from wallet where developer_id = d.id), '-infinity')`,
      'desc',
    ],
    [
      'PRODUCTION_BALANCE_ASC',
      `coalesce((select balance_paise from wallet where developer_id = d.id and environment = 'production'), 1e18)`,
      'asc',
    ],
  ])('can be sorted by %s, forwards and backwards, also with equal or missing values', async (sort, by, way) => {
    const payer = await console.test.developer({ liveRupees: 20 });
    expect((await place(console.test, payer)).status).toBe(200);
    const rows = await console.test.db.query<{ id: string }>(
      `select id from developer d order by ${by} ${way}, id ${way}`,
    );
    const expected = rows.map(({ id }) => publicId(id));
    if (sort === 'LAST_ORDER_DESC') expect(expected[0]).toBe(publicId(payer.id));
    const collected: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page = await list({ first: 3, sort, after });
      collected.push(...idsIn(page));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(collected).toEqual(expected);
    expect(idsIn(await list({ last: 2, sort }))).toEqual(expected.slice(-2));
    const { pageInfo } = await list({ first: 1, sort });
    const otherSort = await console.call(console.staff.support, LIST, { sort: 'NAME_ASC', after: pageInfo.endCursor });
    expect([codesOf(otherSort), fieldsOf(otherSort)]).toEqual([['VALIDATION_FAILED'], ['after']]);
  });

  it('can be filtered by service, recharge provider and balance', async () => {
    const rich = await console.test.developer({
      liveRupees: 70_000,
      disabledServices: ['dth_info'],
      provider: 'MOKSHIQ',
    });
    const poor = await console.test.developer({ liveRupees: 3, provider: 'MOKSHIQ' });
    const found = async (filter: object) => {
      const page = await list({ first: 200, filter: { rechargeProvider: 'MOKSHIQ', ...filter } });
      expect(page.totalCount).toBe(page.edges.length);
      return idsIn(page);
    };
    const [more, less] = [publicId(rich.id), publicId(poor.id)];
    expect(await found({})).toEqual([less, more]);
    expect(await found({ service: 'DTH_INFO' })).toEqual([less]);
    expect(await found({ service: 'DTH_INFO', serviceEnabled: false })).toEqual([more]);
    expect(await found({ balanceBelow: 70_000 })).toEqual([less]);
    expect(await found({ balanceBelow: 70_000, environment: 'UAT' })).toEqual([]);
    expect(await found({ balanceBelow: 200_000.01, environment: 'UAT' })).toEqual([less, more]);
    expect(
      (await list({ filter: { rechargeProvider: 'MOKSHIQ', service: 'DTH_INFO', status: 'REJECTED' } })).edges,
    ).toEqual([]);
    // Services of an applicant are disabled by default.
    expect(idsIn(await list({ first: 200, filter: { service: 'DTH_INFO', serviceEnabled: false } }))).toContain(
      publicId(ids[0]!),
    );
  });

  it.each([
    [{ serviceEnabled: true }, 'filter.serviceEnabled'],
    [{ environment: 'UAT' }, 'filter.environment'],
    [{ balanceBelow: 0 }, 'filter.balanceBelow'],
  ])('reject %j, an empty filter', async (filter, field) => {
    const response = await console.call(console.staff.support, LIST, { filter });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [field]]);
  });
});
