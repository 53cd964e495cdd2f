import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepPicture, openBrowser } from '../support/browser.js';
import { freePort } from '../support/ports.js';
import { useOwnApp } from '../support/use-app.js';

const SHOP = new URL('../../examples/shop/', import.meta.url);
const INSTALL_LIMIT_MS = 300_000;

const test = useOwnApp({ CORS_ORIGINS_UAT: 'loopback', STATUS_CHECK_SCHEDULE_MS: '300ms', POLL_INTERVAL_MS: '250' });
const timeOf = (file: string): number => statSync(new URL(file, SHOP), { throwIfNoEntry: false })?.mtimeMs ?? 0;

let server: ChildProcess;
let url: string;
beforeAll(async () => {
  const { clientId, apiSecret } = (await test.developer()).keys.uat;
  const port = await freePort();
  const env = { ...process.env, GATEWAY_URL: test.urls.uat, PORT: String(port) };
  // asynchronous because the gateway, which provides the schema for the build, runs in this process
  const run = (...command: string[]) => promisify(execFile)('npm', command, { cwd: SHOP, env });
  if (timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json')) await run('ci', '--loglevel', 'error');
  await run('run', 'build');
  server = spawn(process.execPath, ['server.mjs'], {
    cwd: fileURLToPath(SHOP),
    env: { ...env, CLIENT_ID: clientId, API_SECRET: apiSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout!, 'data');
  url = `http://127.0.0.1:${port}`;
}, INSTALL_LIMIT_MS);
afterAll(() => server?.kill());

it('the example recharges a number with the plans from one request and shows each status change', async () => {
  const page = await (await openBrowser()).newPage({ viewport: { width: 390, height: 800 } });
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  const secrets: string[] = [];
  page.on('response', async (response) => secrets.push(await response.text().catch(() => '')));

  await page.goto(url);
  await page.getByLabel('Mobile number').fill('9876540005');
  await page.getByRole('heading', { level: 2 }).waitFor();
  await keepPicture(page, 'shop-plans');
  await page.getByRole('button').first().click();
  await page.getByText(/^₹\d+ for 9876540005: Pending$/).waitFor();
  // no second order while one is pending
  expect(await page.getByRole('button').first().isDisabled()).toBe(true);
  await page.getByText(/^₹\d+ for 9876540005: Successful$/).waitFor();
  await keepPicture(page, 'shop-successful');

  await page.getByLabel('Mobile number').fill('9876540006');
  await page.getByRole('heading', { level: 2 }).waitFor();
  await page.getByRole('button').first().click();
  await page.getByText(/^₹\d+ for 9876540006: Failed \(.+\)$/).waitFor();
  expect(problems).toEqual([]);
  expect(secrets.filter((text) => /\bat_uat_|\bsk_uat_/.test(text))).toEqual([]);
  await page.close();
});
