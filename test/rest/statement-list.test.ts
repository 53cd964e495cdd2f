import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { postLines } from '../ledger/books.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { useSharedApp } from '../support/use-app.js';
import { failure, mismatches } from './schemas/common.js';
import * as schemas from './schemas/lists.schemas.js';

const STATEMENT = '/api/v1/wallet/statement';

const test = useSharedApp();

type Query = Readonly<Record<string, unknown>> | string;

/** Validates the shape of a validation error and returns its fields. */
const problemsOf = ({ status, body }: TestResponse): Record<string, string[]> => {
  expect(mismatches(failure('error'), body)).toEqual([]);
  expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
  return body.errors;
};

describe('the statement', () => {
  const DAY = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
  let keeper: TestDeveloper;
  beforeAll(async () => {
    keeper = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
    await postLines(test.db, keeper.id, 'production', [
      { at: '2026-03-01T18:29:59.999Z', amountPaise: 100_00 }, // 1 March, one millisecond before midnight IST
      { at: '2026-03-01T18:30:00.000Z', amountPaise: -30_25 }, // 2 March, midnight IST
      { at: '2026-03-02T06:00:00.000Z', amountPaise: 10 },
      { at: '2026-03-02T18:30:00.000Z', amountPaise: -50 }, // 3 March, midnight IST
    ]);
  });
  const read = (query: Query, environment: Environment = 'production') => {
    const queryString =
      typeof query === 'string' ? query : String(new URLSearchParams(query as Record<string, string>));
    return test.rest(environment, 'GET', `${STATEMENT}?${queryString}`, keeper.tokens[environment]);
  };
  const amounts = async (query: Query): Promise<number[]> =>
    (await read(query)).body.data.map(({ amount }: { amount: number }) => amount);

  it('lists the wallet entries, newest first, with the balance after each', async () => {
    const { status, body } = await read({});
    expect(status).toBe(200);
    expect(mismatches(schemas.statement, body)).toEqual([]);
    expect(body.data.map(({ amount, balance_after }: any) => [amount, balance_after])).toEqual([
      [-0.5, 69.35],
      [0.1, 69.85],
      [-30.25, 69.75],
      [100, 100],
    ]);
    expect(body.data.at(-1).at).toBe('2026-03-01T23:59:59+05:30');
    expect(body.next_cursor).toBeNull();
  });

  it('is paginated', async () => {
    const first = await read({ limit: 3 });
    expect(first.body.data).toHaveLength(3);
    const second = await read({ limit: 3, cursor: first.body.next_cursor });
    expect(second.body.data.map(({ amount }: { amount: number }) => amount)).toEqual([100]);
    expect(second.body.next_cursor).toBeNull();
  });

  it.each<[Query, number[]]>([
    [{ from: DAY[1], to: DAY[1] }, [0.1, -30.25]],
    [{ to: DAY[0] }, [100]],
    [{ from: DAY[2] }, [-0.5]],
    [{ from: '2026-03-02T00:00:00+05:30', to: '2026-03-02T11:30:00+05:30' }, [-30.25]],
    ['from=2026-03-02T11:30:00+05:30', [-0.5, 0.1]],
    [{ kinds: 'top_up,refund' }, [0.1, 100]],
    [{ kinds: 'Lead_fee', from: DAY[2] }, [-0.5]],
    [{ reference: 'line 1' }, [100]],
    [{ reference: 'line 0' }, []],
    [{ from: '2000-01-01', to: '2026-02-28' }, []],
    [{ from: '2026-03-04' }, []],
    [{ from: '1000-01-01', to: '9998-12-31' }, [-0.5, 0.1, -30.25, 100]],
  ])('filtered by %j contains %j', async (query, expected) => {
    expect(await amounts(query)).toEqual(expected);
  });

  it('stays within its range across pages and matches GraphQL', async () => {
    const range = { from: DAY[0], to: DAY[1] };
    const { body } = await read({ ...range, limit: 1 });
    expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([0.1]);
    expect(await amounts({ ...range, cursor: body.next_cursor })).toEqual([-30.25, 100]);
    const query = `{ wallet { statement(from: "2026-02-28T18:30:00Z", to: "2026-03-02T18:30:00Z", last: 2) {
      edges { node { amount } } pageInfo { hasPreviousPage } } } }`;
    const response = await test.graphql('production', keeper.tokens.production, query);
    const { statement } = response.body.data.wallet;
    expect(statement.edges.map(({ node }: any) => node.amount)).toEqual([-30.25, 100]);
    expect(statement.pageInfo.hasPreviousPage).toBe(true);
  });

  it('is empty without entries, also in a range', async () => {
    for (const query of [{}, { from: DAY[0] }, { to: DAY[0] }])
      expect((await read(query, 'uat')).body.data).toHaveLength('to' in query ? 0 : 1);
  });

  it.each<[Query, string, RegExp]>([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to', /later/],
    [{ from: '2026-13-01' }, 'from', /a date in the form/],
    [{ kinds: 'hold,lookup' }, 'kinds', /Must be one of hold/],
    [{ limit: 500 }, 'limit', /between 1 and 200/],
  ])('is rejected for %j', async (query, field, text) => {
    const problems = problemsOf(await read(query));
    expect(Object.keys(problems)).toEqual([field]);
    expect(problems[field]![0]).toMatch(text);
  });

  it('rejects a cursor of another list', async () => {
    for (const cursor of ['x', Buffer.from(`orders:${UNKNOWN_ID}`).toString('base64url')])
      expect(problemsOf(await read({ cursor }))).toEqual({ cursor: ['Must be a cursor of this list.'] });
  });
});
