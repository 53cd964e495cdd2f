import { describe, expect, it } from 'vitest';
import { inReview } from '../orders/order.fixture.js';
import { seed } from '../support/app.js';
import { keepPicture } from '../support/browser.js';
import { close } from '../support/closed.js';
import { button, heading, STAFF_PASSWORD, usePortal, type Visitor } from './portal.fixture.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ TWO_PEOPLE: 'provider' });

/** At both widths and in both schemes; nothing is wider than the screen. */
async function look({ page }: Visitor, name: string): Promise<void> {
  for (const width of [360, 1280])
    for (const colorScheme of process.env.SCREENSHOTS ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
}

const accountOf = async (id: string) =>
  (
    await on.test.db.query(
      `select name, rate_limit_per_minute rate, token_idle_days idle, token_max_days most, duplicate_guard_s guard,
         recharge_provider provider from developer where id = $1`,
      [id],
    )
  )[0] as Record<string, unknown> & { name: string };

describe('an account', () => {
  it('gets limits of its own and the usual ones again, and another provider by two people, which is said first', async () => {
    const { id } = await on.test.developer({ provider: 'ROUNDPAY' });
    const { name } = await accountOf(id);
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go(`/developers/dev_${id}`);
    const dialog = page.getByRole('dialog');
    const limit = (what: string) => page.getByRole('listitem').filter({ hasText: what });
    await limit('Rate limit').getByText('(usual)').waitFor();
    await limit('Rate limit').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Calls a minute').fill('999999999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must be between 1 and/).waitFor();
    await dialog.getByLabel('Calls a minute').fill('1200');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Rate limit').getByText('1200 a minute').waitFor();
    await limit('Life of tokens').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Days without use').fill('2');
    await dialog.getByLabel('Days in all').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Life of tokens').getByText('2 days unused, 9 in all').waitFor();
    await limit('Guard against').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Seconds').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Guard against').getByText('90 seconds').waitFor();
    await look(staff, 'limits');
    expect(await accountOf(id)).toMatchObject({ rate: 1200, idle: 2, most: 9, guard: 90 });

    for (const what of ['Rate limit', 'Life of tokens']) {
      await limit(what).getByRole('button', { name: 'As usual…' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await limit(what).getByText('(usual)').waitFor();
    }
    await limit('Recharge provider').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByText(/^This takes a second admin/).waitFor();
    await dialog.getByLabel('Recharges by').selectOption('Mokshiq');
    await look(staff, 'provider');
    await dialog.getByRole('button', { name: 'Assign it' }).click();
    await page.getByText(`Recharge provider of ${name}: this waits for a second admin`).first().waitFor();
    expect(await accountOf(id)).toMatchObject({ rate: null, idle: null, most: null, guard: 90, provider: 'ROUNDPAY' });

    await button(page, 'Suspend…').first().click();
    await dialog.getByRole('button', { name: /^Suspend/ }).click();
    // why is required
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
      .getByText(/works again/)
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
    // it moves the button, which would slip away under the next click
    await own.page.locator('.field-error', { hasText: '3600' }).waitFor();
    await own.page.getByLabel('Seconds').fill('0');
    await button(own.page, 'Save').click();
    await own.page.getByText('Guard against duplicates: Off').first().waitFor();
    await look(own, 'own-guard');
    expect(await accountOf(id)).toMatchObject({ guard: 0 });
    await own.end();
  });

  it('that was closed for good says so and when, and has no button but for what is left of its money', async () => {
    const { id } = await on.test.developer({ liveRupees: 0 });
    const { name } = await accountOf(id);
    await close(on.test, id);
    const staff = await visitor();
    const { page, go, follow, end } = staff;
    await asStaff(staff.context);
    await go('/developers?suspended=true');
    await page.getByText('No developer matches.').waitFor();
    await button(page, 'Closed').click();
    await page.waitForURL(/closed=true/);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Closed\s+\d+ \w{3}, [\d:]{8}/);
    await look(staff, 'closed-list');
    await row.getByRole('link').click();
    await page.getByText('This account is closed for good').waitFor();
    await page.getByText('Asked for by letter').waitFor();
    await page.getByText('(usual)').first().waitFor();
    const buttons = await page.locator('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== 'Show the call')).toEqual(['Debit…', 'Add note']);
    expect(await page.locator('main').getByRole('switch', { disabled: false }).count()).toBe(0);
    await look(staff, 'closed');
    await follow(`/team?developer=dev_${id}`);
    await heading(page, new RegExp(name)).waitFor();
    expect(await button(page, 'Invite').count()).toBe(0);
    await end();
  });

  it('shows its limits to who only reads, and no button', async () => {
    const { id } = await on.test.developer();
    const { page, go, end, context } = await visitor(360);
    await asStaff(context, 'support');
    await go(`/developers/dev_${id}`);
    await page.getByText('(usual)').first().waitFor();
    expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    await end();
  });
});

describe('a white label', () => {
  it('gets another provider by two people, which is said before the click', async () => {
    await on.test.app.whiteLabels.create('Malabar Resellers', 'ROUNDPAY', seed);
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    await go('/white-labels');
    const card = page.locator('.card', { hasText: 'Malabar Resellers' });
    await card.getByRole('button', { name: 'Provider…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^This takes a second admin/)
      .waitFor();
    await end();
  });
});

describe('one’s own profile', () => {
  it('has another name and number at once, and another address once its mail is opened', async () => {
    const staff = await visitor();
    const { page, go, end, context } = staff;
    const { email } = await asStaff(context, 'support');
    await go('/security');
    await page.getByLabel('Mobile number').fill('12');
    await button(page, 'Save').click();
    await page
      .getByText(/mobile number/i)
      .last()
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Meera Iyer');
    await page.getByLabel('Mobile number').fill('9812345678');
    await button(page, 'Save').click();
    await page.getByText('Your name and number are saved').first().waitFor();
    await button(page, 'Change…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New e-mail address').fill(`new-${email}`);
    await dialog.getByLabel('Current password').fill('not my password');
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog
      .getByText(/wrong|password/i)
      .last()
      .waitFor();
    await dialog.getByLabel('Current password').fill(STAFF_PASSWORD);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('The link is on its way.').first().waitFor();
    await page.getByText(email, { exact: true }).first().waitFor();
    await look(staff, 'profile');
    await go('/security');
    await page.getByLabel('Mobile number').waitFor();
    expect(await page.getByLabel('Mobile number').inputValue()).toBe('9812345678');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meera Iyer');
    await end();
  });
});

describe('undecided orders', () => {
  it('are asked about together, and each one says whether that was possible', async () => {
    const developer = await on.test.developer();
    const orders = [
      await inReview(on.test, developer, { account: '9876511001' }),
      await inReview(on.test, developer, { account: '9876511002' }),
    ];
    // the other one's provider knows no such question
    await on.test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [orders[0]]);
    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context, 'finance');
    await go('/review');
    await heading(page, 'Undecided orders').waitFor();
    for (const digits of ['1001', '1002']) await page.getByLabel(`Select xxxxxx${digits}`).check();
    await look(staff, 'selected');
    await button(page, 'Ask the providers').click();
    const line = (digits: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: digits });
    await line('xxxxxx1001').getByText('is asked now').waitFor();
    await line('xxxxxx1002').getByText('cannot be asked about').waitFor();
    await look(staff, 'asked');
    await end();
  });
});
