import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, heading, isRead, usePortal } from '../e2e/portal.fixture.js';
import { inReview, publicId } from '../orders/order.fixture.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ TWO_PEOPLE: 'unlock' });

const nameOf = async (id: string) =>
  (await on.test.db.query<{ name: string }>('select name from developer where id = $1', [id]))[0]!.name;
const rows = (page: Page) => page.locator('tbody tr');

/** Requests of this operation wait until they are released. */
async function hold(page: Page, operation: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(`query ${operation}(`)) await promise;
    await route.continue();
  });
  return resolve;
}

describe('displayed data', () => {
  it('is never shown under the name of another account or environment', async () => {
    const [one, other] = [await on.test.developer({ liveRupees: 10 }), await on.test.developer({ liveRupees: 20 })];
    await place(on.test, one, {}, 'uat');
    const { page, go, follow, context, end } = await visitor();
    await asStaff(context);
    await go('/orders?environment=UAT');
    await rows(page).first().waitFor();
    const releaseRequest = await hold(page, 'Orders');
    await button(page, 'Production').click();
    await page.locator('main .skeleton').waitFor();
    expect(await rows(page).count()).toBe(0);
    releaseRequest();
    await page.getByText('No orders in this date range.').waitFor();
    await page.unrouteAll();

    await go(`/developers/dev_${one.id}`);
    await heading(page, await nameOf(one.id)).waitFor();
    const goOnToo = await hold(page, 'Developer');
    await follow(`/developers/dev_${other.id}`);
    await page.locator('main .skeleton').first().waitFor();
    expect(await page.getByText(await nameOf(one.id)).count()).toBe(0);
    expect(await button(page, 'Credit…').count()).toBe(0);
    goOnToo();
    await heading(page, await nameOf(other.id)).waitFor();
    await page.unrouteAll();
    await end();
  });

  it('stays if it cannot be reloaded, and is reloaded when the network is back', async () => {
    const developer = await on.test.developer();
    await place(on.test, developer, {}, 'uat');
    const { page, go, context, end } = await visitor();
    await asDeveloper(context, developer.id);
    await go('/orders?environment=UAT');
    await rows(page).first().click();
    const drawer = page.locator('.drawer');
    await drawer.getByText('Timeline').waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await button(page, 'Success').click();
    await page.getByText('The service could not be reached.').waitFor();
    await page.unrouteAll();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await until('the rows are loaded', async () => (await rows(page).count()) === 1);
    await end();
  });

  it('counts down to the next allowed request after a rate limit, and its request can be copied', async () => {
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await go('/');
    await isRead(page);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query AuditLog')) return route.continue();
      const extensions = { code: 'RATE_LIMITED', retryAfterMs: 3_000, requestId: 'req_42' };
      return route.fulfill({ status: 429, json: { errors: [{ message: 'Later.', extensions }] } });
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click();
    const again = page.getByRole('button', { name: /^Try again/ });
    await page.getByText('Too many attempts. Try again in 3 s.').waitFor();
    expect(await again.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Copy: Request' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('req_42');
    await page.unrouteAll();
    await button(page, 'Try again').click();
    await rows(page).first().waitFor();
    await context.clearPermissions();
    await end();
  });
});

describe('a list', () => {
  it('opens a row wherever it is clicked, and keeps its header at the top', async () => {
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await on.test.db.query(`insert into developer (name, email) select 'Row ' || n, 'row-' || n || '@rows.example'
      from generate_series(1, 30) n`);
    await go('/developers');
    await rows(page).nth(15).waitFor();
    await page.mouse.wheel(0, 400);
    await until('the header stays', async () => (await page.locator('th').first().boundingBox())!.y === 52);
    await rows(page).nth(15).locator('td').last().click();
    await page.getByRole('heading', { level: 1, name: /^Row \d+$/ }).waitFor();
    await go('/audit');
    await rows(page).nth(1).locator('td').nth(2).click();
    await page.locator('.drawer').waitFor();
    await end();
  });
});

describe('a dialog', () => {
  it('restores the focus, keeps its input after a click outside, and shows its API call in advance', async () => {
    const { id } = await on.test.developer();
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go(`/developers/dev_${id}`);
    await button(page, 'Credit…').focus();
    await page.keyboard.press('Enter');
    const dialog = page.locator('.window');
    await dialog.getByLabel('Amount in rupees').fill('12');
    await page.mouse.click(5, 400);
    await button(page, /^Credit ₹12/).click();
    await dialog.getByText('Required.').first().waitFor();
    await dialog.getByLabel('Amount in rupees').fill('1.234');
    await dialog.getByText('Enter an amount in rupees with at most two decimals').waitFor();
    await dialog.getByRole('button', { name: 'Show API calls' }).click();
    await page.getByText('"CreditWalletInput!"').first().waitFor();
    await page.getByText('not sent yet').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Credit…');
    await button(page, 'Remove Production access').waitFor();
    await on.test.db.query(
      'update developer set production_unlocked = false, production_unlocked_at = null where id = $1',
      [id],
    );
    await page.reload();
    await button(page, 'Grant Production access').click();
    await dialog.getByText('A second administrator must approve this').waitFor();
    await end();
  });
});

describe('a form', () => {
  it('keeps its input when the session has expired, and shows a message if the browser cannot copy a text', async () => {
    const { id } = await on.test.developer();
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go(`/developers/dev_${id}`);
    await page.getByLabel('New note').fill('They called twice');
    await context.clearCookies();
    await button(page, 'Add note').click();
    await page.getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    expect(await page.getByLabel('New note').inputValue()).toBe('They called twice');
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    await page.getByRole('button', { name: /^Copy: Request/ }).click();
    await page.getByText('Not copied: the browser does not allow it').waitFor();
    await asStaff(context);
    await button(page, 'Add note').click();
    await page.getByRole('listitem').filter({ hasText: 'They called twice' }).waitFor();
    await end();
  });
});

describe('the service access of a developer', () => {
  it('is undone separately: a fee changed by another admin stays, and a typed fee needs Save', async () => {
    const { id } = await on.test.developer();
    const name = await nameOf(id);
    await on.test.db.query(
      `update service_access set enabled = false where developer_id = $1 and service = 'dth_info'`,
      [id],
    );
    const access = async () =>
      (
        await on.test.db.query(
          `select enabled, fee_paise::int fee from service_access where developer_id = $1 and service = 'dth_info'`,
          [id],
        )
      )[0];
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go(`/access?search=${encodeURIComponent(name)}`);
    await page.getByRole('switch', { name: `DTH customer for ${name}` }).click();
    const undo = button(page, 'Undo');
    await undo.waitFor();
    const SET = `mutation($id: ID!) { setServiceAccessMany(input: { changes: [{ developerId: $id, service: DTH_INFO, fee: 5 }] }) { access { fee } } }`;
    await on.call(on.staff.admin, SET, { id: `dev_${id}` });
    await undo.click();
    await page.getByText(`${name}, DTH customer: change undone`).waitFor();
    expect(await access()).toEqual({ enabled: false, fee: 500 });

    await page.getByRole('button', { name: new RegExp(`change the fee of DTH customer for ${name}`) }).click();
    const fee = page.getByLabel(`Fee of DTH customer for ${name}`);
    await fee.fill('x');
    await page.getByText('Enter an amount in rupees, for example 0.25.').waitFor();
    await fee.fill('7.25');
    await heading(page, 'Access').click();
    await button(page, 'Save').click();
    await until('the fee is saved', async () => (await access())!.fee === 725);
    await end();
  });
});

describe('orders in review', () => {
  it('keep the dialog, its input and the reasons if some of them are rejected', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ' });
    const [early, late] = [
      await inReview(on.test, developer, { account: '9876511001', rupees: 10 }),
      await inReview(on.test, developer, { account: '9876511002', rupees: 20 }),
    ];
    // Recent for as long as a slow machine needs for the clicks.
    await on.test.db.query(`update orders set unknown_since = now() + interval '5 minutes' where id = $1`, [late]);
    const { page, go, context, end } = await visitor();
    await asStaff(context, 'finance');
    await go('/review');
    for (const digits of ['1001', '1002']) await page.getByLabel(`Select xxxxxx${digits}`).check();
    await button(page, 'Resolve…').click();
    const dialog = page.locator('.window');
    await dialog.getByLabel(/^Failed/).check();
    await dialog.getByLabel('Evidence').fill('Not in the statement');
    await dialog.getByRole('button', { name: /^Refund ₹30.00/ }).click();
    await dialog.getByText('xxxxxx1002: not resolved. The payment was sent too recently').waitFor();
    await page
      .getByText(/^Refund ₹10.00 to .*: 1 resolved, 1 rejected$/)
      .first()
      .waitFor();
    expect(await dialog.getByLabel('Evidence').inputValue()).toBe('Not in the statement');
    await dialog.getByLabel(/^I have verified that this payment failed/).check();
    await dialog.getByRole('button', { name: /^Refund ₹20.00/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const states = await on.test.db.query('select state from orders where id = any($1)', [[early, late]]);
    expect(states).toEqual([{ state: 'failed' }, { state: 'failed' }]);
    await end();
  });
});

describe('a reused UTR', () => {
  it('is rejected first, and then accepted with a reason and a second admin', async () => {
    const [one, other] = [await on.test.developer({ liveRupees: 10 }), await on.test.developer({ liveRupees: 10 })];
    const credit = `mutation($id: ID!) { creditWallet(input: { developerId: $id, environment: PRODUCTION, amount: 5, reference: "First", utr: "SBIN000000000042" }) { outcome { __typename } } }`;
    await on.call(on.staff.admin, credit, { id: `dev_${one.id}` });
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go(`/developers/dev_${other.id}?environment=PRODUCTION`);
    await button(page, 'Credit…').click();
    const dialog = page.locator('.window');
    await dialog.getByText('Wallet balance: ₹10.00.').waitFor();
    await dialog.getByLabel('Amount in rupees').fill('5');
    await dialog.getByLabel('Reference').fill('Second');
    // An invalid UTR is not a reused UTR.
    await dialog.getByLabel('Bank transfer number').fill('42');
    await button(page, /^Credit ₹5/).click();
    await dialog.locator('.field-error').waitFor();
    expect(await dialog.getByLabel('Reason').count()).toBe(0);
    await dialog.getByLabel('Bank transfer number').fill('SBIN000000000042');
    expect(await dialog.getByLabel('Reason').count()).toBe(0);
    await button(page, /^Credit ₹5/).click();
    await dialog.getByText(`This bank transfer was already credited to dev_${one.id}`).waitFor();
    await dialog.getByText('A second approver is required').waitFor();
    await dialog.getByLabel('Reason').fill('Two customers, one transfer');
    await button(page, /^Credit ₹5/).click();
    await page
      .getByText(/: approval requested\./)
      .first()
      .waitFor();
    await end();
  });
});

describe('an approval request', () => {
  it('that another admin has resolved in the meantime is shown in its current state', async () => {
    const { id } = await on.test.developer({ liveRupees: 10 });
    const debit = `mutation($id: ID!) { debitWallet(input: { developerId: $id, environment: PRODUCTION, amount: 5, reference: "Twice", reason: "Typed twice" }) { outcome { ... on ApprovalRequestCreated { approvalRequest { id } } } } }`;
    const { body } = await on.call(on.staff.admin, debit, { id: `dev_${id}` });
    const { approvalRequest } = body.data.debitWallet.outcome;
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go(`/approval-requests?approvalRequest=${approvalRequest.id}`);
    const deed = button(page, /^Debit ₹5/);
    await deed.waitFor();
    const approve = `mutation($id: ID!) { approveApprovalRequest(input: { approvalRequestId: $id }) { outcome { __typename } } }`;
    await on.call(on.staff.second, approve, { id: approvalRequest.id });
    await deed.click();
    await page.locator('.drawer').getByText('Approved', { exact: true }).waitFor();
    await deed.waitFor({ state: 'detached' });
    await end();
  });
});

describe('the command palette', () => {
  it('receives typed characters immediately', async () => {
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    await go('/');
    await isRead(page);
    await page.waitForTimeout(1_000);
    await page.keyboard.press('ControlOrMeta+k');
    await page.waitForTimeout(120);
    await page.keyboard.type('sharma');
    expect(await page.locator('.palette-text').inputValue()).toBe('sharma');
    await end();
  });
});

describe('filters', () => {
  it('are in the URL, show matching rows only, and can be removed', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ', liveRupees: 10 });
    const id = await inReview(on.test, developer, { account: '9876512001', rupees: 10 });
    const debit = `mutation($id: ID!) { debitWallet(input: { developerId: $id, environment: PRODUCTION, amount: 1, reference: "Of another", reason: "Typed twice" }) { outcome { __typename } } }`;
    await on.call(on.staff.admin, debit, { id: `dev_${developer.id}` });
    const { page, go, context, end } = await visitor();
    await asStaff(context);
    const isAt = (parameter: string) => page.waitForURL((url) => url.search.includes(parameter));
    const count = async (wanted: number) =>
      until(`${wanted} rows`, async () => (await isRead(page), await rows(page).count()) === wanted);

    await go('/audit');
    await page.getByRole('searchbox', { name: /^Subject ID/ }).fill(`dev_${developer.id}`);
    await isAt(`subject=dev_${developer.id}`);
    await page.getByLabel('Action').selectOption('Account created');
    await isAt('action=');
    await count(1);
    await page.getByRole('searchbox', { name: /^Actor ID/ }).fill('usr_00000000-0000-7000-8000-000000000000');
    await page
      .getByText(/No results|There is no|not found|[Uu]nknown/)
      .first()
      .waitFor();
    await page.getByRole('searchbox', { name: /^Actor ID/ }).fill('');
    await page.getByRole('searchbox', { name: /^Subject ID/ }).fill('');
    await page.getByRole('searchbox', { name: 'Request ID' }).fill('req_nobody_has_this');
    await isAt('request=');
    await page.getByText(/No results/).waitFor();

    await go('/review?environment=PRODUCTION');
    await page.getByLabel(/^Select xxxxxx2001/).waitFor();
    for (const chip of ['Older than 1 h', 'Conflicting status']) {
      await button(page, chip).click();
      await page.getByText('No results.').waitFor();
      await button(page, chip).click();
      await page.getByLabel(/^Select xxxxxx2001/).waitFor();
    }
    await button(page, /^Mokshiq/).click();
    await isAt('provider=MOKSHIQ');
    await page.getByLabel(/^Select xxxxxx2001/).waitFor();

    await go('/approval-requests?action=DEBIT');
    await rows(page).first().waitFor();
    await button(page, 'Requested by me').click();
    await isAt('requestedByMe=true');
    await page.getByText('No results.').waitFor();

    await go('/developers?search=Developer');
    await rows(page).first().waitFor();
    await page.getByLabel('Production balance below (₹)').fill('1');
    await page.keyboard.press('Enter');
    await isAt('below=1');
    await until(
      'accounts with a higher balance are excluded',
      async () => (await page.getByText('₹10.00').count()) === 0,
    );

    await go('/orders?environment=PRODUCTION');
    await rows(page).first().waitFor();
    await button(page, 'Card bill').click();
    await isAt('kind=CARD_PAYMENT');
    await until('recharges are excluded', async () => (await rows(page).count()) === 0);
    const resolve = `mutation($id: ID!) { resolveOrder(input: { orderId: $id, outcome: FAILED, reason: "Not in the statement" }) { outcome { __typename } } }`;
    await on.call(on.staff.admin, resolve, { id: publicId(id) });
    await end();
  });
});
