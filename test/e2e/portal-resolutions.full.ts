import { describe, expect, it } from 'vitest';
import { inReview } from '../orders/order.fixture.js';
import { putInStatusConflict } from '../support/orders.js';
import { button, heading, usePortal } from './portal.fixture.js';

const { on, visitor, asStaff } = usePortal();

const stateOf = async (id: string) =>
  (await on.test.db.query<{ state: string }>('select state from orders where id = $1', [id]))[0]!.state;

describe('orders in review', () => {
  it('are resolved by one admin in a list, and above the limit by two; each sees the effect before the click', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ' });
    const small = [
      await inReview(on.test, developer, { account: '9876511001', rupees: 10 }),
      await inReview(on.test, developer, { account: '9876511002', rupees: 20 }),
    ];
    const great = await inReview(on.test, developer, { account: '9876511003', rupees: 6_000 });

    const { page, go, follow, end, context } = await visitor();
    await asStaff(context);
    await go('/');
    await page.getByRole('navigation').getByRole('link', { name: 'Manual review' }).click();
    await heading(page, 'Manual review').waitFor();
    await page.getByText('3 orders · ₹6,030.00').waitFor();
    for (const digits of ['1001', '1002']) await page.getByLabel(`Select xxxxxx${digits}`).check();
    await page.getByText('2 selected · ₹30.00').waitFor();
    await button(page, 'Resolve…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Failed/).check();
    await dialog.getByText('₹30.00: held amounts → wallet').waitFor();
    await dialog.getByText('No second approver is required.').waitFor();
    await dialog.getByRole('button', { name: /^Refund ₹30.00 to Developer \d+$/ }).click();
    // The evidence is required.
    expect(await dialog.getByRole('button', { name: /^Refund ₹30.00 to Developer \d+$/ }).isVisible()).toBe(true);
    await dialog.getByLabel('Evidence').fill('Not in the statement of 25 November');
    await dialog.getByRole('button', { name: /^Refund ₹30.00 to Developer \d+$/ }).click();
    await page
      .getByText(/^Refund ₹30.00 to Developer \d+: 2 resolved$/)
      .first()
      .waitFor();
    await page.getByText('1 order · ₹6,000.00').waitFor();
    expect(await Promise.all(small.map(stateOf))).toEqual(['failed', 'failed']);

    await page.getByRole('link', { name: 'xxxxxx1003' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Manual review started').waitFor();
    await drawer.getByRole('button', { name: 'Resolve…' }).click();
    const resolveDialog = page.getByRole('dialog', { name: 'Resolve order' });
    await resolveDialog.getByLabel(/^Succeeded/).check();
    await resolveDialog.getByText('₹6,000.00: held amounts → payable to the provider').waitFor();
    await resolveDialog.getByText(/A second approver is required/).waitFor();
    await resolveDialog.getByLabel('Evidence').fill('In the statement of 25 November, line 17');
    await resolveDialog.getByRole('button', { name: /^Make the debit of ₹6,000.00 from Developer \d+ final$/ }).click();
    await page
      .getByText(/^Make the debit of ₹6,000.00 from Developer \d+ final: approval requested/)
      .first()
      .waitFor();
    expect(await stateOf(great)).toBe('review');
    await follow('/approval-requests');
    await page.getByRole('link', { name: 'Resolve an order' }).click();
    await page.getByText('You created this approval request.').waitFor();
    expect(await button(page, /^Make the debit of ₹6,000.00/).count()).toBe(0);
    await end();

    const other = await visitor();
    await asStaff(other.context, 'finance');
    await other.go('/approval-requests');
    await other.page.getByRole('link', { name: 'Resolve an order' }).click();
    await other.page.getByText('In the statement of 25 November, line 17').waitFor();
    await button(other.page, /^Make the debit of ₹6,000.00 from Developer \d+ final$/).click();
    await other.page
      .getByText(/^Make the debit of ₹6,000.00 from Developer \d+ final: approved$/)
      .first()
      .waitFor();
    await other.page.getByText('No pending approval requests.').waitFor();
    expect(await stateOf(great)).toBe('success');

    // A wrong resolution.
    await putInStatusConflict(on.test.db, [small[0]!]);
    await other.follow('/review?conflicting=true');
    await other.page.getByRole('link', { name: 'xxxxxx1001' }).click();
    await button(other.page, 'Reverse refund…').click();
    await other.page.getByLabel('Evidence').fill('The provider says so since today');
    await button(other.page, /^Debit ₹10.00 from Developer/).click();
    await other.page
      .getByText(/^Debit ₹10.00 from Developer \d+: approval requested/)
      .first()
      .waitFor();
    await putInStatusConflict(on.test.db, [small[0]!], false);
    await other.end();
  });
});
