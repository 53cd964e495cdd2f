import { describe, expect, it } from 'vitest';
import { button, heading, look, usePortal } from '../e2e/portal.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { place } from '../support/recharges.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ TWO_PEOPLE: 'switches', RATE_LIMIT_PER_MINUTE: '1000' });

describe('the work list', () => {
  it('shows how many items are pending, how long and how much real money, and each row opens its queue', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ' });
    const id = await inReview(on.test, developer, { rupees: 3_412, account: '9876511001' });
    await inReview(on.test, developer, { rupees: 99, environment: 'uat' });
    await on.test.db.query(`update order_review set since = since - interval '26 hours' where order_id = $1`, [id]);
    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context, 'finance');
    await go('/');
    await page.getByText('2 open items, oldest: 26 h').waitFor();
    const row = page.locator('.work', { hasText: 'Manual review' });
    expect(await row.innerText()).toMatch(/^2\s+Manual review\s+₹3,412.00 · oldest: 26 h · 1 in UAT/);
    expect(await page.locator('.work', { hasText: 'Failed emails' }).innerText()).toContain('No open items.');
    await page.getByRole('link', { name: 'Manual review 2' }).waitFor();
    await look(staff, 'work');
    await row.getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Manual review').waitFor();
    await page.getByText('1 order · ₹3,412.00').waitFor();
    // MOKSHIQ has no status check.
    await page.getByLabel('Select xxxxxx1001').check();
    await button(page, 'Check status').click();
    await page.getByText(/status check not available. Check the provider’s own statement/).waitFor();
    await end();

    const reviewer = await visitor(360);
    await asStaff(reviewer.context, 'reviewer');
    await reviewer.go('/');
    await reviewer.page.locator('.work').getByText('KYC review').waitFor();
    expect(await reviewer.page.locator('.work strong').allInnerTexts()).toEqual([
      'KYC review',
      'Production access requests',
    ]);
    await button(reviewer.page, 'Menu').click();
    const pages = reviewer.page.getByRole('navigation');
    await pages.getByRole('link', { name: 'KYC review' }).waitFor();
    expect(await pages.getByRole('link', { name: 'Providers' }).count()).toBe(0);
    await reviewer.end();
  });
});

describe('a provider', () => {
  it('is disabled by one admin with a reason, and enabled by two, as shown before the click', async () => {
    const developer = await on.test.developer({ provider: 'ROUNDPAY' });
    const recharge = async (key: string) =>
      (await place(on.test, developer, { client_request_id: key, account_number: '9876511009' })).body;
    expect((await recharge('before')).status).toBe('success');
    const admin = await visitor();
    const { page, go, end } = admin;
    await asStaff(admin.context);
    await go('/providers');
    await heading(page, 'Providers').waitFor();
    const card = page.locator('.card', { hasText: 'RoundPay' });
    await card.getByText('100.0%').waitFor();
    await look(admin, 'providers');
    await button(page, 'Disable RoundPay').click();
    const dialog = page.getByRole('dialog', { name: 'Disable RoundPay in Production?' });
    await dialog.getByText('No second approver is required.').waitFor();
    await dialog.getByRole('button', { name: 'Disable RoundPay' }).click();
    // The reason is required.
    expect((await recharge('still on')).status).toBe('success');
    await dialog.getByLabel('Reason').fill('It answers with rubbish since 10:00');
    await look(admin, 'switch-off');
    await dialog.getByRole('button', { name: 'Disable RoundPay' }).click();
    await page.getByText('RoundPay disabled. It receives no new calls.').first().waitFor();
    await card.getByText('It answers with rubbish since 10:00').waitFor();
    expect((await recharge('while off')).code).toBe('PROVIDER_UNAVAILABLE');

    await button(page, 'Enable RoundPay').click();
    const again = page.getByRole('dialog', { name: 'Enable RoundPay in Production?' });
    await again.getByText(/^A second administrator must approve this/).waitFor();
    await again.getByLabel('Reason').fill('They have mended it');
    await again.getByRole('button', { name: 'Enable RoundPay' }).click();
    await page.getByText('Enable RoundPay: pending approval by a second administrator').first().waitFor();
    await page.getByRole('link', { name: '1 approval request to enable a provider' }).waitFor();
    await look(admin, 'switched-off');
    await button(page, 'UAT').click();
    await page.locator('.card', { hasText: 'Sandbox' }).waitFor();
    expect(await page.locator('.card h2').allInnerTexts()).toEqual(['New orders', 'Sandbox']);
    await end();

    const second = await visitor();
    await asStaff(second.context);
    await second.go('/providers');
    await second.page.getByRole('link', { name: '1 approval request to enable a provider' }).click();
    await heading(second.page, 'Approval requests').waitFor();
    await second.page.locator('tbody a').first().click();
    await second.page.getByRole('dialog').getByText('They have mended it').waitFor();
    await second.page.getByRole('dialog', { name: 'Enable RoundPay in Production' }).waitFor();
    await look(second, 'switch-approval-request');
    expect(await second.page.locator('tbody tr.opens').innerText()).toContain('Enable RoundPay in Production');
    await second.page.getByRole('dialog').getByRole('button', { name: 'Enable RoundPay in Production' }).click();
    await second.go('/providers');
    await button(second.page, 'Disable RoundPay').waitFor();
    expect((await recharge('while off')).status).toBe('success');
    await second.end();
  });

  it('has no switch for read-only users', async () => {
    const support = await visitor();
    await asStaff(support.context, 'support');
    await support.go('/providers');
    await support.page.getByText('Mokshiq').first().waitFor();
    expect(await support.page.getByRole('button', { name: /^(Enable|Disable)/ }).count()).toBe(0);
    await support.end();
  });
});

describe('new orders', () => {
  it('are paused by one administrator with a notice on every page, and resumed by two', async () => {
    const developer = await on.test.developer({ provider: 'ROUNDPAY' });
    const recharge = async (key: string) =>
      (await place(on.test, developer, { client_request_id: key, account_number: '9876511010' })).body;
    const admin = await visitor();
    const { page, go, end } = admin;
    await asStaff(admin.context);
    await go('/providers');
    await button(page, 'Pause orders').click();
    const dialog = page.getByRole('dialog', { name: 'Pause new orders in Production?' });
    await dialog.getByText('No second approver is required.').waitFor();
    const submit = dialog.getByRole('button', { name: 'Pause orders in Production' });
    await submit.click();
    // The notice is required.
    expect((await recharge('before')).status).toBe('success');
    await dialog.getByLabel('Notice').fill('Planned maintenance until 14:00.');
    await look(admin, 'pause');
    await submit.click();
    const banner = page.getByRole('status', { name: 'Paused' });
    await banner.getByText('Planned maintenance until 14:00.').waitFor();
    expect((await recharge('while paused')).message).toContain('Planned maintenance until 14:00.');
    await look(admin, 'paused-orders');
    await button(page, 'Change notice').click();
    const change = page.getByRole('dialog', { name: 'Change the notice in Production?' });
    await change.getByLabel('Notice').fill('It takes until 15:00.');
    await change.getByRole('button', { name: 'Change notice' }).click();
    await banner.getByText('It takes until 15:00.').waitFor();
    await button(page, 'UAT').click();
    await button(page, 'Pause orders').waitFor();
    expect(await banner.count()).toBe(0);
    await button(page, 'Production').click();
    await button(page, 'Resume orders').click();
    const again = page.getByRole('dialog', { name: 'Resume orders in Production?' });
    await again.getByText(/^A second administrator must approve this/).waitFor();
    await again.getByLabel('Reason').fill('The work is done');
    await again.getByRole('button', { name: 'Resume orders in Production' }).click();
    await page.getByRole('link', { name: '1 approval request to resume orders' }).waitFor();
    await end();

    const caller = await visitor(360);
    await asDeveloper(caller.context, developer.id);
    await caller.go('/keys?environment=PRODUCTION');
    await caller.page.getByText('New orders in Production are paused').waitFor();
    await look(caller, 'paused-developer');
    await caller.end();

    const second = await visitor();
    await asStaff(second.context);
    await second.go('/approval-requests?action=RESUME_ORDERS');
    await second.page.locator('tbody a').first().click();
    const approvalRequest = second.page.getByRole('dialog');
    await approvalRequest.getByText('The work is done').waitFor();
    await look(second, 'resume');
    await approvalRequest.getByRole('button', { name: 'Resume orders' }).first().click();
    await second.page.getByText('New orders in Production are paused').waitFor({ state: 'detached' });
    expect((await recharge('while paused')).status).toBe('success');
    await second.end();
  });
});
