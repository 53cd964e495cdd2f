import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Demo,
  type DemoPorts,
  demoFileIn,
  freeDemoPorts,
  startDemo,
  stopDemo,
  tokenOf,
} from '../dev/demo.fixture.js';
import { keepPicture, openBrowser } from '../support/browser.js';
import { freePort } from '../support/ports.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startShop } from './shop/server.js';

/** A pending order is final within seconds. */
const QUICK = { STATUS_CHECK_SCHEDULE_MS: '300ms', POLL_INTERVAL_MS: '250' };

let demo: Demo;
let ports: DemoPorts;
let browser: Browser;
let shop: Server;
let page: Page;
let token: string;
const requests: { url: string; authorization: string | undefined }[] = [];
const problems: string[] = [];

beforeAll(async () => {
  const home = temporaryDirectory();
  const dataDir = path.join(home, '.data');
  mkdirSync(dataDir);
  postgresDirectory(dataDir);
  const shopPort = await freePort();
  ports = await freeDemoPorts();
  const origin = `http://127.0.0.1:${shopPort}`;
  // One after the other, so that the started parts are known and stopped if the next one fails.
  demo = await startDemo(home, { ...ports, ...QUICK });
  browser = await openBrowser();
  const { uat } = demoFileIn(dataDir);
  token = await tokenOf(uat, 'uat');
  shop = startShop(shopPort, { url: uat.baseUrl, token });
  await once(shop, 'listening');
  page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) =>
    requests.push({ url: request.url(), authorization: request.headers().authorization }),
  );
  await page.goto(origin);
  await page.locator('body[data-ready]').waitFor();
});

afterAll(async () => {
  await page?.close();
  shop?.close();
  await stopDemo(demo, 'SIGINT');
});

const balance = async (): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${ports.UAT_PORT}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ wallet { balance } }' }),
  });
  const { data } = (await response.json()) as { data: { wallet: { balance: number } } };
  return data.wallet.balance.toFixed(2);
};
const textOf = (id: string): Promise<string> => page.locator(`#${id}`).innerText();
const firstRow = (): Promise<string> => page.locator('#history tr').first().innerText();

async function recharge(mobile: string, amount: string): Promise<void> {
  await page.fill('#mobile', mobile);
  await page.fill('#amount', amount);
  await page.click('#recharge');
}

it('finds the operator of a number, and shows its plans with their prices and the fee', async () => {
  expect(await textOf('balance')).toBe(await balance());
  await page.fill('#mobile', '9876543210');
  await page.click('#find');
  await page.locator('#plans button').first().waitFor();
  expect(await page.locator('#operator option:checked').innerText()).toBe('Vi');
  expect([await textOf('circle'), await textOf('price')]).toEqual(['Rajasthan', 'Lookup: ₹0.00']);
  await page.locator('#plans button', { hasText: '₹50 ·' }).first().click();
  expect(await page.inputValue('#amount')).toBe('50');
});

it('recharges with the detected operator, and shows the remaining balance', async () => {
  await page.click('#recharge');
  await page.locator('#status', { hasText: 'SUCCESS' }).waitFor();
  await page.locator('#history tr').first().waitFor();
  expect(await firstRow()).toMatch(/9876543210\s+Vi\s+50\s+SUCCESS/);
  expect(await textOf('balance')).toBe(await balance());
});

it('waits for a pending order, and shows the reason of a declined one, whose amount is refunded', async () => {
  const balanceBefore = await balance();
  await recharge('9876540005', '199');
  await page.locator('#status', { hasText: 'PENDING' }).waitFor();
  expect(await textOf('balance')).toBe((Number(balanceBefore) - 199).toFixed(2));
  await page.locator('#status', { hasText: 'SUCCESS' }).waitFor();

  const rest = await balance();
  await recharge('9876540001', '199');
  await page.locator('#status', { hasText: 'FAILED: ' }).waitFor();
  expect(await textOf('status')).toMatch(/^FAILED: [A-Z_]+: \S/);
  await expect.poll(firstRow).toMatch(/9876540001\s.*\s199\s+FAILED\s+[A-Z_]+/);
  expect(await textOf('balance')).toBe(rest);
  await keepPicture(page, 'recharge-screen');
});

it('never shows an older balance, whatever the order of the responses', async () => {
  let sendLate: (() => Promise<void>) | undefined;
  await page.route('**/history', async (route) => {
    const response = await route.fetch();
    // The first response is delayed until a later one is shown.
    if (sendLate) return route.fulfill({ response });
    sendLate = () => route.fulfill({ response });
  });
  await recharge('9876543210', '10');
  await expect.poll(() => sendLate).toBeDefined();
  const textBefore = await textOf('balance');
  await page.click('#recharge');
  await expect.poll(() => textOf('balance')).toBe((Number(textBefore) - 10).toFixed(2));
  const now = await textOf('balance');
  await sendLate!();
  await page.waitForTimeout(100);
  expect(await textOf('balance')).toBe(now);
  expect(now).toBe(await balance());
});

it('has no token that moves money, and gets no error', () => {
  const used = requests.flatMap(({ authorization }) => (authorization === undefined ? [] : [authorization]));
  expect(used).toHaveLength(3);
  expect(used.filter((text) => !text.startsWith('Bearer ct_uat_'))).toEqual([]);
  expect(problems).toEqual([]);
});
