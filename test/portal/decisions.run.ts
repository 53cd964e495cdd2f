import { describe, expect, it } from 'vitest';
import { button, heading2, usePortal } from '../e2e/portal.fixture.js';

const { on, visitor, asStaff } = usePortal();

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
