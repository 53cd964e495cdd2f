import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guides } from '../../src/http/docs/guides.js';
import { signedIn } from '../orders/order.fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { keepPicture, openBrowser } from '../support/browser.js';
import { codeBlocksOf } from '../support/guides.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';

let test: TestApp;
let browser: Browser;
beforeAll(async () => {
  [test, browser] = await Promise.all([startTestApp(), openBrowser()]);
});
afterAll(() => test.close());

/** A page that records requests to other hosts, and console errors. */
async function watchedPage(width = 1280): Promise<{ page: Page; externalRequests: string[]; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const externalRequests: string[] = [];
  const problems: string[] = [];
  const own = Object.values(test.urls);
  page.on('request', (request) => {
    const url = request.url();
    if (!own.some((host) => url.startsWith(host)) && !/^(data|blob):/.test(url)) externalRequests.push(url);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  return { page, externalRequests, problems };
}

/** Opens GraphiQL with a link that contains an API token, and confirms to act for its account. */
async function withLinkedToken(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page
    .getByRole('dialog', { name: 'Use the access token of this link?' })
    .getByRole('button', { name: 'Use the token' })
    .click();
}

/** Signs the browser in to the console. */
const signIn = (page: Page, session: string) =>
  page.context().addCookies([{ name: 'session', value: session, url: test.urls.console }]);

async function writeInGraphiql(page: Page, document: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(document);
}

/** An order in the sandbox, which succeeds with the third status check. */
async function pendingOrder(token: string): Promise<string> {
  await test.rest('uat', 'POST', RECHARGE, token, rechargeBody({ account_number: '9876540005' }));
  const { body } = await test.graphql('uat', token, '{ orders(first: 1) { edges { node { id status } } } }');
  const [{ node }] = body.data.orders.edges;
  expect(node.status).toBe('PENDING');
  return node.id;
}

/** Number of pixels that the page can be scrolled sideways. */
const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - window.innerWidth') as Promise<number>;

/** Number of code blocks that are cut off at their right edge. */
const CUT = '[...document.querySelectorAll("pre")].filter((block) => block.scrollWidth > block.clientWidth).length';

const isWithin = (box: { y: number } | null, top: number, bottom: number): boolean =>
  box !== null && box.y >= top && box.y < bottom;

const widths = [
  ['a desktop', 1280],
  ['a phone', 390],
] as const;

it('shows every page at every width, light and dark, without external requests, errors, sideways scrolling or truncated code', async () => {
  const { page, externalRequests, problems } = await watchedPage();
  const broken: string[] = [];
  const grounds = new Set<string>();
  let scheme: 'light' | 'dark' = 'light';
  const graph = '/docs/graphql/reference';
  const pages = [
    ...[...guides.map((guide) => guide.path), graph, '/scalars'].map((path) => ['uat', path] as const),
    ...['/docs', '/docs/errors', graph].map((path) => ['console', path] as const),
  ];
  for (const [host, path] of pages) {
    // Alternates between pages, so that each scheme is tested with every kind of content.
    scheme = scheme === 'light' ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(test.urls[host] + path);
    grounds.add(`${scheme} ${await page.evaluate('getComputedStyle(document.body).backgroundColor')}`);
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const [overflowPx, cut] = await Promise.all([overhang(page), page.evaluate(CUT)]);
      if (overflowPx > 0 || cut !== 0) broken.push(`${host}${path} ${width}: ${overflowPx} px, ${cut} blocks`);
      await keepPicture(page, `${host}${path.replaceAll('/', '-')}-${width}-${scheme}`);
    }
  }
  expect(broken).toEqual([]);
  expect(grounds).toEqual(new Set(['light rgb(255, 255, 255)', 'dark rgb(22, 26, 24)']));
  await page.goto(`${test.urls.uat}/docs/orders`);
  // On the phone.
  const picture = 'document.images[0].naturalWidth > 0 && document.images[0].clientWidth';
  expect(await page.evaluate(picture)).toBeGreaterThan(300);
  expect(await page.locator('blockquote').first().innerText()).toContain('Never create a new order');
  expect([externalRequests, problems]).toEqual([[], []]);
  await page.close();
});

it('copies an example, keeps the selected language on every page, and finds a section with the keyboard', async () => {
  const { page, externalRequests, problems } = await watchedPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${test.urls.uat}/docs`);
  const visibleSample = page.locator('.samples figure:not([hidden])');
  const languages = () =>
    page.evaluate('[...document.querySelectorAll(".samples figure:not([hidden])")].map((one) => one.dataset.language)');
  expect(await languages()).toEqual(['curl', 'curl']);
  await page.locator('.samples').nth(1).getByRole('button', { name: 'PHP' }).click();
  await visibleSample.nth(1).getByRole('button', { name: 'Copy' }).click();
  await visibleSample.nth(1).getByRole('button', { name: 'Copied' }).waitFor();
  const example = codeBlocksOf('docs/guide/start.md').filter(({ language }) => language === 'php')[1]!.code;
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(example);
  await page.goto(`${test.urls.uat}/docs/webhooks`);
  expect(await languages()).toEqual(['PHP']);
  // GraphQL is not a language of this page, which then shows its first one.
  await page.evaluate("localStorage.setItem('docs.language', 'GraphQL')");
  await page.reload();
  expect(await languages()).toEqual(['PHP']);
  await page.keyboard.press('/');
  await page.keyboard.type('order timeline');
  await page.locator('#results a', { hasText: 'Order.timeline' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${test.urls.uat}/docs/graphql/reference#Order.timeline`);
  await page.keyboard.press('/');
  await page.keyboard.type('xyzzy plugh');
  await page.getByText('No results.').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{"docs.language":"GraphQL"}');
  expect([externalRequests, problems]).toEqual([[], []]);
  // Without its index it shows an error, and requests the index again.
  await page.route('**/docs/search.json', (route) => route.abort());
  await page.reload();
  await page.keyboard.press('/');
  await page.getByText('The search could not be loaded.').waitFor();
  await page.unroute('**/docs/search.json');
  await page.keyboard.type('RATE_LIMITED');
  await page.locator('#results a', { hasText: 'RATE_LIMITED · Errors' }).waitFor();
  expect(externalRequests).toEqual([]);
  await page.close();
});

it.each(widths)('shows the API reference on %s, without external requests', async (_name, width) => {
  const { page, externalRequests, problems } = await watchedPage(width);
  await page.goto(`${test.urls.uat}/docs/reference`);
  await page.getByText('Never create a new order for the same payment.').first().waitFor();
  expect(await overhang(page)).toBe(0);
  // A link of a guide leads to the call.
  await page.goto(`${test.urls.uat}/docs/services`);
  await page.getByRole('link', { name: 'POST /api/v1/leads/profile' }).click();
  const call = page.getByRole('heading', { name: /customer profile/i });
  await call.waitFor();
  expect(await overhang(page)).toBe(0);
  await until('the call is visible', async () => isWithin(await call.boundingBox(), 0, 900));
  expect(await page.getByRole('button', { name: /ask ai|mcp|share|deploy|generate sdk/i }).count()).toBe(0);
  expect([externalRequests, problems]).toEqual([[], []]);
  await keepPicture(page, `reference-${width}`);
  await page.close();
});

it('sends a request of the reference in UAT with a pasted token, and does not store the token', async () => {
  const developer = await test.developer();
  const token = developer.tokens.uat;
  const { page, externalRequests, problems } = await watchedPage();
  await page.goto(`${test.urls.uat}/docs/reference#tag/recharges/POST/api/v1/recharge`);
  await page
    .getByRole('button', { name: /test request/i })
    .first()
    .click();
  const client = page.getByRole('dialog');
  await client.getByPlaceholder('Token').fill(token);
  const responseReceived = page.waitForResponse((response) => response.url().endsWith('/api/v1/recharge'));
  await client.getByRole('button', { name: 'Send post request' }).click();
  const received = await responseReceived;
  expect([received.url(), received.status()]).toEqual([`${test.urls.uat}/api/v1/recharge`, 200]);
  const { data } = (await received.json()) as { data: { api_request_id: string } };
  await client.getByText(data.api_request_id).waitFor();
  expect(await test.balance(developer, 'uat')).toBe(200_000 - 199);
  await keepPicture(page, 'reference-answer');
  const storedState = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])';
  expect(await page.evaluate(storedState)).not.toContain(token);
  expect([externalRequests, problems]).toEqual([[], []]);
  await page.close();
});

it('offers no token field in Production, where a request would move money', async () => {
  const { page, externalRequests, problems } = await watchedPage();
  await page.goto(`${test.urls.production}/docs/reference#tag/recharges/POST/api/v1/recharge`);
  await page.getByText('Idempotency-Key').first().waitFor();
  expect(await page.getByRole('button', { name: /test request/i }).count()).toBe(0);
  expect([externalRequests, problems]).toEqual([[], []]);
  await page.close();
});

it('opens GraphiQL with the token of the link, which sends requests to this host only', async () => {
  const { tokens } = await test.developer();
  const { page, externalRequests, problems } = await watchedPage();
  const query = encodeURIComponent('{ me { name } wallet { balance version } }');
  await withLinkedToken(page, `${test.urls.uat}/graphiql?query=${query}#token=${tokens.uat}`);
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  await page.locator('.result-window', { hasText: '"version"' }).waitFor();
  // The documentation is the schema of this host.
  await page.getByRole('button', { name: /show documentation explorer/i }).click();
  await page.getByText('Subscription', { exact: true }).waitFor();
  await writeInGraphiql(
    page,
    `subscription { orderChanged(id: "${await pendingOrder(tokens.uat)}") { status settledAt } }`,
  );
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.result-window', { hasText: '"SUCCESS"' }).waitFor();
  expect(page.url()).not.toContain(tokens.uat);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(tokens.uat);
  expect(externalRequests).toEqual([]);
  expect(problems.filter((text) => !/favicon/.test(text))).toEqual([]);
  await keepPicture(page, 'graphiql');
  await page.close();
});

it('shows a document and its response in GraphiQL on a phone, and starts with one that runs', async () => {
  const { tokens } = await test.developer();
  const { page, externalRequests, problems } = await watchedPage(390);
  await withLinkedToken(page, `${test.urls.uat}/graphiql#token=${tokens.uat}`);
  await page.getByRole('button', { name: /execute query/i }).click();
  const resultWindow = page.locator('.result-window', { hasText: '"balance": 2000' });
  await resultWindow.waitFor();
  const [document, result] = [
    await page.locator('.graphiql-query-editor').boundingBox(),
    await resultWindow.boundingBox(),
  ];
  expect(document!.height).toBeGreaterThan(200);
  expect([result!.width, result!.height].every((size) => size > 200)).toBe(true);
  expect(result!.x + result!.width).toBeLessThanOrEqual(390);
  expect(result!.y).toBeGreaterThan(document!.y + document!.height);
  expect(await overhang(page)).toBe(0);
  expect([externalRequests, problems.filter((text) => !/favicon/.test(text))]).toEqual([[], []]);
  await keepPicture(page, 'graphiql-390');
  await page.close();
});

it('requires confirmation in GraphiQL before it runs the document of a link, and shows the whole document', async () => {
  const admin = await signedIn(test, 'admin');
  const { page, problems } = await watchedPage();
  const operations: string[] = [];
  page.on('request', (request) => {
    const { operationName } = (request.postDataJSON() ?? {}) as { operationName?: string };
    if (request.url().endsWith('/graphql')) operations.push(operationName ?? 'unnamed');
  });
  const dialog = page.getByRole('dialog', { name: 'Run the document from this link?' });
  const execute = page.getByRole('button', { name: /execute query/i });
  const longQuery = `# Who am I?${'\n'.repeat(300)}mutation Leave { signOut { signedOut } }`;
  await signIn(page, admin);
  await page.goto(`${test.urls.console}/graphiql?query=${encodeURIComponent(longQuery)}`);
  await execute.click();
  expect(await dialog.locator('pre').innerText()).toBe('# Who am I?\nmutation Leave { signOut { signedOut } }');
  await keepPicture(page, 'graphiql-consent');
  await page.keyboard.press('Enter');
  await page.locator('.result-window', { hasText: 'Not sent.' }).waitFor();
  expect(operations).not.toContain('Leave');
  expect(operations).toContain('IntrospectionQuery');
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('signOut');
  // A different text of the same mutation also requires it.
  await writeInGraphiql(page, 'mutation Leave { left: signOut { signedOut } }');
  await execute.click();
  expect(await dialog.locator('pre').innerText()).toBe('mutation Leave { left: signOut { signedOut } }');
  await dialog.getByRole('button', { name: 'Run' }).click();
  await page.locator('.result-window', { hasText: '"left"' }).waitFor();
  expect(operations.filter((name) => name === 'Leave')).toHaveLength(1);
  // The confirmation is required once.
  await execute.click();
  await page.locator('.result-window', { hasText: 'UNAUTHENTICATED' }).waitFor();
  expect(await dialog.isVisible()).toBe(false);
  expect(problems.filter((text) => !/favicon|status of 4/.test(text))).toEqual([]);
  await page.close();
});

it('requires no confirmation in GraphiQL for a document that the user wrote', async () => {
  const admin = await signedIn(test, 'admin');
  const { page } = await watchedPage();
  await signIn(page, admin);
  await page.goto(`${test.urls.console}/graphiql`);
  const execute = page.getByRole('button', { name: /execute query/i });
  const { tokens } = await test.developer();
  await writeInGraphiql(
    page,
    `subscription { orderChanged(id: "${await pendingOrder(tokens.uat)}") { status settledAt } }`,
  );
  await execute.click();
  await page.locator('.result-window', { hasText: '"SUCCESS"' }).waitFor();
  await writeInGraphiql(page, 'mutation Leave { signOut { signedOut } }');
  await execute.click();
  await page.locator('.result-window', { hasText: '"signOut"' }).waitFor();
  await page.close();
});

it('requires confirmation before a GraphiQL link acts for another account, and accepts none for another session', async () => {
  const [sender, reader] = [await signedIn(test, 'admin'), await signedIn(test, 'support')];
  const { tokens } = await test.developer();
  const { page } = await watchedPage();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) sent.push(request.headers().authorization ?? 'none');
  });
  const execute = page.getByRole('button', { name: /execute query/i });
  await signIn(page, reader);
  await page.goto(`${test.urls.console}/graphiql#token=${sender}`);
  await execute.click();
  await page.locator('.result-window', { hasText: '"SUPPORT"' }).waitFor();
  await page.goto(`${test.urls.uat}/graphiql#token=${tokens.uat}`);
  const dialog = page.getByRole('dialog', { name: 'Use the access token of this link?' });
  await dialog.getByRole('button', { name: 'Ignore the token' }).click();
  await execute.click();
  await page.locator('.result-window', { hasText: 'UNAUTHENTICATED' }).waitFor();
  expect([...new Set(sent)]).toEqual(['none']);
  await page.close();
});

it('serves GraphiQL on the console too, and not in Production', async () => {
  expect((await fetch(`${test.urls.console}/graphiql`)).status).toBe(200);
  expect((await fetch(`${test.urls.production}/graphiql`)).status).toBe(404);
});
