import type { Page, Response } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRead, STAFF_PASSWORD, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
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
const allUsers: (readonly [who: string, signIn: (of: Visitor) => Promise<unknown>])[] = [
  ...staff.map((role) => [`staff: ${role}`, ({ context }: Visitor) => asStaff(context, role)] as const),
  ...team.map((role) => [`an account: ${role}`, (of: Visitor) => asMember(of, role)] as const),
];

/** Rejections among the GraphQL responses that the page received. */
function rejectionsOf(page: Page): { rejections: string[]; stop: () => void } {
  const rejections: string[] = [];
  const note = async (response: Response): Promise<void> => {
    if (!response.url().endsWith('/graphql') || !response.headers()['content-type']?.includes('json')) return;
    const { errors = [] } = (await response.json().catch(() => ({}))) as {
      errors?: { message: string; path?: unknown[] }[];
    };
    for (const { message, path } of errors) rejections.push(`${page.url()} ${path?.join('.')}: ${message}`);
  };
  page.on('response', note);
  return { rejections, stop: () => void page.off('response', note) };
}

/** Paths of the portal that these links lead to. */
async function pathsOf(page: Page, links: string): Promise<string[]> {
  const all = await Promise.all((await page.locator(links).all()).map((one) => one.getAttribute('href')));
  return all.filter((path): path is string => path !== null && /^\/(?!docs|graphiql|.*\.(csv|xlsx)\b)/.test(path));
}

describe('users of each role find links only to pages that they can read', () => {
  it.each(allUsers)('%s', async (who, signIn) => {
    const visit = await visitor();
    await signIn(visit);
    const { page, go, end } = visit;
    const { rejections, stop } = rejectionsOf(page);
    const shows = async (what: string): Promise<void> => {
      await isRead(page);
      expect([what, await page.locator('.problem').allInnerTexts()]).toEqual([what, []]);
    };
    await go('/');
    await shows('/');
    const menu = await pathsOf(page, 'nav a.item');
    expect(menu.length).toBeGreaterThanOrEqual(5);
    for (const path of menu) {
      await go(path);
      await shows(path);
      const row = page.locator('[data-row]').first();
      if ((await row.count()) === 0) continue;
      await row.click();
      await shows(`a row of ${path}`);
    }
    if (who.startsWith('staff')) {
      await go(`/developers/dev_${shop.id}`);
      await shows('an account');
      for (const path of await pathsOf(page, 'main a')) {
        await go(path);
        await shows(path);
      }
    }
    stop();
    expect(rejections).toEqual([]);
    await end();
  });
});
