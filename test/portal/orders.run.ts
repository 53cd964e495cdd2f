import { expect, it } from 'vitest';
import { MAX_SCANNED } from '../../src/orders/views/order-list.types.js';
import { button, heading, look, usePortal } from '../e2e/portal.fixture.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { place } from '../support/recharges.js';

const { on, visitor, asStaff } = usePortal();

it('rare matches are found by loading older results on request, over more than one page', async () => {
  const developer = await on.test.developer();
  await place(on.test, developer, { client_request_id: 'rare', amount: 5_100, account_number: '9876512345' });
  await growOrders(on.test.db, MAX_SCANNED.ofAllAccounts);
  await place(on.test, developer, { client_request_id: 'new', amount: 4_000, account_number: '9876567890' });
  const staff = await visitor();
  const { page, go, end, context } = staff;
  await asStaff(context, 'support');
  await go('/orders?environment=PRODUCTION&days=92&min=5000');
  await heading(page, 'Orders').waitFor();
  await page.locator('.empty', { hasText: 'No results so far. Searched back to' }).waitFor();
  await look(staff, 'looked-back');
  await button(page, 'Load older results').click();
  await page.locator('tbody tr', { hasText: 'xxxxxx2345' }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  expect(await page.getByText('Searched back to').count()).toBe(0);
  expect(await button(page, 'Load older results').count()).toBe(0);
  await page.goBack();
  await button(page, 'Load older results').waitFor();
  // A page that is shorter than its limit before the last one, followed by a page without matches.
  await go('/orders?environment=PRODUCTION&days=92&min=4000&max=4000');
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'xxxxxx7890' }).waitFor();
  await page.getByText('Searched back to').waitFor();
  await button(page, 'Next').click();
  await page.getByText('No older results.').waitFor();
  await look(staff, 'nothing-older');
  await button(page, 'Back to newest').click();
  await rows.filter({ hasText: 'xxxxxx7890' }).waitFor();
  await end();
});
