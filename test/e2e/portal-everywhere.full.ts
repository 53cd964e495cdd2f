import { describe, expect, it } from 'vitest';
import { seed } from '../support/app.js';
import { keepPicture } from '../support/browser.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { button, heading, usePortal } from './portal.fixture.js';

const { on, visitor, asStaff, asDeveloper, approved } = usePortal({ TWO_PEOPLE: 'fees', TWO_PEOPLE_FEE_ABOVE: '10' });

describe('by keyboard only', () => {
  it('staff find an account by a part of its name or by its API key, and open pages', async () => {
    const { page, context, go, end } = await visitor();
    const developer = await approved('Hampi Recharges');
    const { clientId } = await on.test.app.credentials.create(developer, 'uat', 'Till', seed);
    await asStaff(context);
    await go('/');
    await heading(page, 'Work list').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Developers' }).waitFor();
    await page.keyboard.type('ham rech');
    await page.getByRole('option', { name: /Hampi Recharges/ }).waitFor();
    await keepPicture(page, 'palette-1280-light');
    await page.keyboard.press('Enter');
    await heading(page, 'Hampi Recharges').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await heading(page, 'Access').waitFor();
    // In a text field, the same keys are letters.
    await page.keyboard.press('/');
    await page.keyboard.type('gd?');
    const box = page.getByRole('searchbox');
    expect(await box.inputValue()).toBe('gd?');
    await page.keyboard.press('Escape');
    expect([await box.inputValue(), await page.locator('input[type="search"]:focus').count()]).toEqual(['', 1]);
    await page.keyboard.press('Escape');
    expect(await page.locator('input[type="search"]:focus').count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Search on this page').waitFor();
    await keepPicture(page, 'keys-1280-light');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Meta+k');
    // Characters typed before it has the focus go elsewhere.
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type(clientId);
    await page.getByRole('option', { name: new RegExp(`Hampi Recharges.*${clientId}`) }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Hampi Recharges').waitFor();
    await end();
  });

  it('developers find their own orders and pages, and nothing of others', async () => {
    const { page, context, go, end } = await visitor(360);
    const { tokens, id } = await on.test.developer();
    const other = await on.test.developer();
    const body = rechargeBody({ client_request_id: 'palette-order-1' });
    const { data } = (await on.test.rest('uat', 'POST', RECHARGE, tokens.uat, body)).body;
    await on.test.rest('uat', 'POST', RECHARGE, other.tokens.uat, { ...body, client_request_id: 'palette-order-2' });
    await asDeveloper(context, id);
    await go('/');
    await button(page, /Search or go to/).click();
    await page.getByRole('combobox').fill('palette-order-1');
    await page.getByRole('option', { name: new RegExp(`${data.api_request_id}.*₹10.00`) }).waitFor();
    await keepPicture(page, 'palette-360-light');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(data.api_request_id).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, /Search or go to/).click();
    await page.getByRole('combobox').fill('palette-order-2');
    await page.getByText('No results.').waitFor();
    await page.getByRole('combobox').fill('api k');
    await until('the order is the right one', async () => (await page.getByRole('option').count()) === 1);
    await page.keyboard.press('Enter');
    await heading(page, 'API keys').waitFor();
    await end();
  });
});

describe('service access of many developers', () => {
  it('is set in one call and can be undone; a rejected change is reset, and the fee shown is that of the console', async () => {
    const { page, context, go, end } = await visitor();
    const [first, second, third] = [
      await approved('Lotus Shop One'),
      await approved('Lotus Shop Two'),
      await approved('Lotus Shop Three'),
    ] as const;
    await asStaff(context);
    await go('/access?search=Lotus');
    const toggle = (name: string) => page.getByRole('switch', { name: `Leads for Lotus Shop ${name}` });
    const isOn = async () =>
      (
        await on.test.db.query<{ developer_id: string; on: string }>(
          `select developer_id, enabled || ' ' || fee_paise as on from service_access where service = 'lead_generation' and developer_id = any($1)`,
          [[first, second, third]],
        )
      ).map((row) => [row.developer_id, row.on]);
    await page.getByLabel('Select Lotus Shop One').check();
    await page.getByLabel('Select Lotus Shop Three').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('combobox', { name: 'Service' }).selectOption('Leads');
    await button(page, 'Enable').click();
    await page.getByText('Leads enabled for 2 developers').waitFor();
    expect(await toggle('One').getAttribute('aria-checked')).toBe('true');
    expect(await toggle('Two').getAttribute('aria-checked')).toBe('false');
    expect((await isOn()).toSorted()).toEqual(
      [
        [first, 'true 0'],
        [third, 'true 0'],
      ].toSorted(),
    );
    await keepPicture(page, 'access-many-1280-light');
    await button(page, 'Undo').click();
    await page.getByText('2 developers, Leads: change undone').waitFor();
    expect((await isOn()).map(([, text]) => text)).toEqual(['false 0', 'false 0']);

    await page.route('**/graphql', (route) => route.abort());
    await button(page, 'Enable').click();
    await page.getByText('Leads was not changed for 2 developers').first().waitFor();
    expect(await toggle('One').getAttribute('aria-checked')).toBe('false');
    await page.unroute('**/graphql');

    await button(page, /change the fee of Leads for Lotus Shop Two/).click();
    const fee = page.getByLabel('Fee of Leads for Lotus Shop Two, in rupees');
    await fee.fill('none');
    await page.keyboard.press('Enter');
    expect(await fee.getAttribute('aria-invalid')).toBe('true');
    await fee.fill('1.25');
    await page.keyboard.press('Enter');
    await page.getByText('Fee of Leads for Lotus Shop Two: ₹1.25 per call').waitFor();
    expect(await isOn()).toContainEqual([second, 'false 125']);
    // The dialog shows beforehand that a second approver is required.
    await page.getByLabel('Fee in rupees').fill('10.01');
    await page.getByText('A second administrator must approve this fee.').waitFor();
    await button(page, 'Request fee approval').click();
    await page.getByText('2 developers, Leads: pending approval by a second administrator').waitFor();
    expect((await isOn()).map(([, text]) => text).toSorted()).toEqual(['false 0', 'false 0', 'false 125']);
    await page.setViewportSize({ width: 360, height: 800 });
    await keepPicture(page, 'access-many-360-light');
    await end();
  });
});
