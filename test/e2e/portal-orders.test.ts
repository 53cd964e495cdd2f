import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import type { TestDeveloper } from '../support/app.js';
import { keepPicture } from '../support/browser.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { isSignedWith, startReceiver } from '../webhooks/receiver.fixture.js';
import { button, heading, heading2, usePortal, type Visitor } from './portal.fixture.js';

// what is pending stays so while it is looked at
const { on, visitor, asStaff, asDeveloper } = usePortal({
  ENQUIRY_SCHEDULE_MS: '1h',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
});

/** One account with a success, a decline and an order without an outcome in production, and a success in UAT. */
let shop: TestDeveloper;
beforeAll(async () => {
  shop = await on.test.developer({ rateLimitPerMinute: 1_000 });
  const send = (key: string, more: object, environment: Environment = 'production', headers = {}) =>
    place(on.test, shop, { client_request_id: key, ...more }, environment, headers);
  await send('play', { amount: 11 }, 'uat');
  await send('bill-1', { amount: 299 });
  await send('bill-2', { amount: 49.5, account_number: '9876540001' });
  await send('bill-3', { amount: 199, account_number: '9876540005' }, 'production', { prefer: 'wait=1' });
});

/** In both schemes, as narrow and as wide as people have it: for whoever wants to see them, and nothing is cut off. */
async function look({ page }: Visitor, name: string): Promise<void> {
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const sideways = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([name, width, sideways]).toEqual([name, width, 0]);
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
}

describe('transactions', () => {
  it('are sifted in the address, opened by the keys, and found by any reference', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    await asDeveloper(context, shop.id);
    await go('/orders?environment=PRODUCTION');
    await heading(page, 'Transactions').waitFor();
    // the range is said in the address, so that a link shows what its sender saw
    await page.waitForURL(/days=7/);
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.first().innerText()).toMatch(/9876540005[^]*Pending[^]*Money is held[^]*₹199\.00/);
    await look(seen, 'orders');

    await button(page, 'Failed').click();
    await page.waitForURL(/status=FAILED/);
    await until('one is left', async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain('Declined without a reason');
    await page.getByLabel('₹ from').fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches in this environment.').waitFor();
    await page.getByLabel('₹ to').fill('40');
    await page.keyboard.press('Enter');
    await page.getByText('The greatest amount is less than the least one.').waitFor();
    await page.getByLabel('₹ from').fill('');
    await page.getByLabel('₹ to').fill('');
    await page.keyboard.press('Enter');
    await button(page, 'Failed').click();
    await rows.nth(2).waitFor();

    // the second row, by the keys alone
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('The provider declined the payment and did not say why.').waitFor();
    await page.waitForURL(/order=ord_/);
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
    await look(seen, 'order');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('order=');
    await until('its row has the focus', async () => (await page.locator(':focus').innerText()) === '9876540001');

    for (const reference of ['9876540005', 'bill-3']) {
      await page.getByRole('searchbox').fill(reference);
      await until('it was found', async () => (await rows.count()) === 1);
      expect(await rows.innerText()).toContain('9876540005');
    }
    await page.getByRole('searchbox').fill('nobody has this');
    await page.getByText('Nothing in this environment has this number or reference.').waitFor();
    await end();
  });

  it('come as a file of the days and the environment that are shown', async () => {
    const { page, context, go, end } = await visitor();
    await asDeveloper(context, shop.id);
    await go('/orders?days=1');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^orders-uat-(\d{4}-\d\d-\d\d)-\1\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/,play,[^]*,uat\r\n$/);
    await end();
  });

  it('are everybody’s for staff, who see whose they are and masked numbers', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    await asStaff(context, 'support');
    await go('/orders');
    await heading(page, 'Orders').waitFor();
    const row = page.locator('tbody tr', { hasText: 'xxxxxx0001' });
    await row.waitFor();
    expect(await row.innerText()).toContain('RoundPay');
    await look(seen, 'orders-staff');
    await row.getByRole('link', { name: 'xxxxxx0001' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Where every rupee went').waitFor();
    await look(seen, 'order-staff');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    // the name of the account leads to it, though the whole row opens
    await row.getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/developers/dev_${shop.id}`));
    await end();
  });
});

describe('the wallet', () => {
  it('says what moved it, line by line and day by day, and leads to the order of a line', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    await asDeveloper(context, shop.id);
    await go('/wallet?environment=PRODUCTION');
    await heading(page, 'Wallet').waitFor();
    const rows = page.locator('tbody tr');
    await until('all lines are there', async () => (await rows.count()) === 5);
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/Held for a call[^]*−₹199\.00/),
      expect.stringMatching(/Given back[^]*₹49\.50/),
      expect.stringMatching(/Held for a call[^]*−₹49\.50/),
      expect.stringMatching(/Held for a call[^]*−₹299\.00/),
      expect.stringMatching(/Money paid in/),
    ]);
    await page.getByText('₹199.00 held for pending orders').waitFor();
    await look(seen, 'wallet');
    await page.getByLabel('Kind of line').selectOption('REFUND');
    await until('one is left', async () => (await rows.count()) === 1);
    await rows.getByRole('link').click();
    await page.getByRole('dialog').getByText('The provider declined the payment').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const reference = await rows.locator('code').innerText();
    await page.getByLabel('Kind of line').selectOption('');
    await page.getByRole('searchbox').fill(reference);
    await until('both lines of it are there', async () => (await rows.count()) === 2);

    await button(page, 'Days').click();
    await until('there is a row for each day', async () => (await rows.count()) === 7);
    const [opening, credits, debits, closing] = (await rows.first().locator('.amount').allInnerTexts()).map(paise);
    expect(opening! + credits! + debits!).toBe(closing);
    expect([credits! > 0, debits! < 0]).toEqual([true, true]);
    await look(seen, 'wallet-days');
    // more days than are summed at once
    await page.getByLabel('Days').selectOption('chosen');
    await page.getByLabel('From day').fill('2020-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at most 92 days.').waitFor();
    await end();
  });

  it('of a developer is for staff to read, as a file too', async () => {
    const { page, context, go, end } = await visitor();
    await asStaff(context, 'finance');
    await go(`/developers/dev_${shop.id}`);
    await page.getByRole('link', { name: 'Statement' }).click();
    await heading(page, /^Wallets of /).waitFor();
    await page.locator('tbody tr').nth(4).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/,refund,[^]*,closing,/);
    await end();
  });
});

const paise = (shown: string): number =>
  shown === '–' ? 0 : Number(shown.replace('−', '-').replaceAll(/[₹,.+]/g, ''));

describe('webhooks', () => {
  it('are made, tried, stopped and removed, and a delivery shows its tries and is sent again', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    const receiver = await startReceiver('/hooks');
    receiver.react(500);
    await asDeveloper(context, shop.id);
    await go('/webhooks?environment=PRODUCTION');
    await page.getByText('No endpoint gets events of Production.').waitFor();
    await button(page, 'New endpoint').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('ftp://nowhere');
    await button(page, 'Create endpoint').click();
    await dialog.locator('.field-error').waitFor();
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Card bill failed').uncheck();
    await button(page, 'Create endpoint').click();
    await heading2(page, 'The secret is shown this once').waitFor();
    const secret = await dialog.locator('.value code').innerText();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('I have it').check();
    await button(page, 'Done').click();
    await page.getByText(receiver.url).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByText('Recharge reversed, Card bill paid').waitFor();

    await button(page, 'Send test').click();
    await dialog.getByText('Receiver refused it').waitFor();
    expect(await dialog.locator('pre').innerText()).toContain('"type": "test.sent"');
    const [message] = await receiver.has(1);
    expect(isSignedWith(secret, message!)).toBe(true);
    await button(page, 'Send again').click();
    await dialog.locator('li[data-tone="good"]').waitFor();
    expect(new Set((await receiver.has(2)).map(({ id }) => id)).size).toBe(1);
    await look(seen, 'delivery');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // what was posted about an order leads to it, and back
    await place(on.test, shop, { client_request_id: 'posted' });
    await receiver.has(3);
    await page.reload();
    await page.getByRole('link', { name: 'Recharge succeeded' }).click();
    await dialog.getByRole('link', { name: 'Show the order' }).click();
    await heading2(page, 'Order').waitFor();
    await dialog.getByRole('link', { name: 'Recharge succeeded' }).click();
    await heading2(page, 'Delivery').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await look(seen, 'deliveries');
    await button(page, 'Given up').click();
    await page.getByText('Nothing was posted, as far as it was asked for.').waitFor();

    await go('/webhooks?environment=PRODUCTION');
    await look(seen, 'webhooks');
    await button(page, 'Switch off').click();
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('by a person').waitFor();
    await button(page, 'Switch on').click();
    await page.getByText('Events are posted again').waitFor();
    await button(page, 'Delete').click();
    const { host } = new URL(receiver.url);
    const really = dialog.getByRole('button', { name: `Delete ${host}` });
    expect(await really.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${host} to go on`).fill(host);
    await really.click();
    await page.getByText('No endpoint gets events of Production.').waitFor();
    await receiver.close();
    await end();
  });

  it('show themselves without a button to who only reads', async () => {
    const { page, context, go, end } = await visitor();
    await asStaff(context, 'support');
    await go(`/webhooks?developer=dev_${shop.id}`);
    await heading(page, 'Webhooks').waitFor();
    await page.getByText('No endpoint gets events of Production.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await end();
  });
});
