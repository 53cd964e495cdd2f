import type { Page, Response } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';

const { on, visitor, asStaff } = usePortal({ ALLOW_PRIVATE_WEBHOOKS: 'true' });

let shop: TestDeveloper;
beforeAll(async () => {
  shop = await on.test.developer({ liveRupees: 1_000, provider: 'MOKSHIQ' });
  const session = await on.userOf(shop.id);
  for (const environment of ['uat', 'production'] as const) {
    await place(on.test, shop, { client_request_id: `in ${environment}` }, environment);
    await createEndpoint(on, { developer: shop, session }, 'http://127.0.0.1:9/hook', environment);
  }
  await inReview(on.test, shop, { rupees: 30 });
  await on.verified('handed-in@roles.example');
  const debit = `mutation { debitWallet(input: { developerId: "${shop.id}", environment: PRODUCTION, amount: 5, reference: "Typo", reason: "Twice" }) { outcome { __typename } } }`;
  await on.call(on.staff.admin, debit);
});

async function asMember({ context }: Visitor, teamRole: 'owner' | 'builder' | 'finance' | 'reader'): Promise<void> {
  const email = `${teamRole}@roles.example`;
  const user = { name: `A ${teamRole}`, password: STAFF_PASSWORD, role: 'developer', developerId: shop.id } as const;
  await on.test.app.users.create({ ...user, email, teamRole }, seed);
  const { token } = await on.test.app.sessions.signIn({ email, password: STAFF_PASSWORD }, FROM_TEST);
  await context.addCookies([{ name: 'session', value: token, url: on.test.urls.console, httpOnly: true }]);
}

const staff = ['admin', 'finance', 'reviewer', 'support'] as const;
const team = ['owner', 'builder', 'finance', 'reader'] as const;
const everybody: [who: string, signIn: (of: Visitor) => Promise<unknown>][] = [
  ...staff.map((role) => [`staff: ${role}`, ({ context }: Visitor) => asStaff(context, role)] as const),
  ...team.map((role) => [`an account: ${role}`, (of: Visitor) => asMember(of, role)] as const),
].map(([who, signIn]) => [who, signIn]);

const isRead = async (page: Page): Promise<void> => {
  await page.locator('h1, .problem, .empty').first().waitFor();
  await until('all was read', async () => (await page.locator('.skeleton').count()) === 0);
};

/** Refusals among the answers of the graph, as the page got them. */
function refusalsOf(page: Page): { refused: string[]; stop: () => void } {
  const refused: string[] = [];
  const note = async (response: Response): Promise<void> => {
    if (!response.url().endsWith('/graphql') || !response.headers()['content-type']?.includes('json')) return;
    const { errors = [] } = (await response.json().catch(() => ({}))) as {
      errors?: { message: string; path?: unknown[] }[];
    };
    for (const { message, path } of errors) refused.push(`${page.url()} ${path?.join('.')}: ${message}`);
  };
  page.on('response', note);
  return { refused, stop: () => void page.off('response', note) };
}

describe('whoever they are, people are led only to what they may read', () => {
  it.each(everybody)(
    '%s',
    async (_who, signIn) => {
      const visit = await visitor();
      await signIn(visit);
      const { page, go, end } = visit;
      const { refused, stop } = refusalsOf(page);
      await go('/');
      await isRead(page);
      const links = await page.locator('nav a.item').all();
      const paths = (await Promise.all(links.map((one) => one.getAttribute('href')))).filter(
        (path): path is string => path !== null && !/^\/(docs|graphiql)/.test(path),
      );
      expect(paths.length).toBeGreaterThanOrEqual(5);
      for (const path of paths) {
        await go(path);
        await isRead(page);
        expect([path, await page.locator('.problem').allInnerTexts()]).toEqual([path, []]);
        const row = page.locator('[data-row]').first();
        if ((await row.count()) === 0) continue;
        await row.click();
        await isRead(page);
        expect([path, 'a row', await page.locator('.problem').allInnerTexts()]).toEqual([path, 'a row', []]);
      }
      stop();
      expect(refused).toEqual([]);
      await end();
    },
    120_000,
  );
});
