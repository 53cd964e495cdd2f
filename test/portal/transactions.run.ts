import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { button, DIALOG, heading, look, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';

// A pending order stays pending during the test.
const { on, visitor, asStaff, asDeveloper, approved } = usePortal({
  STATUS_CHECK_SCHEDULE_MS: '1h',
});

/** An account with a success, a decline and an order without an outcome in Production, and a success in UAT. */
let shop: TestDeveloper;
/** Its owner, who navigates from page to page. */
let owner: Visitor;
beforeAll(async () => {
  shop = await on.test.developer({ rateLimitPerMinute: 1_000 });
  const send = (key: string, more: object, environment: Environment = 'production', headers = {}) =>
    place(on.test, shop, { client_request_id: key, ...more }, environment, headers);
  await send('play', { amount: 11 }, 'uat');
  await send('bill-1', { amount: 299 });
  await send('bill-2', { amount: 49.5, account_number: '9876540001', operator_sp_key: 12 });
  await send('bill-3', { amount: 199, account_number: '9876540005' }, 'production', { prefer: 'wait=1' });
  owner = await visitor();
  await asDeveloper(owner.context, shop.id);
});
afterAll(() => owner?.end());

/** Name and text of the file behind a download link. */
async function downloaded(page: Page, link = 'Download CSV'): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

describe('transactions', () => {
  it('are filtered in the URL, opened with the keyboard, and found by any reference', async () => {
    const { page, go, follow } = owner;
    await go('/orders?environment=PRODUCTION');
    await heading(page, 'Transactions').waitFor();
    // The range is in the URL, so that a link shows what its sender saw.
    await page.waitForURL(/days=7/);
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.first().innerText()).toMatch(/9876540005[^]*Pending[^]*Amount held[^]*₹199\.00/);
    await look(owner, 'orders');

    await button(page, 'Failed').click();
    await page.waitForURL(/status=FAILED/);
    await until('one order is left', async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain('Declined without a reason');
    await page.getByLabel('Failure reason').selectOption('Belongs to another operator');
    await page.getByText('No results in this environment.').waitFor();
    await page.getByLabel('Failure reason').selectOption('Declined without a reason');
    await until('the order is listed again', async () => (await rows.count()) === 1);
    await page.getByLabel('Failure reason').selectOption('Any failure reason');
    await button(page, 'Failed').click();

    await page.getByLabel('Operator').selectOption('Vi');
    await page.waitForURL(/operator=37(&|$)/);
    await until('one order is left', async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toMatch(/9876540001[^]*Vi/);
    await page.reload();
    await until('the order is listed again', async () => (await rows.count()) === 1);
    await page.getByLabel('Operator').selectOption('Sun Direct');
    await page.getByText('No results in this environment.').waitFor();
    await button(page, 'Show all').click();
    await rows.nth(2).waitFor();
    expect(page.url()).not.toContain('operator');
    // A card bill has no operator.
    await page.getByLabel('Operator').selectOption('Jio');
    await until('orders of the other operator are excluded', async () => (await rows.count()) === 2);
    await button(page, 'Card bill').click();
    await page.getByText('No results in this environment.').waitFor();
    expect([await page.getByLabel('Operator').count(), page.url()]).toEqual([
      0,
      expect.not.stringContaining('operator'),
    ]);
    await button(page, 'Card bill').click();
    await follow('/orders?environment=PRODUCTION&operator=99');
    await page.getByText('No results in this environment.').waitFor();
    expect(await page.getByLabel('Operator').locator('option:checked').innerText()).toBe('Operator 99');
    await page.getByLabel('Operator').selectOption('Any operator');
    await rows.nth(2).waitFor();

    await button(page, 'Failed').click();
    await until('one order is left', async () => (await rows.count()) === 1);
    await page.getByLabel('Min. ₹').fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('No results in this environment.').waitFor();
    await page.getByLabel('Max. ₹').fill('40');
    await page.keyboard.press('Enter');
    await page.getByText('The maximum amount is less than the minimum amount. Enter a higher maximum.').waitFor();
    await page.getByLabel('Max. ₹').fill('');
    await page.getByLabel('Min. ₹').fill('-5');
    await page.keyboard.press('Enter');
    // An invalid value does not stay in the field.
    expect(await page.getByLabel('Min. ₹').inputValue()).toBe('50');
    await page.getByLabel('Min. ₹').fill('');
    await page.keyboard.press('Enter');
    await button(page, 'Failed').click();
    await rows.nth(2).waitFor();

    // Opens the second row with the keyboard only, and copies its ID.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page
      .getByText(/^ord_[0-9a-f-]{36} copied$/)
      .first()
      .waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.context().clearPermissions();
    // A toast does not block keyboard shortcuts.
    expect(await rows.nth(1).locator('[data-row]').getAttribute('data-row')).toBe(copied);
    await page.keyboard.press('Enter');
    const drawer = page.locator(DIALOG);
    await drawer.getByText('The provider declined the payment without giving a reason.').waitFor();
    await page.waitForURL(new RegExp(`order=${copied}`));
    expect(await drawer.locator('.timeline strong').allInnerTexts()).toEqual([
      'Amount held',
      'Sent to the provider',
      'Provider declined',
      'Refunded',
    ]);
    expect(await drawer.locator('.timeline time').first().innerText()).toMatch(/^\+\d+ ms$/);
    expect(await drawer.locator('.lines .amount').allInnerTexts()).toEqual(
      expect.arrayContaining(['−₹49.50', '₹49.50', '₹0.00']),
    );
    expect(await drawer.locator('.lines tbody tr').first().innerText()).toMatch(/^Recharge/);
    await look(owner, 'order');
    // Moves to the previous order, whose row finally has the focus.
    await page.keyboard.press('k');
    await drawer.getByText('The final status is not known yet, and the amount is held.').waitFor();
    await drawer.getByText(/Manual review begins on \d+ \w+, [\d:]+ if there is no final status by then\./).waitFor();
    expect(await drawer.locator('.timeline strong').allInnerTexts()).toContain('Provider response: pending');
    const shown = await page.evaluate<number>('history.length');
    await page.keyboard.press('j');
    await page.waitForURL(new RegExp(`order=${copied}`));
    await page.keyboard.press('k');
    await drawer.getByText('The final status is not known yet, and the amount is held.').waitFor();
    expect(await page.evaluate('history.length')).toBe(shown);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('order=');
    await until('its row has the focus', async () => (await page.locator(':focus').innerText()) === '9876540005');

    for (const reference of ['9876540005', 'bill-3']) {
      await page.getByRole('searchbox').fill(reference);
      await until('the order is found', async () => (await rows.count()) === 1);
      expect(await rows.innerText()).toContain('9876540005');
    }
    await page.getByRole('searchbox').fill('nobody has this');
    await page.getByText('No order in this environment has this number or reference.').waitFor();
    // A file covers days, so there is no file for a reference.
    expect(await page.getByRole('link', { name: 'Download CSV' }).count()).toBe(0);
    await button(page, 'Show all').click();
    await rows.nth(2).waitFor();
    // Filters that are hidden next to a reference do not apply.
    await follow('/orders?environment=PRODUCTION&status=FAILED&reference=bill-3');
    await until('the order is found', async () => (await rows.count()) === 1);
    await page.getByRole('searchbox').fill('');

    await button(page, 'UAT').click();
    await page.waitForURL(/environment=UAT&.*status=FAILED/);
    expect((await downloaded(page)).text).not.toContain(',play,');
    await follow('/orders?environment=UAT');
    await page.getByRole('link', { name: 'Download Excel' }).waitFor();
    expect((await downloaded(page, 'Download Excel')).name).toMatch(/^orders-uat-.*\.xlsx$/);
    const file = await downloaded(page);
    expect(file.name).toMatch(/^orders-uat-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(file.text).toMatch(/,play,[^]*,uat\r\n$/);
    // A link works after the session has expired, too.
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Download CSV' }).click();
    await page.getByText('The file could not be downloaded').first().waitFor();
    await asDeveloper(owner.context, shop.id);
    await go('/orders?from=2020-01-01&to=2026-01-01');
    await page.getByText('Choose at most 92 days.').waitFor();
    expect(await page.getByRole('link', { name: 'Download CSV' }).count()).toBe(0);
  });

  it('are those of all developers for staff, who see the developer, masked numbers and the wallet', async () => {
    const seen = await visitor();
    const { page, context, go, follow, end } = seen;
    await asStaff(context, 'support');
    await go('/orders');
    await heading(page, 'Orders').waitFor();
    const row = page.locator('tbody tr', { hasText: 'xxxxxx0001' });
    await row.waitFor();
    expect(await row.innerText()).toContain('RoundPay');
    await look(seen, 'orders-staff');
    await row.getByRole('link', { name: 'xxxxxx0001' }).click();
    const drawer = page.locator(DIALOG);
    await drawer.getByText('Wallet entries').waitFor();
    await look(seen, 'order-staff');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const rows = page.locator('tbody tr');
    const provider = page.getByLabel('Provider');
    const offered = () => provider.locator('option').allInnerTexts();
    expect(await offered()).toEqual(['Any provider', 'RoundPay', 'Mokshiq', 'InsPay']);
    await provider.selectOption('Mokshiq');
    await page.waitForURL(/provider=MOKSHIQ/);
    await page.getByText('No results in this environment.').waitFor();
    await button(page, 'Show all').click();
    await row.waitFor();
    expect(page.url()).not.toContain('provider');
    await provider.selectOption('RoundPay');
    await page.waitForURL(/provider=ROUNDPAY/);
    await row.waitFor();
    await page.getByLabel('Operator').selectOption('Vi');
    await until('one order is left', async () => (await rows.count()) === 1);
    expect(await offered()).toEqual(['Any provider', 'RoundPay', 'Mokshiq']);
    // A filter that no longer applies is removed when the kind or environment changes.
    await button(page, 'Card bill').click();
    await page.getByText('No results in this environment.').waitFor();
    expect([await offered(), page.url()]).toEqual([
      ['Any provider', 'InsPay'],
      expect.not.stringMatching(/provider|operator/),
    ]);
    await button(page, 'Card bill').click();
    await provider.selectOption('RoundPay');
    await button(page, 'UAT').click();
    await page.locator('tbody tr', { hasText: 'Sandbox' }).first().waitFor();
    expect([await offered(), page.url()]).toEqual([
      ['Any provider', 'Sandbox'],
      expect.not.stringContaining('provider'),
    ]);
    await follow('/orders?environment=PRODUCTION&operator=37&provider=ROUNDPAY');
    await row.waitFor();
    await until('it is the only one', async () => (await rows.count()) === 1);
    expect(await provider.inputValue()).toBe('ROUNDPAY');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await follow(`/orders?environment=PRODUCTION&status=FAILED&to=${tomorrow}`);
    await page.getByText('Searched back to').waitFor();
    await page.getByLabel('Min. ₹').fill('90000');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'Searched back to' }).waitFor();
    // All of the 92 days were searched.
    expect(await button(page, 'Load older results').count()).toBe(0);
    await page.goBack();
    await row.waitFor();
    // The name of the account links to the account, although the whole row can be clicked.
    await row.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Statement', exact: true }).click();
    await heading(page, /^Wallets of /).waitFor();
    await page.locator('tbody tr').nth(4).waitFor();
    expect((await downloaded(page)).text).toMatch(/,refund,[^]*,closing,/);
    await follow(`/webhooks?developer=dev_${shop.id}`);
    await page.getByText('No webhook endpoints in Production.').waitFor();
    // A read-only user sees no buttons for actions.
    expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Show API calls']);
    await end();
  });
});

describe('the wallet', () => {
  it('shows its entries and daily totals, and links to the order of an entry', async () => {
    const { page, go } = owner;
    await go('/wallet?environment=PRODUCTION');
    await heading(page, 'Wallet').waitFor();
    const rows = page.locator('tbody tr');
    await until('all entries are listed', async () => (await rows.count()) === 5);
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/Held for a recharge[^]*−₹199\.00/),
      expect.stringMatching(/Refund[^]*₹49\.50/),
      expect.stringMatching(/\bRecharge[^]*−₹49\.50/),
      expect.stringMatching(/\bRecharge[^]*−₹299\.00/),
      expect.stringMatching(/Credit/),
    ]);
    await page.getByText('₹199.00 held for pending orders').waitFor();
    await look(owner, 'wallet');
    await page.getByLabel('Entry type').selectOption('REFUND');
    await until('one entry is left', async () => (await rows.count()) === 1);
    await rows.getByRole('link').click();
    await page.locator(DIALOG).getByText('The provider declined the payment').waitFor();
    await page.keyboard.press('Escape');
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    const reference = await rows.locator('code').innerText();
    await page.getByLabel('Entry type').selectOption('');
    await page.getByRole('searchbox').fill(reference);
    await until('both entries of the order are listed', async () => (await rows.count()) === 2);

    await button(page, 'Days').click();
    await until('each day has a row', async () => (await rows.count()) === 7);
    const [opening, credits, debits, closing] = (await rows.first().locator('.amount').allInnerTexts()).map(paise);
    expect(opening! + credits! + debits!).toBe(closing);
    expect([credits! > 0, debits! < 0]).toEqual([true, true]);
    await look(owner, 'wallet-days');
    // More days than can be summed at once.
    await page.getByLabel('Date range').selectOption('chosen');
    await page.getByLabel('Start date').fill('2020-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at most 92 days.').waitFor();
    expect(await page.getByRole('link', { name: 'Download CSV' }).count()).toBe(0);
  });
});

describe('the home page of an account', () => {
  it('shows the latest activity of its environment with links, and the next steps for developers', async () => {
    const { page, go } = owner;
    const session = await on.userOf(shop.id);
    const { id } = await createEndpoint(on, { developer: shop, session }, 'https://hooks.example/in');
    const OFF = `update webhook_endpoint set disabled_at = now(), disabled_reason = 'gone' where id = $1`;
    await on.test.db.query(OFF, [id]);
    const UNUSED = `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4, label) select 'unused', developer_id, environment, secret_hash, secret_last4, 'Till' from credential where developer_id = $1 and environment = 'uat' limit 1`;
    await on.test.db.query(UNUSED, [shop.id]);
    await go('/?environment=PRODUCTION');
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('Amount held'),
      expect.stringContaining('Declined without a reason'),
      expect.stringContaining('₹299.00'),
    ]);
    const asks = page.locator('.card', { has: page.getByRole('heading', { name: 'Action required' }) });
    expect(await asks.locator('li').allInnerTexts()).toEqual([
      expect.stringContaining('https://hooks.example/in was disabled: the endpoint returned HTTP 410'),
      expect.stringContaining('Till (UAT) has never been used'),
    ]);
    await look(owner, 'home');
    // Anywhere in the row.
    await rows.nth(1).locator('td').first().click();
    await page.locator(DIALOG).getByText('The provider declined the payment').waitFor();
    await page.keyboard.press('Escape');
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    await button(page, 'UAT').click();
    await until('the order is in UAT', async () => /₹11\.00/.test((await rows.allInnerTexts()).join()));
    expect(await rows.count()).toBe(1);
    await page.getByRole('link', { name: 'All transactions' }).click();
    await page.waitForURL(/orders\?.*environment=UAT/);
    await page.goBack();
    await page.locator('.card[data-edge="live"]').click();
    await page.waitForURL(/wallet\?.*environment=PRODUCTION/);
    await on.test.db.query(`delete from credential where client_id = 'unused'`);
  });

  it('and other pages show the steps before a first order instead of "no results"', async () => {
    const { developerId } = await on.verified('owner@nothing.example');
    const seen = await visitor();
    const { page, go, end } = seen;
    await asDeveloper(seen.context, developerId as DeveloperId);
    for (const [path, text] of [
      ['/', 'No orders yet. You can create orders after your KYC is approved.'],
      ['/orders', 'No orders yet. You can create orders after your KYC is approved.'],
      ['/wallet', 'Wallets open when the account is approved.'],
      ['/explorer', 'The explorer is available after your KYC is approved.'],
    ] as const) {
      await go(path);
      const empty = page.locator('.empty', { hasText: text });
      expect(await empty.getByRole('link').getAttribute('href')).toMatch(/^\/onboarding/);
      await look(seen, `nothing-${path.slice(1) || 'home'}`);
    }
    await go('/webhooks/deliveries');
    await page.getByText('No deliveries in this environment in the last 90 days.').waitFor();
    await asDeveloper(seen.context, await approved('Nothing yet'));
    await go('/orders');
    await page.getByText('Create your first order with curl').waitFor();
    expect(await page.getByRole('link', { name: 'Make your first API call' }).getAttribute('href')).toMatch(/^\/keys/);
    await button(page, 'Production').click();
    await page.getByText('You can create orders after Production access is granted.').waitFor();
    // A filter without results can be removed, and a range of days extended.
    await go('/orders?days=7&status=FAILED');
    await button(page, 'Show all').click();
    await page.waitForURL((url) => !url.search.includes('status'));
    await go('/orders?days=7&status=FAILED');
    await button(page, 'Show the last 92 days').click();
    await page.waitForURL(/days=92/);
    expect(await button(page, 'Show the last 92 days').count()).toBe(0);
    await end();
  });
});

it('an order without a response shows this, the result of each status check, and when manual review begins', async () => {
  const other = await on.test.developer({ rateLimitPerMinute: 1_000 });
  await place(on.test, other, { client_request_id: 'silent', account_number: '9876540004' }, 'production');
  const [{ id }] = (await on.test.db.query<{ id: string }>('select id from orders where developer_id = $1', [
    other.id,
  ])) as [{ id: string }];
  const ASK = `mutation { checkOrderStatus(input: { orderId: "${id}" }) { order { id } } }`;
  expect((await on.call(on.staff.admin, ASK)).body.errors).toBeUndefined();
  const checked = () => on.test.db.query(`select from order_event where order_id = $1 and kind = 'status_check'`, [id]);
  await until('the status was checked', async () => (await checked()).length > 0);
  const seen = await visitor();
  const { page, go, end } = seen;
  for (const reader of ['developer', 'support'] as const) {
    if (reader === 'developer') await asDeveloper(seen.context, other.id);
    else await asStaff(seen.context, 'support');
    await go(`/orders?order=ord_${id}`);
    const drawer = page.locator(DIALOG);
    await drawer.getByText(/Manual review begins on .* if there is no final status by then\./).waitFor();
    expect(await drawer.locator('.timeline strong').allInnerTexts()).toEqual([
      'Amount held',
      'Sent to the provider',
      expect.stringMatching(/^No response within [\d.]+ m?s$/),
      'Status check: still unknown, not found at the provider',
    ]);
    expect(await drawer.innerText()).not.toMatch(/answered|asked again/i);
    await look(seen, `order-pending-${reader}`);
  }
  await end();
});

it('transactions are refreshed while they are visible, and when the menu item is clicked again', async () => {
  const other = await on.test.developer({ rateLimitPerMinute: 1_000 });
  const send = (key: string, more: object = {}, headers = {}) =>
    place(on.test, other, { client_request_id: key, ...more }, 'production', headers);
  await send('first');
  const { page, context, go, end } = await visitor();
  await asDeveloper(context, other.id);
  await go('/orders?environment=PRODUCTION');
  const rows = page.locator('tbody tr');
  const has = (count: number) => until(`${count} orders are listed`, async () => (await rows.count()) === count);
  await has(1);
  const expectVisible = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await expectVisible('hidden');
  await send('second');
  await page.getByRole('link', { name: 'Transactions' }).click();
  await has(2);
  await send('third', { account_number: '9876540005' }, { prefer: 'wait=1' });
  await expectVisible('visible');
  await has(3);
  expect(await rows.first().innerText()).toContain('Pending');
  await until('the order is final', async () => {
    await on.test.db.query('update order_due set due_at = now() where developer_id = $1', [other.id]);
    const OPEN = `select from orders where developer_id = $1 and state = 'open'`;
    return (await on.test.db.query(OPEN, [other.id])).length === 0;
  });
  await rows.first().getByText('Success').waitFor();
  await end();
});

const paise = (text: string): number => (text === '–' ? 0 : Number(text.replace('−', '-').replaceAll(/[₹,.+]/g, '')));
