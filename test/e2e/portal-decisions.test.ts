import { describe, expect, it } from 'vitest';
import { inReview } from '../orders/order.fixture.js';
import { putInContradiction } from '../support/orders.js';
import { button, heading, heading2, usePortal } from './portal.fixture.js';

const { on, visitor, asStaff } = usePortal();

const stateOf = async (id: string) =>
  (await on.test.db.query<{ state: string }>('select state from orders where id = $1', [id]))[0]!.state;

describe('undecided orders', () => {
  it('are decided alone in a list, and above the limit by two people, each told before the click what happens', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ' });
    const small = [
      await inReview(on.test, developer, { account: '9876511001', rupees: 10 }),
      await inReview(on.test, developer, { account: '9876511002', rupees: 20 }),
    ];
    const great = await inReview(on.test, developer, { account: '9876511003', rupees: 6_000 });

    const { page, go, follow, end, context } = await visitor();
    await asStaff(context);
    await go('/');
    await page.getByRole('navigation').getByRole('link', { name: 'Undecided orders' }).click();
    await heading(page, 'Undecided orders').waitFor();
    await page.getByText('3 orders · ₹6,030.00').waitFor();
    for (const digits of ['1001', '1002']) await page.getByLabel(`Select xxxxxx${digits}`).check();
    await page.getByText('2 selected · ₹30.00').waitFor();
    await button(page, 'Decide…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Not performed').check();
    await dialog.getByText('₹30.00: held money → wallet').waitFor();
    await dialog.getByText('You decide this alone.').waitFor();
    await dialog.getByRole('button', { name: 'Give ₹30.00 back' }).click();
    // how one knows is required
    expect(await dialog.getByRole('button', { name: 'Give ₹30.00 back' }).isVisible()).toBe(true);
    await dialog.getByLabel('How you know').fill('Not in the statement of 25 November');
    await dialog.getByRole('button', { name: 'Give ₹30.00 back' }).click();
    await page.getByText('Give ₹30.00 back: 2 decided').first().waitFor();
    await page.getByText('One order · ₹6,000.00').waitFor();
    expect(await Promise.all(small.map(stateOf))).toEqual(['failed', 'failed']);

    await page.getByRole('link', { name: 'xxxxxx1003' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Handed to a person').waitFor();
    await drawer.getByRole('button', { name: 'Decide…' }).click();
    const decide = page.getByRole('dialog', { name: 'What became of it?' });
    await decide.getByLabel(/^Performed/).check();
    await decide.getByText('₹6,000.00: held money → owed to the provider').waitFor();
    await decide.getByText(/This takes a second person/).waitFor();
    await decide.getByLabel('How you know').fill('In the statement of 25 November, line 17');
    await decide.getByRole('button', { name: 'Make ₹6,000.00 final' }).click();
    await page
      .getByText(/Make ₹6,000.00 final: proposed/)
      .first()
      .waitFor();
    expect(await stateOf(great)).toBe('review');
    await follow('/proposals');
    await page.getByRole('link', { name: 'Decide an order' }).click();
    await page.getByText('You have proposed this.').waitFor();
    expect(await button(page, 'Make the debit of ₹6,000.00 final').count()).toBe(0);
    await end();

    const other = await visitor();
    await asStaff(other.context, 'finance');
    await other.go('/proposals');
    await other.page.getByRole('link', { name: 'Decide an order' }).click();
    await other.page.getByText('In the statement of 25 November, line 17').waitFor();
    await button(other.page, 'Make the debit of ₹6,000.00 final').click();
    await other.page.getByText('Make the debit of ₹6,000.00 final: carried out').first().waitFor();
    await other.page.getByText('No proposal waits.').waitFor();
    expect(await stateOf(great)).toBe('success');

    // a decision that was wrong
    await putInContradiction(on.test.db, [small[0]!]);
    await other.follow('/review?contradicted=true');
    await other.page.getByRole('link', { name: 'xxxxxx1001' }).click();
    await button(other.page, 'Charge again…').click();
    await other.page.getByLabel('How you know').fill('The provider says so since today');
    await button(other.page, /^Charge ₹10.00 to Developer/).click();
    await other.page
      .getByText(/^Charge ₹10.00 to Developer \d+: proposed/)
      .first()
      .waitFor();
    await putInContradiction(on.test.db, [small[0]!], false);
    await other.end();
  });
});

describe('a wallet', () => {
  it('is credited by one person up to a limit, and above it by two', async () => {
    const developer = await on.test.developer({ liveRupees: 100 });
    const [{ name }] = (await on.test.db.query<{ name: string }>('select name from developer where id = $1', [
      developer.id,
    ])) as [{ name: string }];
    const balance = () => on.test.balance(developer, 'production');
    const { page, go, end, context } = await visitor();
    await asStaff(context, 'finance');
    await go(`/developers/dev_${developer.id}`);
    const credit = async (amount: string, reference: string) => {
      await page.getByLabel('Amount in rupees').fill(amount);
      await page.getByLabel('Reference').fill(reference);
      await page.getByLabel('Reason').fill('Transfer of 25 November');
      await button(page, /^Credit ₹/).click();
    };
    await button(page, 'Credit…').click();
    await credit('2,500.50', 'NEFT 25');
    await page.getByText(`Credit ₹2,500.50 to ${name}: done. The wallet holds ₹2,600.50.`).first().waitFor();
    await button(page, 'Credit…').click();
    await credit('60,000', 'neft  25');
    await page.getByText('This reference was used with another amount.').waitFor();
    await page.getByText(/This takes a second person/).waitFor();
    await credit('60,000', 'NEFT 26');
    await page.getByText(`Credit ₹60,000.00 to ${name}: proposed.`).first().waitFor();
    expect(await balance()).toBe(2_600.5);
    await end();

    const other = await visitor(360);
    await asStaff(other.context);
    await other.go('/proposals?action=CREDIT');
    await other.page.getByRole('link', { name: 'Credit', exact: true }).click();
    await button(other.page, `Credit ₹60,000.00 to ${name}`).click();
    await other.page.getByText(`Credit ₹60,000.00 to ${name}: carried out`).first().waitFor();
    expect(await balance()).toBe(62_600.5);
    await other.end();
  });

  it('is no business of support, who sees what waits and cannot decide', async () => {
    const { page, go, follow, end, context } = await visitor();
    await asStaff(context, 'support');
    const { id } = await on.test.developer({ liveRupees: 100 });
    await go(`/developers/dev_${id}`);
    await page.getByText('₹100.00').waitFor();
    expect(await page.getByRole('button', { name: /^(Credit|Debit|Suspend)/ }).count()).toBe(0);
    await follow('/review');
    await page.getByText('Nothing waits for a decision.').waitFor();
    const debit = `mutation { debitWallet(input: { developerId: "${id}", environment: PRODUCTION, amount: 5, reference: "Typo", reason: "Twice" }) { outcome { __typename } } }`;
    await on.call(on.staff.admin, debit);
    await follow('/proposals?action=DEBIT');
    await page.getByRole('link', { name: 'Debit', exact: true }).click();
    await page.getByText('Who decides about it is somebody else.').waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Debit|Refuse|Withdraw)/ })
        .count(),
    ).toBe(0);
    await end();
  });
});

describe('the house', () => {
  it('makes a white label, moves a developer there, and reads in the trail who did it', async () => {
    const { id } = await on.test.developer({ liveRupees: 0 });
    const { page, go, follow, end, context } = await visitor();
    await asStaff(context);
    const dialog = page.getByRole('dialog');
    await go('/white-labels');
    await button(page, 'New white label…').click();
    await dialog.getByLabel('Name').fill('Konkan Resellers');
    await dialog.getByLabel('Recharges by').selectOption('Mokshiq');
    await dialog.getByRole('button', { name: 'Create it' }).click();
    await heading2(page, 'Konkan Resellers').waitFor();
    await button(page, 'Move in…').click();
    await dialog.getByLabel('Name, e-mail or account number').fill(`dev_${id}`);
    await dialog.getByRole('radio').check();
    await dialog.getByRole('button', { name: 'Move it here' }).click();
    await button(page, 'Move out…').waitFor();
    expect(await button(page, 'Disable…').count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Change…').first().click();
    await dialog.getByLabel('Encrypted customer id').fill('customer-of-uat');
    await dialog.getByRole('button', { name: 'Set it in UAT' }).click();
    await page.getByText('customer-of-uat').waitFor();

    await follow(`/audit?subject=dev_${id}&action=DEVELOPER_SET_WHITE_LABEL`);
    await page.getByRole('link', { name: 'An account came under a white label, or left it' }).click();
    await dialog.getByText('White label').first().waitFor();
    expect(await dialog.getByRole('row', { name: /^White label/ }).innerText()).toMatch(/–.*[0-9a-f-]{36}/s);
    await follow('/audit?subject=dev_nobody');
    await page.getByText('RECORD_NOT_FOUND').waitFor();
    await end();
  });
});
