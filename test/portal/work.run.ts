import { sql } from 'kysely';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/orm.js';
import { button, heading, look, usePortal } from '../e2e/portal.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { until } from '../support/until.js';

const { on, visitor, asStaff } = usePortal();

describe('orders in review', () => {
  it('are checked together with their providers, and each shows if that was possible', async () => {
    const developer = await on.test.developer();
    const orders = [
      await inReview(on.test, developer, { account: '9876511001' }),
      await inReview(on.test, developer, { account: '9876511002' }),
    ];
    // The provider of the other order has no status check.
    await on.test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [orders[0]]);
    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context, 'finance');
    await go('/review');
    await heading(page, 'Manual review').waitFor();
    // With the keyboard only: selects the first two rows, opens the dialog, and closes it.
    await page.getByLabel('Select xxxxxx1002').waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: 'Resolve 2 orders' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.window').waitFor({ state: 'detached' });
    await look(staff, 'selected');
    await button(page, 'Check status').click();
    const line = (digits: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: digits });
    await line('xxxxxx1001').getByText('checking the status…').waitFor();
    await line('xxxxxx1002').getByText('status check not available').waitFor();
    await look(staff, 'asked');
    await page.setViewportSize({ width: 360, height: 800 });
    await go('/review');
    const boxes = page.getByLabel(/^Select xxxxxx/);
    await boxes.first().waitFor();
    await page.getByLabel('Select all on this page').check();
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true);
    await end();
  });
});

describe('statement differences', () => {
  it('are in the work list, and finance resolves one with a reason', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ' });
    const order = await inReview(on.test, developer);
    await on.test.db.query(
      `with run as (insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested)
         values (uuidv7(), 'MOKSHIQ', sha256('x'), now(), now() + interval '1 day', 1, 2, 1, 2, 0) returning id)
       insert into reconcile_difference (id, provider, fingerprint, kind, run_id, developer_id, order_id, our_status, our_amount_paise, line,
         reference, account, their_status, their_amount_paise, occurred_at)
       select uuidv7(), 'MOKSHIQ', sha256('1'), 'status_differs', run.id, o.developer_id, o.id, 'success', o.amount_paise, 7, o.reference,
         'xxxxxx3210', 'failed', o.amount_paise, now() from run, orders o where o.id = $1
       union all select uuidv7(), 'MOKSHIQ', sha256('2'), 'order_not_found', run.id, null, null, null, null, 9, 'BK 9', 'xxxxxx3211', 'succeeded', 4200,
         now() from run`,
      [order],
    );
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context, 'finance');
    await go('/');
    await page.locator('.work', { hasText: 'Statement differences' }).getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Statement differences').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Statuses differ' });
    expect(await row.innerText()).toMatch(/Mokshiq[^]*₹[^]*Line 7: Failed/);
    const other = page.getByRole('row').filter({ hasText: 'Order not found' });
    expect(await other.innerText()).toMatch(/Line 9: Succeeded ₹42\.00 BK 9/);
    await look(staff, 'differences');
    await other.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('Reason').fill('Refunded with credit note 17');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await other.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('resolved');
    await page.getByText('Refunded with credit note 17').waitFor();
    await look(staff, 'resolved-differences');
    await on.test.db.query('delete from reconcile_difference');
    await end();
    const support = await visitor(360);
    await asStaff(support.context, 'support');
    await support.go('/differences');
    await support.page.getByText('No results.').waitFor();
    await support.end();
  });
});

describe('failed emails', () => {
  it('are in the work list with the reason, and one is resent by an admin', async () => {
    const { mails, orm } = on.test.app;
    const to = 'given-up@work.example';
    await mails.ready();
    await inTransaction(orm, async (tx) => {
      await mails.queue({ to, subject: 'Your account was closed', text: 'Nobody signs in any more.' }, tx);
      const reset = { to: 'reset@work.example', subject: 'Set a new password', text: 'http://c.example/#token=0f0f' };
      await mails.queue({ ...reset, linkExpiresAt: '2026-01-01T00:00:00.000Z' }, tx);
      const db = tx.getKysely();
      await sql`update pgboss.job set state = 'failed' where name = 'email' and state = 'created'`.execute(db);
      await sql`update email set attempted_at = now(), failure = 'rejected', response = '550 5.1.1'`.execute(db);
    });
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go('/');
    await page.locator('.work', { hasText: 'Failed emails' }).getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Failed emails').waitFor();
    const row = page.getByRole('row').filter({ hasText: to });
    expect(await row.innerText()).toMatch(/Your account was closed[^]*Permanently rejected[^]*550 5\.1\.1/);
    await page.getByText('Its link has expired. The recipient must request a new link.').waitFor();
    await look(staff, 'failed-emails');
    await row.getByRole('button', { name: /^Resend/ }).click();
    await row.waitFor({ state: 'detached' });
    expect((await on.emailsTo(to, 1))[0]).toContain('Nobody signs in any more.');
    await until('the email is gone', async () => (await on.test.db.query('select id from email')).length === 1);
    await go('/failed-emails');
    await page.getByText('Set a new password').waitFor();
    await on.test.db.query('delete from email');
    await end();
    const support = await visitor(360);
    await asStaff(support.context, 'support');
    await support.go('/failed-emails');
    await support.page.getByText('No failed emails.').waitFor();
    await support.end();
  });
});

// The last test, because it permanently ends every stream of the service.
describe('the work list', () => {
  it('is updated by a stream, and polls without one', async () => {
    const { page, go, end, context, problems } = await visitor();
    await asStaff(context);
    let readings = 0;
    let streams = 0;
    page.on('request', (request) => {
      const { operationName } = request.postDataJSON() ?? {};
      if (operationName === 'Work') readings++;
      if (operationName === 'WorkChanged') streams++;
    });
    await page.clock.install();
    await go('/');
    const kyc = page.locator('.work', { hasText: 'KYC review' }).locator('.count');
    await until('the page has opened its stream', () => on.test.app.workFeed.count === 1);
    const count = Number(await kyc.innerText());
    const shows = async (more: number) => Number(await kyc.innerText()) === count + more;
    readings = 0;
    await on.applicant('Told Traders');
    await until('the page is notified', () => shows(1));
    expect(readings).toBe(0);
    on.test.app.workFeed.stop();
    await until('missed changes are loaded', () => readings > 0);
    // The stopping process rejects the next stream, which the page does not request again immediately.
    await until('a stream request failed', () => problems.some((text) => text.includes('503')));
    for (let twoSeconds = 0; twoSeconds < 5; twoSeconds++) {
      await page.clock.fastForward(2_000);
      await page.evaluate('fetch("/livez")');
    }
    expect(streams).toBe(2);
    await on.applicant('Untold Traders');
    await until('it is refreshed after half a minute, and a stream requested again', async () => {
      await page.clock.fastForward(31_000);
      return streams > 2 && shows(2);
    });
    // The browser reports each failed stream request, except the first one.
    await until('each was rejected', () => problems.length >= streams - 1);
    expect(problems.splice(0).filter((text) => !text.includes('503'))).toEqual([]);
    await end();
  });
});

describe('the first page load', () => {
  it('checks the signed-in user once, while its script loads', async () => {
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    let viewerQueries = 0;
    const count = (request: Request) => {
      if (!request.postData()?.includes('query SignedIn')) return;
      viewerQueries += 1;
      ask();
    };
    page.on('request', count);
    await page.route(/\/assets\/developers-[^/]+\.js$/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await go('/developers');
    await heading(page, 'Developers').waitFor();
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await heading(page, /Audit/).waitFor();
    expect(viewerQueries).toBe(1);
    await page.unrouteAll();
    page.off('request', count);
    await end();
  });
});

describe('an offline browser', () => {
  it('is reported on the page while it lasts', async () => {
    const staff = await visitor();
    const { page, go, context } = staff;
    await asStaff(context);
    await go('/developers');
    await heading(page, 'Developers').waitFor();
    await context.setOffline(true);
    const offlineNotice = page.getByRole('status').filter({ hasText: 'You are offline.' });
    await offlineNotice.waitFor();
    await look(staff, 'offline');
    await context.setOffline(false);
    await offlineNotice.waitFor({ state: 'detached' });
    await heading(page, 'Developers').waitFor();
    // Errors that the browser itself reports while offline.
    expect(staff.problems.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    staff.problems.length = 0;
    await staff.end();
  });
});
