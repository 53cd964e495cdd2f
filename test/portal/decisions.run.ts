import { describe, expect, it } from 'vitest';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { paise } from '../../src/core/money.js';
import { keepRun } from '../../src/reconcile/statement-run.js';
import { button, heading2, look, usePortal } from '../e2e/portal.fixture.js';
import { correctionsOf, requestCorrection } from '../ledger/corrected-wallet.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const { on, visitor, staffMember, asStaff } = usePortal();

describe('a wallet', () => {
  it('is credited by one admin up to a limit, and above it by two', async () => {
    const developer = await on.test.developer({ liveRupees: 100 });
    const [{ name }] = (await on.test.db.query<{ name: string }>('select name from developer where id = $1', [
      developer.id,
    ])) as [{ name: string }];
    const balance = () => on.test.balance(developer, 'production');
    const { page, go, end, context } = await visitor();
    await asStaff(context, 'finance');
    await go(`/developers/dev_${developer.id}`);
    const credit = async (amount: string, reference: string, utr: string) => {
      await page.getByLabel('Amount in rupees').fill(amount);
      await page.getByLabel('Reference').fill(reference);
      await page.getByLabel('Bank transfer number (UTR)').fill(utr);
      const reason = page.getByLabel('Reason');
      if (await reason.isVisible()) await reason.fill('Transfer of 25 November');
      await button(page, /^Credit ₹/).click();
    };
    await button(page, 'Credit…').click();
    // A credit without a UTR requires a second admin.
    await page.getByLabel('Amount in rupees').fill('2,500.50');
    await page.getByText(/A second approver is required/).waitFor();
    await page.getByLabel('Reference').fill('hdfc n5 2026 1125 25');
    await page.getByText(/A second approver is required/).waitFor({ state: 'detached' });
    await credit('2,500.50', 'NEFT 25', 'HDFCN52026112525');
    await page.getByText(`Credit ₹2,500.50 to ${name}: done. New balance: ₹2,600.50.`).first().waitFor();
    await button(page, 'Credit…').click();
    await credit('60,000', 'neft  25', 'HDFCN52026112525');
    await page.getByText('This reference was already used with a different amount.').waitFor();
    await page.getByText(/A second approver is required/).waitFor();
    await credit('60,000', 'NEFT 26', 'HDFCN52026112526');
    await page.getByText(`Credit ₹60,000.00 to ${name}: approval requested.`).first().waitFor();
    expect(await balance()).toBe(2_600.5);
    await end();

    const other = await visitor(360);
    await asStaff(other.context);
    await other.go('/approval-requests?action=CREDIT');
    await other.page.getByRole('link', { name: 'Credit a wallet', exact: true }).click();
    const drawer = other.page.getByRole('dialog');
    const fact = (of: string) => drawer.locator('dt', { hasText: of }).locator('xpath=following-sibling::dd[1]');
    await fact('UTR').getByText('HDFCN52026112526').waitFor();
    expect(await fact('Balance at request').innerText()).toBe('₹2,600.50');
    expect(await fact('Balance if approved now').innerText()).toBe('₹2,600.50 → ₹62,600.50');
    await drawer.getByText('No earlier approval requests for this order or account.').waitFor();
    await look(other, 'credit-to-approve');
    await button(other.page, `Credit ₹60,000.00 to ${name}`).click();
    await other.page.getByText(`Credit ₹60,000.00 to ${name}: approved`).first().waitFor();
    expect(await balance()).toBe(62_600.5);
    await other.end();
  });

  it('is read-only for support, who see pending requests and cannot resolve them', async () => {
    const { page, go, follow, end, context } = await visitor();
    await asStaff(context, 'support');
    const { id } = await on.test.developer({ liveRupees: 100 });
    await go(`/developers/dev_${id}`);
    await page.getByText('₹100.00').waitFor();
    expect(await page.getByRole('button', { name: /^(Credit|Debit|Suspend)/ }).count()).toBe(0);
    await follow('/review');
    await page.getByText('No orders need review.').waitFor();
    const debit = `mutation { debitWallet(input: { developerId: "${id}", environment: PRODUCTION, amount: 5, reference: "Typo", reason: "Twice" }) { outcome { __typename } } }`;
    await on.call(on.staff.admin, debit);
    await follow('/approval-requests?action=DEBIT');
    await page.getByRole('link', { name: 'Debit a wallet', exact: true }).click();
    await page.getByText('Another user must resolve this approval request.').waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Debit|Reject|Withdraw)/ })
        .count(),
    ).toBe(0);
    await end();
  });
});

describe('a wallet whose balance changed without a transfer', () => {
  it('is shown to the second admin with both balances, and is approved without being posted', async () => {
    const developer = await on.test.developer({ liveRupees: 100 });
    const [{ name }] = (await on.test.db.query<{ name: string }>('select name from developer where id = $1', [
      developer.id,
    ])) as [{ name: string }];
    await on.test.db.query(
      `update wallet set balance_paise = balance_paise + 2500 where developer_id = $1 and environment = 'production'`,
      [developer.id],
    );
    const { email } = await staffMember('finance');
    const { approvalRequest } = await requestCorrection(on.test.app, developer.id, email, 'Changed by hand on 3 March');
    const { page, go, end, context } = await visitor(360);
    await asStaff(context);
    await go('/approval-requests?action=CORRECT_WALLET');
    await page.getByRole('link', { name: 'Correct a balance' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Approval does not post the correction.').waitFor();
    const shown = await dialog.locator('dl.facts').innerText();
    expect(shown.replace(/\s+/g, ' ')).toContain(
      'First incorrect version 2 Entries with an incorrect balance 0 Stored balance ₹125.00 Sum of the transfers ₹100.00 Correction −₹25.00 Reason Changed by hand on 3 March',
    );
    await button(page, `Correct the balance of ${name} by −₹25.00`).click();
    await page.getByText(`Correct the balance of ${name} by −₹25.00: approved`).first().waitFor();
    expect(await on.test.balance(developer, 'production')).toBe(125);
    const corrections = correctionsOf({ db: on.test.db, pool: on.test.app.pool });
    expect((await corrections.post(approvalRequest!.id)).outcome).toBe('posted');
    await corrections.close();
    expect(await on.test.balance(developer, 'production')).toBe(100);
    await go('/approval-requests?action=CORRECT_WALLET&state=APPROVED');
    await page.getByRole('link', { name: 'Correct a balance' }).click();
    await dialog.getByText('Posted', { exact: true }).waitFor();
    await end();
  });
});

describe('orders that a provider statement can resolve', () => {
  it('show the second admin the statement line of each and a link to it before approval', async () => {
    const developer = await on.test.developer({ provider: 'MOKSHIQ', liveRupees: 100 });
    const [performed, not] = [
      await inReview(on.test, developer, { account: '9876512001', rupees: 30 }),
      await inReview(on.test, developer, { account: '9876512002', rupees: 20 }),
    ];
    const { email } = await staffMember('finance');
    const at = new Date('2026-11-24T10:00:00+05:30');
    const lineOf = (line: number, status: 'succeeded' | 'failed', rupees: number) =>
      ({
        line,
        reference: `BK${line}`,
        status,
        at,
        amountPaise: paise(rupees * 100),
        accountHash: Buffer.alloc(0),
      }) as never;
    const decided = [
      { order: { id: performed } as never, outcome: 'success', line: lineOf(17, 'succeeded', 30) },
      { order: { id: not } as never, outcome: 'failed', line: lineOf(18, 'failed', 20) },
    ] as const;
    const run = {
      provider: 'MOKSHIQ',
      fileHash: Buffer.alloc(32, 7),
      period: { from: at, to: new Date(at.getTime() + 86_400_000) },
      comparison: { orders: 2, lines: 2, matched: 2, matchedOrders: new Map(), differences: [] },
      decided,
    };
    const { pool, orm, audit } = on.test.app;
    await keepRun(run, email, { orm, audit, approvalRequests: new ApprovalRequestStore(pool) });

    const second = await visitor();
    const { page, go, end, context } = second;
    await asStaff(context);
    await go('/approval-requests?action=RESOLVE_MANY');
    await page.getByRole('link', { name: 'Resolve a list of orders' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Make the debit of ₹30.00 final').waitFor();
    expect(await drawer.innerText()).toMatch(
      /₹30\.00 final.*Line 17 of the provider’s statement: succeeded, ₹30\.00, 24 Nov.*reference BK17.*Refund ₹20\.00.*Line 18 of the provider’s statement: failed, ₹20\.00/s,
    );
    await look(second, 'list-of-a-statement');
    await drawer.getByRole('link', { name: `ord_${not}` }).click();
    await page.getByRole('dialog').getByText('Manual review started').waitFor();
    expect(new URL(page.url()).pathname).toBe('/orders');
    await page.goBack();
    await button(page, 'Resolve 2 orders (₹50.00)').click();
    await page.getByText('Resolve 2 orders (₹50.00): 2 resolved').first().waitFor();
    const states = await on.test.db.query<{ state: string }>(
      'select state from orders where id = any($1) order by amount_paise desc',
      [[performed, not]],
    );
    expect(states.map(({ state }) => state)).toEqual(['success', 'failed']);
    await end();
  });
});

describe('a pending approval request', () => {
  it('is shown at its order, prevents a second one, and shows the reason of its withdrawal or rejection', async () => {
    const developer = await on.test.developer({ liveRupees: 100 });
    await place(on.test, developer, { client_request_id: 'taken back', account_number: '9876512003' });
    const [{ id }] = (await on.test.db.query<{ id: string }>('select id from orders where developer_id = $1', [
      developer.id,
    ])) as [{ id: string }];
    const first = await visitor();
    const { page, go, end, context } = first;
    await asStaff(context, 'finance');
    const reverse = async (text: string): Promise<void> => {
      await go(`/orders?order=ord_${id}`);
      await button(page, 'Reverse…').click();
      await page.getByLabel('Evidence').fill(text);
      await button(page, /^Refund ₹10.00 to/).click();
    };
    await reverse('Their number got nothing');
    await page
      .getByText(/^Refund ₹10.00 to .*: approval requested/)
      .first()
      .waitFor();
    const waiting = page.getByRole('link', { name: 'Reverse an order' });
    await waiting.waitFor();
    await look(first, 'order-waits');
    await reverse('A second time');
    await page
      .getByText(/an approval request is already pending. Your input was not added to it/)
      .first()
      .waitFor();
    await go(`/developers/dev_${developer.id}`);
    await waiting.waitFor();
    await look(first, 'developer-waits');
    await waiting.click();
    await button(page, 'Withdraw…').click();
    await page.getByLabel('Reason').fill('It was the other number');
    await button(page, 'Withdraw').click();
    await page
      .getByText(/: withdrawn\. Nothing was changed/)
      .first()
      .waitFor();
    await reverse('Now it is this one');
    await page
      .getByText(/: approval requested/)
      .first()
      .waitFor();
    await go('/approval-requests?action=REVERSE&state=REJECTED');
    await page
      .getByRole('row', { name: /Withdrawn/ })
      .getByRole('link')
      .click();
    await page.getByRole('dialog').getByText('It was the other number').waitFor();
    await look(first, 'withdrawn');

    const other = await visitor();
    const drawer = other.page.getByRole('dialog');
    await asStaff(other.context);
    await other.go('/approval-requests?action=REVERSE');
    await other.page.getByRole('link', { name: 'Reverse an order' }).click();
    // Outcome of the earlier request, with the reason.
    await drawer.getByRole('link', { name: /^Reverse the payment of ₹10.00 for/ }).waitFor();
    await drawer.getByText('It was the other number').waitFor();
    expect(await drawer.locator('.list').getByText('Withdrawn').count()).toBe(1);
    await look(other, 'reversal-to-approve');
    await button(other.page, /^Reverse the payment of ₹10.00 for/).click();
    await other.page
      .getByText(/: approved/)
      .first()
      .waitFor();
    await other.go(`/orders?order=ord_${id}`);
    await drawer.getByText(/^Support determined that the payment was not completed/).waitFor();
    await drawer.getByText('Resolved by Meera Rao').waitFor();
    await look(other, 'reversed-by-person');
    await drawer.getByRole('link', { name: 'Order reversed' }).click();
    await other.page.getByRole('dialog').getByText('Now it is this one').first().waitFor();
    await other.end();
    await end();
  });

  it('about an order in review shows the reference of the service only if the provider knows one', async () => {
    const mokshiq = await on.test.developer({ provider: 'MOKSHIQ', liveRupees: 100 });
    const there = [
      [await inReview(on.test, mokshiq, { account: '9876512004' }), 'Request ID'],
      [await inReview(on.test, mokshiq, { account: '9876512005' }), 'Our reference at the provider'],
    ] as const;
    await on.test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [there[1][0]]);
    const { page, go, end, context } = await visitor();
    await asStaff(context, 'finance');
    for (const [id, name] of there) {
      await go(`/review?order=ord_${id}`);
      const drawer = page.getByRole('dialog');
      await drawer.getByText('Manual review started').waitFor();
      const names = await drawer.locator('dt').allInnerTexts();
      expect(names.filter((one) => /Request id|reference/i.test(one))).toEqual([name]);
    }
    await end();
  });
});

describe('a new white label', () => {
  it('is created, gets a developer, and is in the audit log with its author', async () => {
    const { id } = await on.test.developer({ liveRupees: 0 });
    const seen = await visitor();
    const { page, go, follow, end, context } = seen;
    await asStaff(context);
    const dialog = page.getByRole('dialog');
    await go('/white-labels');
    await button(page, 'Create white label…').click();
    await dialog.getByLabel('Name').fill('Konkan Resellers');
    await dialog.getByLabel('Recharge provider').selectOption('Mokshiq');
    await dialog.getByRole('button', { name: 'Create white label' }).click();
    await heading2(page, 'Konkan Resellers').waitFor();
    await button(page, 'Add developer…').click();
    await dialog.getByLabel('Name, email or account number').fill(`dev_${id}`);
    await dialog.getByRole('radio').check();
    await dialog.getByRole('button', { name: 'Add developer' }).click();
    await button(page, 'Remove…').waitFor();
    const [label] = await on.test.db.query<{ id: string }>(
      `select id from white_label where name = 'Konkan Resellers'`,
    );
    await on.test.db.query(
      `insert into developer (name, email, white_label_id) select 'Shop ' || n, 'shop-' || n || '@konkan.example', $1 from generate_series(1, 200) n`,
      [label!.id],
    );
    await go('/white-labels');
    await page.getByText('200 of 201').waitFor();
    await button(page, 'Show more developers').click();
    await until('all entries are shown', async () => (await button(page, 'Remove…').count()) === 201);
    await on.test.db.query(`delete from developer where email like '%@konkan.example'`);
    expect(await button(page, 'Disable…').count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Change…').first().click();
    await dialog.getByLabel('Encrypted customer ID').fill('not a real id!!');
    await dialog.getByRole('button', { name: 'Set for UAT' }).click();
    await dialog.getByText(/^Must be an encrypted customer ID/).waitFor();
    await dialog.getByLabel('Encrypted customer ID').fill('customer-of-uat');
    await dialog.getByRole('button', { name: 'Set for UAT' }).click();
    await page.getByText('customer-of-uat').waitFor();
    const limits = page.locator('section', { has: heading2(page, 'Service limits') });
    expect(await limits.innerText()).toMatch(
      /10,000 calls per minute.*Second approver required above ₹50,000\.00 per credit, or above ₹/s,
    );

    await follow(`/audit?subject=dev_${id}&action=DEVELOPER_SET_WHITE_LABEL`);
    await page.getByRole('link', { name: /^White label changed/ }).waitFor();
    await follow('/audit');
    await page.getByRole('link', { name: /^White label created: name Konkan Resellers/ }).waitFor();
    await look(seen, 'audit');
    await page.getByRole('link', { name: /^White label changed/ }).click();
    await dialog.getByText('White label').first().waitFor();
    expect(await dialog.getByRole('row', { name: /^White label/ }).innerText()).toMatch(/–.*[0-9a-f-]{36}/s);
    await follow('/audit?subject=dev_nobody');
    await page.getByText('RECORD_NOT_FOUND').waitFor();
    await end();
  });
});
