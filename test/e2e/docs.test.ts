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
