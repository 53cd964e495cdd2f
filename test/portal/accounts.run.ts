import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { button, heading, heading2, look, showFactor, usePortal } from '../e2e/portal.fixture.js';
import { seed } from '../support/app.js';
import { closeAccount } from '../support/close-account.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ TWO_PEOPLE: 'provider,fees', TWO_PEOPLE_FEE_ABOVE: '10' });

const accountOf = async (id: string) =>
  (
    await on.test.db.query(
      `select name, rate_limit_per_minute rate, token_idle_days idle, token_max_days most, duplicate_guard_s guard,
         recharge_provider provider from developer where id = $1`,
      [id],
    )
  )[0] as Record<string, unknown> & { name: string };

describe('an account', () => {
  it('gets custom limits and the default ones again, and a new provider with two admins, as shown before the click', async () => {
    const { id } = await on.test.developer({ provider: 'ROUNDPAY' });
    const { name } = await accountOf(id);
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go(`/developers/dev_${id}`);
    const dialog = page.getByRole('dialog');
    const limit = (what: string) => page.getByRole('listitem').filter({ hasText: what });
    await limit('Rate limit').getByText('(default)').waitFor();
    await limit('Rate limit').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Calls per minute').fill('999999999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must be between 1 and/).waitFor();
    await dialog.getByLabel('Calls per minute').fill('1200');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Rate limit').getByText('1,200 calls per minute').waitFor();
    await limit('Token lifetime').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Days without use').fill('2');
    await dialog.getByLabel('Total days').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Token lifetime').getByText('2 days without use, 9 days in total').waitFor();
    await limit('Duplicate guard').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Seconds').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Duplicate guard').getByText('90 seconds').waitFor();
    await look(staff, 'limits');
    expect(await accountOf(id)).toMatchObject({ rate: 1200, idle: 2, most: 9, guard: 90 });

    for (const what of ['Rate limit', 'Token lifetime']) {
      await limit(what).getByRole('button', { name: 'Reset to default…' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await limit(what).getByText('(default)').waitFor();
    }
    await limit('Recharge provider').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByText(/^A second administrator must approve this/).waitFor();
    await dialog.getByLabel('Recharge provider').selectOption('Mokshiq');
    await look(staff, 'provider');
    await dialog.getByRole('button', { name: 'Assign provider' }).click();
    await page.getByText(`Recharge provider of ${name}: pending approval by a second administrator`).first().waitFor();
    expect(await accountOf(id)).toMatchObject({ rate: null, idle: null, most: null, guard: 90, provider: 'ROUNDPAY' });
    await page.getByText('Pending approval:').getByRole('link', { name: 'Change recharge provider' }).waitFor();
    const fee = `mutation { setServiceAccess(input: { developerId: "${id}", service: OPERATOR_FETCH, enabled: true, fee: 20 }) { approvalRequest { id } } }`;
    expect(await on.codes(on.staff.admin, fee)).toEqual([]);
    await go('/approval-requests?action=SET_FEE');
    await page
      .getByRole('row', { name: /Change services of/ })
      .getByRole('link')
      .click();
    await dialog.getByRole('row', { name: /^Operator find, fee/ }).waitFor();
    expect(await dialog.getByRole('row', { name: /^Operator find, fee/ }).innerText()).toMatch(/₹0\.00\s+₹20\.00/);
    expect(await page.locator('body').innerText()).not.toMatch(/operator_fetch|recharge_provider/);
    await look(staff, 'fee-approval-request');
    await go(`/developers/dev_${id}`);

    await button(page, 'Suspend…').first().click();
    await dialog.getByRole('button', { name: /^Suspend/ }).click();
    // The reason is required.
    await dialog.getByLabel('Reason').fill('Its secret stands in a public repository');
    await look(staff, 'suspend-key');
    await dialog.getByRole('button', { name: /^Suspend/ }).click();
    await page.getByText('Its secret stands in a public repository').waitFor();
    const suspended = () =>
      on.test.db.query('select 1 from credential where developer_id = $1 and suspended_at is not null', [id]);
    expect(await suspended()).toHaveLength(1);
    await button(page, 'Reinstate…').click();
    await dialog.getByRole('button', { name: /^Reinstate/ }).click();
    await page
      .getByText(/reinstated/)
      .first()
      .waitFor();
    expect(await suspended()).toEqual([]);
    await end();

    const own = await visitor();
    await asDeveloper(own.context, id);
    await own.go('/services');
    await own.page.getByText('90 seconds').waitFor();
    await button(own.page, 'Change…').click();
    await own.page.getByLabel('Seconds').fill('3601');
    await button(own.page, 'Save').click();
    // The message moves the button, so the next click would miss it.
    await own.page.locator('.field-error', { hasText: '3600' }).waitFor();
    await own.page.getByLabel('Seconds').fill('0');
    await button(own.page, 'Save').click();
    await own.page.getByText('Duplicate guard: Off').first().waitFor();
    await look(own, 'own-guard');
    expect(await accountOf(id)).toMatchObject({ guard: 0 });
    await own.end();
  });

  it('shows the last rejected call next to the switch of its service, to staff and to its users', async () => {
    const { id, tokens } = await on.test.developer({ disabledServices: ['dth_info'] });
    const body = { dth_number: '07210298754', opcode: 'STV', orderid: 'DIN-1' };
    const { headers } = await on.test.rest('uat', 'POST', '/api/v1/plan/dth-info', tokens.uat, body);
    const recorded = () => on.test.db.query('select from rejected_call where developer_id = $1', [id]);
    await until('the rejected call is recorded', async () => (await recorded()).length > 0);
    const line = /^Last rejected call, UAT: ACCESS_DISABLED, POST \/api\/v1\/plan\/dth-info/;
    const staff = await visitor();
    await asStaff(staff.context);
    await staff.go(`/developers/dev_${id}`);
    const access = staff.page.getByRole('listitem').filter({ hasText: 'DTH customer' });
    await access.getByText(line).waitFor();
    await access.getByText(headers.get('x-request-id')!).waitFor();
    await look(staff, 'rejected-call');
    await staff.end();
    const own = await visitor();
    await asDeveloper(own.context, id);
    await own.go('/services');
    await own.page.getByRole('row').filter({ hasText: 'DTH customer' }).getByText(line).waitFor();
    await look(own, 'own-rejected-call');
    await own.end();
  });

  it('that was permanently closed shows this with the date, and only actions for its remaining money', async () => {
    const { id } = await on.test.developer({ liveRupees: 0 });
    const { name } = await accountOf(id);
    await closeAccount(on.test, id);
    const staff = await visitor();
    const { page, go, follow, end } = staff;
    await asStaff(staff.context);
    await go('/developers?suspended=true');
    await page.getByText('No results.').waitFor();
    await button(page, 'Closed').click();
    await page.waitForURL(/closed=true/);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Closed\s+\d+ \w{3}, [\d:]{8}/);
    await look(staff, 'closed-list');
    await row.getByRole('link').click();
    await page.getByText('This account is permanently closed').waitFor();
    await page.getByText('Requested by letter').waitFor();
    await page.getByText('(default)').first().waitFor();
    const buttons = await page.locator('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== 'Show API calls')).toEqual(['Debit…', 'Add note']);
    expect(await page.locator('main').getByRole('switch', { disabled: false }).count()).toBe(0);
    await look(staff, 'closed');
    await follow(`/team?developer=dev_${id}`);
    await heading(page, new RegExp(name)).waitFor();
    expect(await button(page, 'Invite user').count()).toBe(0);
    await end();
  });

  it('shows its limits without buttons to a read-only user', async () => {
    const { id } = await on.test.developer();
    const { page, go, end, context } = await visitor(360);
    await asStaff(context, 'support');
    await go(`/developers/dev_${id}`);
    await page.getByText('(default)').first().waitFor();
    expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    await end();
  });
});

describe('a white label', () => {
  it('gets a new provider with two admins, as shown before the click', async () => {
    await on.test.app.whiteLabels.create('Malabar Resellers', 'ROUNDPAY', seed);
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    await go('/white-labels');
    const card = page.locator('.card', { hasText: 'Malabar Resellers' });
    await card.getByRole('button', { name: 'Change provider…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^A second administrator must approve this/)
      .waitFor();
    await end();
  });

  it('that is disabled is enabled with a reason, and a move shows the resulting provider and its approver before the click', async () => {
    const { whiteLabels } = on.test.app;
    const label = await whiteLabels.create('Konkan Resellers', 'MOKSHIQ', seed);
    await whiteLabels.disable(label.id, 'Left us', seed);
    const [stays, moves] = [await on.test.developer(), await on.test.developer()];
    await on.test.db.query('update developer set white_label_id = $2 where id = $1', [stays.id, label.id]);
    const labelOf = async (id: string) =>
      (await on.test.db.query('select white_label_id label from developer where id = $1', [id]))[0]!.label;
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go('/white-labels');
    const card = page.locator('.card', { hasText: 'Konkan Resellers' });
    const dialog = page.getByRole('dialog');
    await card.getByRole('button', { name: 'Enable…' }).click();
    await dialog.getByText('No second approver is required.').waitFor();
    await dialog.getByLabel('Reason').fill('Came back');
    await look(staff, 'label-enable');
    await dialog.getByRole('button', { name: 'Enable Konkan Resellers' }).click();
    await card.getByRole('button', { name: 'Add developer…' }).click();
    expect(
      await on.test.db.query('select disabled_at from white_label where id = $1 and disabled_at is null', [label.id]),
    ).toHaveLength(1);
    await dialog.getByLabel('Name, email or account number').fill(`dev_${moves.id}`);
    await dialog.getByRole('radio').check();
    await dialog
      .getByText('The recharge provider changes to Mokshiq. A second administrator must approve this')
      .waitFor();
    await look(staff, 'label-move-in');
    await dialog.getByRole('button', { name: 'Add developer' }).click();
    await page.getByText('pending approval by a second administrator').first().waitFor();
    const other = await visitor();
    await asStaff(other.context);
    await other.go('/approval-requests?action=ASSIGN_PROVIDER');
    const { name } = await accountOf(moves.id);
    await other.page.getByRole('row', { name: `Move ${name} to Konkan Resellers` }).waitFor();
    await other.end();
    await card.getByRole('button', { name: 'Remove…' }).click();
    await dialog
      .getByText('The recharge provider changes to RoundPay. A second administrator must approve this')
      .waitFor();
    await look(staff, 'label-move-out');
    // The message of the previous move.
    await page.getByText('pending approval by a second administrator').waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('pending approval by a second administrator').waitFor();
    expect([await labelOf(stays.id), await labelOf(moves.id)]).toEqual([label.id, null]);
    await end();
  });
});

describe('test funds', () => {
  it('are debited by one admin, a success is reversed, and all actions are exported to a file', async () => {
    const developer = await on.test.developer();
    const sent = await place(on.test, developer, { client_request_id: 'to take back', amount: 11 }, 'uat');
    const balance = await on.test.balance(developer, 'uat');
    const [{ id }] = (await on.test.db.query('select id from orders where developer_id = $1', [developer.id])) as [
      { id: string },
    ];
    expect(sent.status).toBe(200);
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    const dialog = page.getByRole('dialog');
    await go(`/developers/dev_${developer.id}`);
    // A message that stays covers no dialog, even with little space.
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON().operationName === 'SetAccess' ? route.abort() : route.fallback(),
    );
    await page.getByRole('switch').first().click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    await page.setViewportSize({ width: 360, height: 480 });
    await button(page, 'Debit…').press('Enter');
    await until('the dialog starts below the message', async () => {
      const [above, below] = await Promise.all([toast.boundingBox(), page.locator('.window').boundingBox()]);
      return above!.y + above!.height <= below!.y;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await toast.locator('.icon-button').click();
    await dialog.getByRole('radio', { name: 'UAT' }).check();
    await dialog.getByLabel('Amount in rupees').fill('5');
    await dialog.getByLabel('Reference').fill('Credited twice');
    await dialog.getByLabel('Reason').fill('A typo');
    await dialog.getByRole('button', { name: /^Debit ₹5.00 from/ }).click();
    await page.locator('.toast', { hasText: '₹1,99,984.00' }).waitFor();
    expect(await on.test.balance(developer, 'uat')).toBe(balance - 5);
    await go(`/orders?environment=UAT&order=ord_${id}`);
    await button(page, 'Reverse…').click();
    await dialog.getByLabel('Evidence').fill('Their number got nothing');
    await dialog.getByRole('button', { name: /^Refund ₹11.00 to/ }).click();
    await page.locator('.drawer .badge', { hasText: 'Reversed' }).waitFor();
    await page.getByText(/^Support determined that the payment was not completed/).waitFor();
    expect(await on.test.balance(developer, 'uat')).toBe(balance - 5 + 11);
    const reversed = 'select id from orders where id = $1 and reversed_at is not null';
    expect(await on.test.db.query(reversed, [id])).toHaveLength(1);

    await go('/audit');
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download JSON Lines' }).click();
    const lines = (await readFile((await (await file).path())!, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ subject }) => String(subject).includes(developer.id)).length).toBeGreaterThan(1);
    await end();
  });
});

describe('accounts', () => {
  it('are found by provider, service and wallet balance, sorted as needed', async () => {
    const poor = await on.test.developer({ provider: 'MOKSHIQ', liveRupees: 5, disabledServices: ['dth_info'] });
    const rich = await on.test.developer({ provider: 'ROUNDPAY', liveRupees: 5_000 });
    const names = await Promise.all([poor, rich].map(async ({ id }) => (await accountOf(id)).name));
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context, 'finance');
    await go('/developers?live=true');
    const shown = page.locator('tbody .name-cell a');
    const shows = async (what: string, fits: (all: string[]) => boolean) =>
      until(what, async () => fits(await shown.allInnerTexts()));
    await page.getByLabel('Sort by', { exact: true }).selectOption('Lowest Production balance first');
    await shows(
      'the account with the lower balance comes first',
      (all) => all.indexOf(names[0]!) < all.indexOf(names[1]!),
    );
    await page.getByLabel('Production balance below (₹)').fill('10');
    await page.keyboard.press('Enter');
    await shows(
      'the account with the higher balance is gone',
      (all) => all.includes(names[0]!) && !all.includes(names[1]!),
    );
    await look(staff, 'developers-sifted');
    await page.getByLabel('Enabled service').selectOption('DTH customer');
    await shows('the account without the service is gone', (all) => !all.includes(names[0]!));
    await go('/developers?live=true&provider=MOKSHIQ');
    await shows('only accounts of one provider are left', (all) => all.includes(names[0]!) && !all.includes(names[1]!));
    const box = page.getByRole('searchbox');
    await box.fill('nobody is called so');
    await page.getByText('No results.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await shows('all accounts are listed', (all) => all.includes(names[0]!) && all.includes(names[1]!));
    expect(await box.inputValue()).toBe('');
    // The access page has its own sort order.
    await go('/access?sort=PRODUCTION_BALANCE_ASC');
    await page.getByText(names[1]!).first().waitFor();
    await end();
  });
});

describe('an account approval', () => {
  it('shows the fee above which a second admin is required', async () => {
    const { page, context, go, end } = await visitor();
    const id = await on.applicant('Coorg Recharges');
    await asStaff(context);
    await go(`/kyc/accounts/dev_${id}`);
    await button(page, 'Approve').click();
    await page
      .getByRole('dialog')
      .getByText('A fee above ₹10.00 requires the approval of a second administrator')
      .waitFor();
    await end();
  });
});

describe('a change of an account, long after the administrator verified the second factor', () => {
  it('is completed after the second factor is verified (fee and rate limit); a switch and Undo do not require this', async () => {
    const { page, context, go, end } = await visitor();
    const id = await on.applicant('Konkan Recharges');
    await on.test.app.developers.change('approveDeveloper', { developerId: id }, seed);
    const { secret, later } = await asStaff(context);
    const fees = () =>
      on.test.db.query(
        `select enabled, fee_paise::int as fee from service_access where developer_id = $1 and service = 'lead_generation'`,
        [id],
      );
    await later();
    await go('/access?search=Konkan');
    await page.getByRole('switch', { name: 'Leads for Konkan Recharges' }).click();
    await page.getByText('Leads enabled for Konkan Recharges').waitFor();
    await button(page, /change the fee of Leads for Konkan Recharges/).click();
    const fee = page.getByLabel('Fee of Leads for Konkan Recharges, in rupees');
    await fee.fill('1.25');
    await page.keyboard.press('Enter');
    await heading2(page, 'Verify your second factor').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Konkan Recharges: Leads still costs').first().waitFor();
    expect([await fee.inputValue(), await fees()]).toEqual(['1.25', [{ enabled: true, fee: 0 }]]);
    await fee.press('Enter');
    await showFactor(page, secret);
    await page.getByText('Fee of Leads for Konkan Recharges: ₹1.25 per call').waitFor();
    expect(await fees()).toEqual([{ enabled: true, fee: 125 }]);
    await later();
    await button(page, 'Undo').first().click();
    await page.getByText('Konkan Recharges, Leads: change undone').waitFor();
    expect(await fees()).toEqual([{ enabled: true, fee: 0 }]);

    await go(`/developers/dev_${id}`);
    const row = (name: string) => page.locator('li', { hasText: name });
    await row('Rate limit').getByRole('button', { name: 'Change…' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/minute/)
      .fill('123');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await showFactor(page, secret);
    await row('Rate limit').getByText('123').waitFor();
    await end();
  });
});
