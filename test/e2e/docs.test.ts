import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { keepPicture, openBrowser } from '../support/browser.js';

let test: TestApp;
let browser: Browser;
beforeAll(async () => {
  [test, browser] = await Promise.all([startTestApp(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await test.close();
});

it.each([
  ['a desk', 1280],
  ['a phone', 390],
])(
  'shows the reference on %s without a request elsewhere, an error or a sideways scroll',
  async (_name, width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${test.urls.uat}/docs`);
    expect(await page.title()).toBe('API reference');
    expect(await page.locator('.notice').first().innerText()).toContain('Never create a new order');
    await page.locator('nav a', { hasText: '/recharge' }).first().click();
    expect(page.url()).toContain('#Recharge');
    expect(await page.locator('#Recharge pre').innerText()).toContain('/api/v1/recharge');
    expect(await page.locator('#errors tr').count()).toBeGreaterThan(25);
    expect(await page.locator('#graphql').innerText()).toContain('orderChanged');
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(requests.filter((url) => !url.startsWith(test.urls.uat))).toEqual([]);
    expect(problems.filter((text) => !/favicon/.test(text))).toEqual([]);
    await keepPicture(page, `docs-${width}`);
    await page.goto(`${test.urls.uat}/docs`);
    await page.locator('header a', { hasText: 'scalars' }).click();
    expect(await page.locator('#Rupees').innerText()).toContain('two decimals');
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await keepPicture(page, `scalars-${width}`);
    await page.close();
  },
  30_000,
);

it('opens GraphiQL with the token of the link, which asks this host alone and answers', async () => {
  const { tokens } = await test.developer();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const query = encodeURIComponent('{ me { name } wallet { balance version } }');
  await page.goto(`${test.urls.uat}/graphiql?query=${query}#token=${tokens.uat}`);
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.result-window', { hasText: '"version"' }).waitFor();
  // the documentation comes from the schema that this host answers about
  await page.getByRole('button', { name: /show documentation explorer/i }).click();
  await page.getByText('Subscription', { exact: true }).waitFor();
  expect(page.url()).not.toContain(tokens.uat);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(tokens.uat);
  expect(requests.filter((url) => !url.startsWith(test.urls.uat) && !/^(data|blob):/.test(url))).toEqual([]);
  expect(problems.filter((text) => !/favicon/.test(text))).toEqual([]);
  await keepPicture(page, 'graphiql');
  await page.close();
}, 30_000);

it('serves GraphiQL on the console too, and not on production', async () => {
  expect((await fetch(`${test.urls.console}/graphiql`)).status).toBe(200);
  expect((await fetch(`${test.urls.production}/graphiql`)).status).toBe(404);
});
