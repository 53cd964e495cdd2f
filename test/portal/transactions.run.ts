import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { button, DIALOG, heading, look, usePortal, type Visitor } from '../e2e/portal.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

// what is pending stays so while it is looked at
const { on, visitor, asStaff, asDeveloper } = usePortal({
  ENQUIRY_SCHEDULE_MS: '1h',
});

/** One account with a success, a decline and an order without an outcome in production, and a success in UAT. */
let shop: TestDeveloper;
/** Its owner, who goes from page to page. */
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

/** What the link to a file gives. */
async function downloaded(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

describe('transactions', () => {
  it('are sifted in the address, opened by the keys, and found by any reference', async () => {
    const { page, go, follow } = owner;
    await go('/orders?environment=PRODUCTION');
    await heading(page, 'Transactions').waitFor();
    // the range is said in the address, so that a link shows what its sender saw
    await page.waitForURL(/days=7/);
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.first().innerText()).toMatch(/9876540005[^]*Pending[^]*Money is held[^]*₹199\.00/);
    await look(owner, 'orders');

    await button(page, 'Failed').click();
    await page.waitForURL(/status=FAILED/);
    await until('one is left', async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain('Declined without a reason');
    await page.getByLabel('Why it failed').selectOption('Number is with another operator');
    await page.getByText('Nothing matches in this environment.').waitFor();
    await page.getByLabel('Why it failed').selectOption('Declined without a reason');
    await until('it is there again', async () => (await rows.count()) === 1);
    await page.getByLabel('Why it failed').selectOption('Any reason');
    await button(page, 'Failed').click();

    await page.getByLabel('Operator').selectOption('Vi');
    await page.waitForURL(/operator=37(&|$)/);
    await until('one is left', async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toMatch(/9876540001[^]*Vi/);
    await page.reload();
    await until('it is there again', async () => (await rows.count()) === 1);
    await page.getByLabel('Operator').selectOption('Sun Direct');
    await page.getByText('Nothing matches in this environment.').waitFor();
    await page.getByRole('link', { name: 'Show the last 7 days' }).click();
    await rows.nth(2).waitFor();
    expect(page.url()).not.toContain('operator');
    // a card bill has no operator
    await page.getByLabel('Operator').selectOption('Jio');
    await until('those of the other are gone', async () => (await rows.count()) === 2);
    await button(page, 'Card bill').click();
    await page.getByText('Nothing matches in this environment.').waitFor();
    expect([await page.getByLabel('Operator').count(), page.url()]).toEqual([
      0,
      expect.not.stringContaining('operator'),
    ]);
    await button(page, 'Card bill').click();
    await follow('/orders?environment=PRODUCTION&operator=99');
    await page.getByText('Nothing matches in this environment.').waitFor();
    expect(await page.getByLabel('Operator').locator('option:checked').innerText()).toBe('Operator 99');
    await page.getByLabel('Operator').selectOption('Any operator');
    await rows.nth(2).waitFor();

    await button(page, 'Failed').click();
    await until('one is left', async () => (await rows.count()) === 1);
    await page.getByLabel('₹ from').fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches in this environment.').waitFor();
    await page.getByLabel('₹ to').fill('40');
    await page.keyboard.press('Enter');
    await page.getByText('The greatest amount is less than the least one.').waitFor();
    await page.getByLabel('₹ to').fill('');
    await page.getByLabel('₹ from').fill('-5');
    await page.keyboard.press('Enter');
    // what cannot count does not stay in the box as if it did
    expect(await page.getByLabel('₹ from').inputValue()).toBe('50');
    await page.getByLabel('₹ from').fill('');
    await page.keyboard.press('Enter');
    await button(page, 'Failed').click();
    await rows.nth(2).waitFor();

    // the second row, by the keys alone; its id is copied on the way
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page
      .getByText(/^ord_[0-9a-f-]{36} is copied$/)
      .first()
      .waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.context().clearPermissions();
    // a message takes no key away
    expect(await rows.nth(1).locator('[data-row]').getAttribute('data-row')).toBe(copied);
    await page.keyboard.press('Enter');
    const drawer = page.locator(DIALOG);
    await drawer.getByText('The provider declined the payment and did not say why.').waitFor();
    await page.waitForURL(new RegExp(`order=${copied}`));
    expect(await drawer.locator('.timeline strong').allInnerTexts()).toEqual([
      'Money held',
      'Sent to the provider',
      'Provider answered',
      'Money given back',
    ]);
    expect(await drawer.locator('.timeline time').first().innerText()).toMatch(/^\+\d+ ms$/);
    expect(await drawer.locator('.lines .amount').allInnerTexts()).toEqual(
      expect.arrayContaining(['−₹49.50', '₹49.50', '₹0.00']),
    );
    expect(await drawer.locator('.lines tbody tr').first().innerText()).toMatch(/^Recharge/);
    await look(owner, 'order');
    // on to the one before it, and the row of that one has the focus in the end
    await page.keyboard.press('k');
    await drawer.getByText('The outcome is not known yet, and the money is held.').waitFor();
    const shown = await page.evaluate<number>('history.length');
    await page.keyboard.press('j');
    await page.waitForURL(new RegExp(`order=${copied}`));
    await page.keyboard.press('k');
    await drawer.getByText('The outcome is not known yet, and the money is held.').waitFor();
    expect(await page.evaluate('history.length')).toBe(shown);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('order=');
    await until('its row has the focus', async () => (await page.locator(':focus').innerText()) === '9876540005');

    for (const reference of ['9876540005', 'bill-3']) {
      await page.getByRole('searchbox').fill(reference);
      await until('it was found', async () => (await rows.count()) === 1);
      expect(await rows.innerText()).toContain('9876540005');
    }
    await page.getByRole('searchbox').fill('nobody has this');
    await page.getByText('Nothing in this environment has this number or reference.').waitFor();
    // what was chosen before and is not shown beside a reference hides nothing
    await follow('/orders?environment=PRODUCTION&status=FAILED&reference=bill-3');
    await until('it was found', async () => (await rows.count()) === 1);

    await button(page, 'UAT').click();
    const file = await downloaded(page);
    expect(file.name).toMatch(/^orders-uat-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(file.text).toMatch(/,play,[^]*,uat\r\n$/);
  });

  it('are everybody’s for staff, who see whose they are, masked numbers, and the wallet of their owner', async () => {
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
    await drawer.getByText('Where every rupee went').waitFor();
    await look(seen, 'order-staff');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const rows = page.locator('tbody tr');
    const provider = page.getByLabel('Provider');
    const offered = () => provider.locator('option').allInnerTexts();
    expect(await offered()).toEqual(['Any provider', 'RoundPay', 'Mokshiq', 'InsPay']);
    await provider.selectOption('Mokshiq');
    await page.waitForURL(/provider=MOKSHIQ/);
    await page.getByText('Nothing matches in this environment.').waitFor();
    await page.getByRole('link', { name: 'Show the last 7 days' }).click();
    await row.waitFor();
    expect(page.url()).not.toContain('provider');
    await provider.selectOption('RoundPay');
    await page.waitForURL(/provider=ROUNDPAY/);
    await row.waitFor();
    await page.getByLabel('Operator').selectOption('Vi');
    await until('one is left', async () => (await rows.count()) === 1);
    expect(await offered()).toEqual(['Any provider', 'RoundPay', 'Mokshiq']);
    // what fits no longer is dropped, with the kind and with the environment
    await button(page, 'Card bill').click();
    await page.getByText('Nothing matches in this environment.').waitFor();
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
    await page.getByText('Looked back to').waitFor();
    await page.getByLabel('₹ from').fill('90000');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'Looked back to' }).waitFor();
    // all of the 92 days were looked at
    expect(await button(page, 'Look further back').count()).toBe(0);
    await page.goBack();
    await row.waitFor();
    // the name of the account leads to it, though the whole row opens
    await row.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Statement' }).click();
    await heading(page, /^Wallets of /).waitFor();
    await page.locator('tbody tr').nth(4).waitFor();
    expect((await downloaded(page)).text).toMatch(/,refund,[^]*,closing,/);
    await follow(`/webhooks?developer=dev_${shop.id}`);
    await page.getByText('No endpoint gets events of Production.').waitFor();
    // who only reads is shown no button
    expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Show the call']);
    await end();
  });
});

describe('the wallet', () => {
  it('says what moved it, line by line and day by day, and leads to the order of a line', async () => {
    const { page, go } = owner;
    await go('/wallet?environment=PRODUCTION');
    await heading(page, 'Wallet').waitFor();
    const rows = page.locator('tbody tr');
    await until('all lines are there', async () => (await rows.count()) === 5);
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/Held for a recharge[^]*−₹199\.00/),
      expect.stringMatching(/Given back[^]*₹49\.50/),
      expect.stringMatching(/\bRecharge[^]*−₹49\.50/),
      expect.stringMatching(/\bRecharge[^]*−₹299\.00/),
      expect.stringMatching(/Money paid in/),
    ]);
    await page.getByText('₹199.00 held for pending orders').waitFor();
    await look(owner, 'wallet');
    await page.getByLabel('Kind of line').selectOption('REFUND');
    await until('one is left', async () => (await rows.count()) === 1);
    await rows.getByRole('link').click();
    await page.locator(DIALOG).getByText('The provider declined the payment').waitFor();
    await page.keyboard.press('Escape');
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    const reference = await rows.locator('code').innerText();
    await page.getByLabel('Kind of line').selectOption('');
    await page.getByRole('searchbox').fill(reference);
    await until('both lines of it are there', async () => (await rows.count()) === 2);

    await button(page, 'Days').click();
    await until('there is a row for each day', async () => (await rows.count()) === 7);
    const [opening, credits, debits, closing] = (await rows.first().locator('.amount').allInnerTexts()).map(paise);
    expect(opening! + credits! + debits!).toBe(closing);
    expect([credits! > 0, debits! < 0]).toEqual([true, true]);
    await look(owner, 'wallet-days');
    // more days than are summed at once
    await page.getByLabel('Days').selectOption('chosen');
    await page.getByLabel('From day').fill('2020-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at most 92 days.').waitFor();
  });
});

const paise = (shown: string): number =>
  shown === '–' ? 0 : Number(shown.replace('−', '-').replaceAll(/[₹,.+]/g, ''));
