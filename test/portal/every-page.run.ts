import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { seedDemo } from '../../src/dev/seed.js';
import { portalPaths } from '../../src/http/pages/portal-paths.js';
import { demoLeadCustomerId } from '../../src/simulator/credentials.js';
import { isRead, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import { FROM_TEST } from '../support/app.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';

const { on, visitor, asStaff, asDeveloper } = usePortal();

const WIDTHS = [360, 390, 768, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Directory for screenshots of each page in each width and scheme. */
const PICTURES = process.env.PORTAL_PICTURES;

/** Values from the demo data for the parameters of paths. A page with another parameter fails. */
const ids: Record<string, string> = {};
let owner: DeveloperId;

/** Pages, and drawers that are open through their URL. */
const pages = { ...portalPaths, openOrder: '/orders?environment=UAT&order=$orderId' };

/** Pages with more content after a click, for users who can click: the action and the content to wait for. */
const opened: Record<string, { click: string; content: string }> = {
  explorer: { click: 'Create a test token', content: '.graphiql-query-editor .CodeMirror-code' },
};

beforeAll(async () => {
  const { app, db, rest } = on.test;
  const { uat } = await seedDemo(app, demoLeadCustomerId);
  const { token } = await app.tokens.issue({ ...uat, environment: 'uat', deviceName: 'pages' }, 'uat', FROM_TEST);
  for (const number of ['9876540000', '9876540005', '9876540007'])
    await rest('uat', 'POST', RECHARGE, token, rechargeBody({ account_number: number }));
  const [row] = await db.query<{ id: DeveloperId }>(`select id from developer where email = 'developer@demo.example'`);
  owner = row!.id;
  await db.query(`update developer set name = 'Annapurna Stores and General Merchants of Pune' where id = $1`, [owner]);
  ids.developerId = `dev_${owner}`;
  const [order] = await db.query<{ id: string }>('select id from orders order by id limit 1');
  ids.orderId = `ord_${order!.id}`;
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
});

const addressOf = (page: string): string =>
  page.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? expect.fail(`${page} needs an id for ${name}`));

/** Waits until the page is visible with its own fonts. */
async function waitUntilVisible(page: Page): Promise<void> {
  await isRead(page);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

async function open(page: Page, name: string): Promise<void> {
  const more = opened[name];
  const start = more && page.getByRole('button', { name: more.click });
  if (!start || (await start.count()) === 0) return;
  await start.click();
  await page.locator(more.content).waitFor();
}

/** Accessibility violations: the rule and the elements that violate it. */
async function barriers(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
}

/**
 * Elements above a cell of the first column after a table was scrolled to its end. A column that scrolls away is outside the box
 * and cannot be covered.
 */
const COVERED = `[...document.querySelectorAll('.table-box[role]')].flatMap((box) => {
  box.scrollLeft = box.scrollWidth;
  const { left, right } = box.getBoundingClientRect();
  const covered = [...box.querySelectorAll('tr > :first-child')].flatMap((cell) => {
    scrollBy(0, cell.getBoundingClientRect().y - innerHeight / 2);
    const { x, y, width, height } = cell.getBoundingClientRect();
    const across = Array.from({ length: 9 }, (_, n) => x + ((n + 0.5) / 9) * width);
    return across
      .filter((at) => at > left && at < right)
      .map((at) => document.elementFromPoint(at, y + height / 2))
      .filter((above) => above && above !== cell && !cell.contains(above) && box.contains(above))
      .map((above) => above.outerHTML.slice(0, 80) + ' lies above ' + cell.textContent);
  });
  box.scrollLeft = 0;
  scrollTo(0, 0);
  return [...new Set(covered)];
})`;

const people: [who: string, signIn: (of: Visitor) => Promise<unknown>][] = [
  ['visitor', async () => {}],
  ['developer', ({ context }) => asDeveloper(context, owner)],
  ['staff', ({ context }) => asStaff(context)],
];

describe.each(people)('for the %s', (who, signIn) => {
  let visit: Visitor;
  /** A forbidden page redirects to another one, which is checked once. */
  const judged = new Set<string>();
  beforeAll(async () => {
    visit = await visitor();
    await signIn(visit);
  });
  afterAll(() => visit.end());

  it.each(Object.entries(pages))('%s fits, is accessible and has no errors', async (name, pattern) => {
    const { page, go, problems } = visit;
    await go(addressOf(pattern));
    await waitUntilVisible(page);
    await open(page, name);
    await page.evaluate(axe.source);
    /** The problems, with the widths and schemes where they occur. */
    const found = new Map<string, string[]>();
    const { pathname, search } = new URL(page.url());
    const shown = pathname === '/sign-in' ? pathname : pathname + search;
    for (const colorScheme of judged.has(shown) ? [] : SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        // The browser reports that a table can be scrolled one frame later.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
        const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        const wide = sideways > 0 ? [`${sideways} px too wide`] : [];
        const covered = await page.evaluate<string[]>(COVERED);
        for (const text of [...wide, ...covered, ...(await barriers(page))])
          found.set(text, [...(found.get(text) ?? []), `${width} ${colorScheme}`]);
        if (PICTURES)
          await page.screenshot({
            path: path.join(PICTURES, `${name}-${who}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
      }
    }
    judged.add(shown);
    expect([...found, ...problems.splice(0)]).toEqual([]);
  });
});
