import { beforeAll, describe, expect, it } from 'vitest';
import { timeOfId } from '../../src/core/ids.js';
import { rupees } from '../../src/core/money.js';
import type { Queryable } from '../../src/db/pool.js';
import type { PageRequest } from '../../src/graphql-toolkit/connection.js';
import { OrderSearch } from '../../src/orders/order.store.js';
import { OrderList, type OrderSelection } from '../../src/orders/views/order-list.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';

const test = useOwnApp();
let developer: TestDeveloper;
let neighbour: TestDeveloper;
let list: OrderList;
/** A list whose pages scan at most three orders of any account. */
const listOn = (db: Queryable): OrderList =>
  new OrderList(db, new OrderSearch(test.app.config.pepper), test.app.orders.earlierOrders, {
    ofAccount: 3,
    ofAllAccounts: 3,
  });
const recharge = (account: TestDeveloper, amount: number, environment: 'uat' | 'production' = 'production') =>
  place(test, account, { client_request_id: `of ${amount}`, amount }, environment);

// orders of 11 to 17 rupees of the developer, mixed with one of another developer and one in UAT
beforeAll(async () => {
  list = listOn(test.app.pool);
  [developer, neighbour] = [await test.developer(), await test.developer()];
  for (let amount = 11; amount <= 17; amount++) {
    await recharge(developer, amount);
    if (amount === 12) await recharge(neighbour, 50);
    if (amount === 13) await recharge(developer, 60, 'uat');
  }
});

interface PageSelection extends OrderSelection {
  of?: TestDeveloper | undefined;
  environment?: 'uat' | 'production';
  on?: OrderList;
}
async function page({ of, environment, on = list, ...filter }: PageSelection, request: PageRequest) {
  const found = await on.page({ developerId: of?.id, environment }, filter, request);
  return { ...found, amounts: found.edges.map(({ node }) => Number(node.amountPaise) / 100) };
}

/** All pages that a client receives when it follows the cursors. */
async function walk(selection: PageSelection, size = 2): Promise<number[][]> {
  const pages: number[][] = [];
  let after: string | null | undefined;
  do {
    const { amounts, pageInfo } = await page(selection, { first: size, after });
    pages.push(amounts);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
  } while (after);
  return pages;
}
async function walkBack(selection: PageSelection): Promise<number[][]> {
  const pages: number[][] = [];
  let beforeCursor: string | null | undefined;
  do {
    const { amounts, pageInfo } = await page(selection, { last: 2, before: beforeCursor });
    pages.push(amounts);
    beforeCursor = pageInfo.hasPreviousPage ? pageInfo.startCursor : undefined;
  } while (beforeCursor);
  return pages;
}

describe('a filtered page', () => {
  it('of one account scans a limited number of orders, reports how far it searched, and the next page continues there', async () => {
    const first = await page({ of: developer, environment: 'production', amount: rupees(11) }, { first: 2 });
    const third = (await page({ of: developer, environment: 'production' }, { first: 3 })).edges[2]!.node;
    expect(first).toMatchObject({
      amounts: [],
      searchedFrom: timeOfId(third.id),
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: expect.any(String) },
    });
    expect(await walk({ of: developer, environment: 'production', amount: rupees(11) })).toEqual([[], [], [11]]);
    expect(await walkBack({ of: developer, environment: 'production', amount: rupees(17) })).toEqual([[], [], [17]]);
  });

  it('of all accounts scans a limited number of orders, also with only an environment', async () => {
    expect(await walk({ amount: rupees(50) })).toEqual([[], [], [50]]);
    expect(await walk({ environment: 'uat' })).toEqual([[], [60], []]);
    expect(await walkBack({ environment: 'uat' })).toEqual([[], [60], []]);
  });

  it('contains each order once, regardless of the page size', async () => {
    const amounts = [17, 16, 15, 14, 13, 12, 11];
    for (const size of [1, 2, 3, 4]) {
      const selection: PageSelection = { of: developer, environment: 'production', kind: 'recharge' };
      expect((await walk(selection, size)).flat()).toEqual(amounts);
      expect((await walk({ minAmount: rupees(11), maxAmount: rupees(17) }, size)).flat()).toEqual(amounts);
    }
    expect((await walkBack({ of: developer, environment: 'production', kind: 'recharge' })).flat().toSorted()).toEqual(
      amounts.toSorted(),
    );
    expect((await walkBack({ maxAmount: rupees(17) })).flat().toSorted()).toEqual(amounts.toSorted());
  });

  it('reports the start of its search if the page is incomplete or the range has no start', async () => {
    // complete: the range comes from the filter
    expect((await page({ minAmount: rupees(11), from: new Date(0) }, { first: 2 })).searchedFrom).toBeNull();
    expect((await page({ amount: rupees(1), from: new Date(0) }, { first: 2 })).searchedFrom).not.toBeNull();
    // at the end: 92 days ago
    const to = new Date(Date.now() + 60_000);
    const lastPage = await page({ of: neighbour, kind: 'recharge', to }, { first: 2 });
    expect(lastPage.searchedFrom).toEqual(new Date(to.getTime() - 92 * 86_400_000));
  });

  it('of several accounts is loaded together, with a separate limit for each', async () => {
    const selection = { environment: 'production', minAmount: rupees(50) } as const;
    const [large, small] = await Promise.all([
      page({ ...selection, of: developer }, { first: 2 }),
      page({ ...selection, of: neighbour }, { first: 2 }),
    ]);
    expect([large.amounts, large.pageInfo.hasNextPage]).toEqual([[], true]);
    expect([small.amounts, small.pageInfo.hasNextPage]).toEqual([[50], false]);
  });

  it('never repeats an order of an earlier page, even if a new order arrives while a page is read', async () => {
    let statements = 0;
    const busy: Queryable = {
      query: (async (...args: Parameters<Queryable['query']>) => {
        if (++statements === 2) await recharge(neighbour, 70);
        return test.app.pool.query(...args);
      }) as Queryable['query'],
    };
    const selection: PageSelection = { minAmount: rupees(15), maxAmount: rupees(15), from: new Date(0) };
    const first = await page({ ...selection, on: listOn(busy) }, { first: 5 });
    expect(first.amounts).toEqual([15]);
    expect(statements).toBe(2);
    const { amounts } = await page(selection, { first: 5, after: first.pageInfo.endCursor });
    expect(amounts).toEqual([]);
  });
});

describe('a page without a scan limit', () => {
  it('is returned without filters, and for filters by number, reference or rare states', async () => {
    expect(await walk({ of: developer, environment: 'production' }, 9)).toEqual([[17, 16, 15, 14, 13, 12, 11]]);
    expect(await walk({ accountNumber: '9876543210', kind: 'recharge' }, 20)).toHaveLength(1);
    expect(await walk({ reference: 'of 11' }, 9)).toEqual([[11]]);
    expect(await walk({ status: ['pending', 'reversed'] }, 9)).toEqual([[]]);
  });
});
