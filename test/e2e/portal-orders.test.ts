import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { keepPicture } from '../support/browser.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { isSignedWith, startReceiver } from '../webhooks/receiver.fixture.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';
import { button, heading, heading2, STAFF_PASSWORD, signIn, usePortal, type Visitor } from './portal.fixture.js';

// what is pending stays so while it is looked at
const { on, visitor, asStaff, asDeveloper } = usePortal({
  ENQUIRY_SCHEDULE_MS: '1h',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  TWO_PEOPLE: 'roles',
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
  await send('bill-2', { amount: 49.5, account_number: '9876540001' });
  await send('bill-3', { amount: 199, account_number: '9876540005' }, 'production', { prefer: 'wait=1' });
  owner = await visitor();
  await asDeveloper(owner.context, shop.id);
});
afterAll(() => owner?.end());

/** Nothing is cut off where it is as narrow as people have it; pictures in both schemes are for whoever wants to see them. */
async function look({ page }: Visitor, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const sideways = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect([name, width, sideways]).toEqual([name, width, 0]);
    for (const colorScheme of process.env.SCREENSHOTS ? (['dark', 'light'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
}

/** A toast is a dialog too, to those who do not see it. */
const DIALOG = '.drawer, .window';

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
    const { page, go } = owner;
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
    const drawer = page.locator(DIALOG);
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
    await look(owner, 'order');
    // on to the one before it, and the row of that one has the focus in the end
    await page.keyboard.press('k');
    await drawer.getByText('The outcome is not known yet, and the money is held.').waitFor();
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
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await follow(`/orders?environment=PRODUCTION&status=FAILED&to=${tomorrow}`);
    await page.getByText('Looked back to').waitFor();
    await page.getByLabel('₹ from').fill('90000');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'Looked back to' }).waitFor();
    await button(page, 'Look further back').click();
    await page.waitForURL(/from=\d{4}-/);
    await page.getByText('Looked back to').waitFor({ state: 'detached' });
    // without a beginning and an amount again
    await page.goBack();
    await page.goBack();
    await row.waitFor();
    await button(page, 'Look further back').click();
    await button(page, 'Look further back').waitFor({ state: 'detached' });
    // the name of the account leads to it, though the whole row opens
    await row.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Statement' }).click();
    await heading(page, /^Wallets of /).waitFor();
    await page.locator('tbody tr').nth(4).waitFor();
    expect((await downloaded(page)).text).toMatch(/,refund,[^]*,closing,/);
    await follow(`/webhooks?developer=dev_${shop.id}`);
    await page.getByText('No endpoint gets events of Production.').waitFor();
    // who only reads is shown no button
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
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
      expect.stringMatching(/Held for a call[^]*−₹199\.00/),
      expect.stringMatching(/Given back[^]*₹49\.50/),
      expect.stringMatching(/Held for a call[^]*−₹49\.50/),
      expect.stringMatching(/Held for a call[^]*−₹299\.00/),
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

describe('webhooks', () => {
  it('are made, tried, stopped and removed, and a delivery shows its tries and is sent again', async () => {
    const { page, go } = owner;
    const receiver = await startReceiver('/hooks');
    receiver.react(500);
    await go('/webhooks?environment=PRODUCTION');
    await page.getByText('No endpoint gets events of Production.').waitFor();
    await button(page, 'New endpoint').click();
    const dialog = page.locator(DIALOG);
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
    // the list behind it hears first that it arrived, before the drawer looks again
    receiver.react((response) => setTimeout(() => response.writeHead(200).end(), 200));
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'WebhookDeliveries') await sleep(500);
      await route.continue();
    });
    await button(page, 'Send again').click();
    await dialog.locator('li[data-tone="good"]').waitFor();
    await page.unroute('**/graphql');
    expect(new Set((await receiver.has(2)).map(({ id }) => id)).size).toBe(1);
    await look(owner, 'delivery');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // what was posted about an order leads to it, and back
    await place(on.test, shop, { client_request_id: 'posted' });
    await until('it was posted', async () => receiver.received.some(({ body }) => body.type === 'recharge.succeeded'));
    await page.reload();
    await page.getByRole('link', { name: 'Recharge succeeded' }).click();
    await dialog.getByRole('link', { name: 'Show the order' }).click();
    await heading2(page, 'Order').waitFor();
    await dialog.getByRole('link', { name: 'Recharge succeeded' }).click();
    await heading2(page, 'Delivery').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await look(owner, 'deliveries');
    await button(page, 'Given up').click();
    await page.getByText('No delivery matches.').waitFor();

    await go('/webhooks?environment=PRODUCTION');
    await look(owner, 'webhooks');
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
  });
});

describe('webhooks that were given up', () => {
  it('are found in the work list, of all accounts, and sent again by who may', async () => {
    const receiver = await startReceiver('/given-up');
    await createEndpoint(on, { developer: shop, session: await on.userOf(shop.id) }, receiver.url);
    await place(on.test, shop, { client_request_id: 'given up' });
    const DELIVERED = `update webhook_delivery set state = 'dead' where state = 'delivered' returning developer_id`;
    // as if nothing had arrived
    await until('it was posted', async () => (await on.test.db.query(DELIVERED)).length === 1);
    const seen = await visitor();
    const { page, go, end } = seen;
    await asStaff(seen.context);
    await go('/');
    await page.locator('.work', { hasText: 'Webhooks given up' }).getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Webhooks given up').waitFor();
    await page.waitForURL(/environment=PRODUCTION/);
    const row = page.locator('tbody tr');
    await row.waitFor();
    const [{ name }] = (await on.test.db.query('select name from developer where id = $1', [shop.id])) as [
      { name: string },
    ];
    expect(await row.innerText()).toMatch(new RegExp(`${name}[^]*Recharge succeeded[^]*Given up`));
    await look(seen, 'given-up');
    await row.getByRole('link').click();
    const drawer = page.locator('.drawer');
    await drawer.getByRole('link', { name: 'Webhooks of the account' }).waitFor();
    await look(seen, 'given-up-open');
    await button(page, 'Send again').click();
    await drawer.locator('.badge', { hasText: 'Delivered' }).waitFor();
    await receiver.has(2);
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was given up in this environment.').waitFor();
    await end();

    await on.test.db.query(DELIVERED);
    const support = await visitor(360);
    await asStaff(support.context, 'support');
    await support.go('/webhooks/deliveries?environment=PRODUCTION');
    await support.page.getByRole('link', { name: 'Recharge succeeded' }).click();
    await support.page.getByRole('link', { name: 'Show the order' }).waitFor();
    expect(await button(support.page, 'Send again').count()).toBe(0);
    await support.end();
    await receiver.close();
  });
});

describe('people', () => {
  it('of an account are invited, get another role and are removed by an owner; who only reads decides nothing', async () => {
    const { page, go } = owner;
    const dialog = page.locator(DIALOG);
    await go('/team');
    await heading(page, 'Team').waitFor();
    await button(page, 'Invite').click();
    await dialog.getByLabel('E-mail address').fill('ravi@shop.example');
    await dialog.getByLabel('Name').fill('Ravi Kumar');
    await dialog.getByRole('radio', { name: /^Builder/ }).check();
    await button(page, 'Send the invitation').click();
    await page.getByText('The invitation is on its way').waitFor();
    const invited = page.locator('tbody tr', { hasText: 'Ravi Kumar' });
    await until('he stands in the list', async () => /Builder[^]*Invited/.test(await invited.innerText()));
    expect((await on.mailsTo('ravi@shop.example', 1))[0]).toContain('/accept-invitation#token=');
    await look(owner, 'team');
    await invited.getByRole('link').click();
    await button(page, 'Take the invitation back').click();
    await dialog.getByLabel('Reason').fill('mistyped');
    await button(page, 'Remove Ravi Kumar').click();
    await page.getByText('Ravi Kumar is removed').first().waitFor();
    await invited.waitFor({ state: 'detached' });

    const user = { name: 'Lata Iyer', password: STAFF_PASSWORD, role: 'developer', developerId: shop.id } as const;
    await on.test.app.users.create({ ...user, email: 'lata@shop.example', teamRole: 'reader' }, seed);
    await page.reload();
    await page.getByRole('link', { name: 'Lata Iyer' }).click();
    await look(owner, 'person');
    await button(page, 'Change role').click();
    await page.getByRole('radio', { name: /^Finance/ }).check();
    await button(page, 'Save').click();
    await page.getByText('Lata Iyer has another role').waitFor();
    // the choice says it too while it closes
    await dialog.getByText('Reads transactions, wallets and statements.').first().waitFor();

    const reader = await visitor();
    await reader.go('/team');
    await signIn(reader.page, 'lata@shop.example');
    await heading(reader.page, 'Team').waitFor();
    expect(await button(reader.page, 'Invite').count()).toBe(0);
    // finance reads transactions and wallets, but no webhooks: neither their page nor what was posted about an order
    expect(await reader.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'Transactions' }).click();
    await reader.page.getByRole('link', { name: '9876543210' }).click();
    await heading2(reader.page, 'Where every rupee went').waitFor();
    expect(await heading2(reader.page, 'Webhooks').count()).toBe(0);
    await reader.end();
  });

  it('of an account read what happened to it: staff as "Staff", with the words and without the address', async () => {
    const { page, go } = owner;
    const dialog = page.locator(DIALOG);
    const LIMIT = 'mutation($input: SetRateLimitInput!) { setRateLimit(input: $input) { developer { id } } }';
    const input = { developerId: `dev_${shop.id}`, perMinute: 900 };
    expect((await on.call(on.staff.admin, LIMIT, { input })).body.errors).toBeUndefined();
    await go('/activity');
    await heading(page, 'Activity').waitFor();
    const rows = page.locator('tbody tr');
    const limit = rows.filter({ hasText: /another rate limit[^]*Staff/ });
    await limit.waitFor();
    expect(await rows.filter({ hasText: 'endpoint was made' }).first().innerText()).toMatch(/Production[^]*Someone/);
    await look(owner, 'activity');
    await limit.getByRole('link').click();
    await dialog
      .getByRole('row', { name: /^Rate limit a minute/ })
      .getByText('900')
      .waitFor();
    expect(await dialog.getByText('127.0.0.1').count()).toBe(0);
    expect(await dialog.getByRole('link').count()).toBe(0);
    await look(owner, 'activity-entry');
    const open = page.url();
    expect(open).toMatch(/entry=aud_/);
    // the keys go on beside what is open
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== open && url.href.includes('entry=aud_'));
    await dialog.getByRole('row', { name: /^Rate limit a minute/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // of an id that is another account's nothing is told
    await go('/activity?entry=aud_1');
    await dialog.getByText('RECORD_NOT_FOUND').waitFor();
  });

  it('of staff are suspended, reinstated and lose their factors by an admin, who decides nothing about themselves', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    const { email } = await asStaff(context, 'finance');
    const me = await asStaff(context);
    const dialog = page.locator(DIALOG);
    await go('/people');
    await heading(page, 'People').waitFor();
    await page.locator('tbody tr', { hasText: me.email }).getByRole('link').click();
    await dialog.getByText('This is you').waitFor();
    expect(await dialog.getByRole('button').count()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.locator('tbody tr', { hasText: email }).getByRole('link').click();
    await button(page, 'Suspend').click();
    await button(page, 'Suspend Meera Rao').click();
    // without a reason nothing is sent
    await dialog.locator('.field-error').waitFor();
    await page.getByLabel('Reason').fill('left the company');
    await button(page, 'Suspend Meera Rao').click();
    await page.getByText('Meera Rao is suspended').waitFor();
    const suspended = async () =>
      (await on.test.db.query('select disabled_at from app_user where email = $1', [email]))[0]!.disabled_at !== null;
    expect(await suspended()).toBe(true);
    await look(seen, 'people');
    await button(page, 'Reinstate').click();
    await button(page, 'Reinstate Meera Rao').click();
    await page.getByText('Meera Rao may sign in again').waitFor();
    expect(await suspended()).toBe(false);
    await dialog.getByText('Authenticator app, Recovery codes').waitFor();
    await button(page, 'Remove second factors').click();
    await page.getByLabel('Reason').fill('lost the phone, known by voice');
    await button(page, 'Remove all of them').click();
    await page.getByText('Meera Rao has no second factor now').waitFor();
    // that a second person is needed is said before the click
    await button(page, 'Change role').click();
    await page.getByText('It waits for a second admin').waitFor();
    await page.getByRole('radio', { name: /^Admin/ }).check();
    await button(page, 'Propose it').click();
    await page.getByText('Role of Meera Rao: this waits for a second admin').waitFor();
    expect(await button(page, 'Remove second factors').count()).toBe(0);
    await end();
  });
});
