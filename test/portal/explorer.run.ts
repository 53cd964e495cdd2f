import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { button, heading, look, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const { on, visitor, asDeveloper, asStaff, approved } = usePortal();

let shop: TestDeveloper;
let owner: Visitor;
beforeAll(async () => {
  shop = await on.test.developer({ rateLimitPerMinute: 1_000 });
  await place(on.test, shop, { client_request_id: 'bill-1', amount: 299, account_number: '9876540001' });
  owner = await visitor();
  await asDeveloper(owner.context, shop.id);
});
afterAll(() => owner?.end());

async function run(page: Page, document: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(document);
  await button(page, 'Execute query (Ctrl-Enter)').click();
}
const response = (page: Page, hasText: string) => page.locator('.result-window', { hasText }).waitFor();
const testTokens = () =>
  on.test.db.query<{ hash: string }>(
    `select encode(token_hash, 'hex') as hash from access_token where session_hash is not null and developer_id = $1`,
    [shop.id],
  );

it('queries UAT with a token created by one click, follows an order there, and renews the token after its expiry', async () => {
  const { page, go, context } = owner;
  await go('/explorer');
  await heading(page, 'Explorer').waitFor();
  await look(owner, 'explorer-start');
  await page.getByText('Test token', { exact: true }).waitFor();
  expect(await testTokens()).toEqual([]);
  await button(page, 'Create a test token').click();
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await response(page, '"permissions"');
  expect(await testTokens()).toHaveLength(1);
  await look(owner, 'explorer');

  await place(on.test, shop, { client_request_id: 'later', account_number: '9876540005' }, 'uat');
  const { body } = await on.test.graphql('uat', shop.tokens.uat, '{ orders(first: 1) { edges { node { id } } } }');
  await on.test.db.query('update access_token set expires_at = now() where session_hash is not null');
  await run(page, `subscription { orderChanged(id: "${body.data.orders.edges[0].node.id}") { status settledAt } }`);
  await response(page, '"SUCCESS"');
  expect(await testTokens()).toHaveLength(2);

  // An error is shown in place of the response.
  await run(page, '{ nothing }');
  await response(page, 'nothing');
  await on.test.db.query('update access_token set expires_at = now() where session_hash is not null');
  await context.clearCookies();
  await run(page, '{ wallet { balance } }');
  await response(page, 'UNAUTHENTICATED');
  await asDeveloper(context, shop.id);
});

it('keeps its content when the user returns from another page', async () => {
  const { page, go } = owner;
  await go('/explorer');
  await button(page, 'Create a test token').click();
  await run(page, '{ wallet { held } }');
  await response(page, '"held"');
  await page.getByRole('link', { name: 'Security' }).click();
  await heading(page, 'Security').waitFor();
  await page.getByRole('link', { name: 'Explorer' }).click();
  await button(page, 'Create a test token').click();
  await page.locator('.graphiql-query-editor .CodeMirror-code', { hasText: 'wallet { held }' }).waitFor();
});

it('runs a recharge again in UAT from its drawer, whatever its status, and opens the new order', async () => {
  const { page, go } = owner;
  await go('/orders?environment=PRODUCTION');
  await page.getByRole('link', { name: '9876540001' }).click();
  const drawer = page.locator('.drawer');
  await button(page, 'Run again in UAT').click();
  await drawer.getByText('No number is recharged').waitFor();
  const number = drawer.getByLabel('Number', { exact: true });
  expect(await number.inputValue()).toBe('9876540001');
  await number.fill('12');
  await button(page, 'Recharge ₹299.00 in UAT').click();
  await drawer.locator('.field-error').waitFor();
  await number.fill('9876543210');
  await button(page, 'Recharge ₹299.00 in UAT').click();
  const link = drawer.getByRole('link', { name: 'Show the UAT order' });
  await link.waitFor();
  await look(owner, 'run-again');
  // Requests to UAT are shown as well, with the command for that host.
  await page.evaluate(`document.querySelector('[aria-label="Show API calls"]').click()`);
  await button(page, 'RunAgain').first().click();
  await page.getByText('mutation RunAgain(').first().waitFor();
  await page.getByText(`curl ${on.test.urls.uat}/graphql`).first().waitFor();
  await page.keyboard.press('Escape');
  const orders = await on.test.db.query(
    `select environment, state, amount_paise::int as paise from orders where developer_id = $1 and amount_paise = 29900 order by orders.id`,
    [shop.id],
  );
  expect(orders).toEqual([
    { environment: 'production', state: 'failed', paise: 29_900 },
    { environment: 'uat', state: 'success', paise: 29_900 },
  ]);
  await link.click();
  await until('it is the new order', async () => /UAT[^]*9876543210/.test(await drawer.innerText()));
  // Another click is another order with a new idempotency key.
  await button(page, 'Run again in UAT').click();
  await button(page, 'Recharge ₹299.00 in UAT').click();
  await link.waitFor();
  expect(await on.test.db.query(`select from orders where environment = 'uat' and amount_paise = 29900`)).toHaveLength(
    2,
  );
});

it('is hidden from users who cannot create a token', async () => {
  const seen = await visitor();
  await asStaff(seen.context, 'support');
  await seen.go('/explorer');
  await seen.page.getByText('owners and builders').waitFor();
  expect(await seen.page.getByRole('link', { name: 'Explorer' }).count()).toBe(0);
  await seen.follow('/orders?environment=PRODUCTION');
  await seen.page.getByRole('link', { name: 'xxxxxx0001' }).click();
  await seen.page.locator('.drawer').getByText('Wallet entries').waitFor();
  expect(await button(seen.page, 'Run again in UAT').count()).toBe(0);
  await seen.end();
});

it('the API calls of a page are shown as documents with variables and a shell command, without secrets', async () => {
  const seen = await visitor();
  const { page, context, go, end } = seen;
  await approved('Konark Recharges');
  await asStaff(context);
  await go('/developers?search=Konark');
  await page.getByRole('link', { name: 'Konark Recharges' }).waitFor();
  await button(page, 'Show API calls').last().click();
  const drawer = page.getByRole('dialog');
  // The call of the list is expanded, whatever other calls the page has sent.
  await drawer.getByText('query Developers(').first().waitFor();
  expect(await drawer.locator('[aria-expanded="true"]').allInnerTexts()).toEqual(['Developers']);
  expect(page.url()).toContain('calls=Developers');
  const curl = await drawer.locator('pre').last().innerText();
  expect(curl).toContain(`curl ${on.test.urls.console}/graphql`);
  expect(curl).toContain('"search":"Konark"');
  await look(seen, 'calls');
  // The command works.
  const [session] = await context.cookies();
  const env = { ...process.env, SESSION: session!.value };
  const { stdout } = await promisify(exec)(curl.replace('curl', 'curl -s'), { env });
  expect(JSON.parse(stdout).data.developers.edges[0].node.name).toBe('Konark Recharges');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('calls');

  await go('/security');
  await page.getByLabel('Current password').fill('the old one of mine');
  await page.getByLabel('New password').fill('the new one of mine');
  await button(page, 'Change password').click();
  await page.locator('.form-problem:not(:empty), .field-error').first().waitFor();
  await page.keyboard.press('Tab');
  await button(page, 'Show API calls').first().click();
  await drawer.getByText('mutation ChangePassword').first().waitFor();
  expect(await drawer.locator('pre').nth(1).innerText()).toContain('"currentPassword": "•••"');
  expect(await drawer.innerText()).not.toContain('one of mine');
  await end();
});
