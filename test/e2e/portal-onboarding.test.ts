import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { documentOf, kyc, PASSWORD } from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { until } from '../support/until.js';
import { button, heading, heading2, look, signIn, usePortal } from './portal.fixture.js';

const { on, visitor, asStaff } = usePortal();

/** A PNG of one pixel, which a browser really shows. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.getByLabel('Choose files', { exact: true }).and(page.locator('input')).setInputFiles(files);

describe('onboarding', () => {
  it('keeps what is typed and uploaded over a reload, hands it in, and goes on from what is to be mended to live access', async () => {
    const email = 'owner@onboarding.example';
    const { developerId } = await on.verified(email);
    const seen = await visitor(360);
    const { page, go, end } = seen;
    await go('/onboarding');
    await signIn(page, email, PASSWORD);
    await heading(page, 'Onboarding').waitFor();
    await page.getByLabel('Legal name').fill(kyc.legalName);
    await page.getByLabel('PAN', { exact: true }).fill('abcpv');
    await page.getByText('Your draft is saved').waitFor();
    // one of them is no PDF: it says so at its row, and can be taken away
    await choose(
      page,
      file('pan.pdf', 'application/pdf', documentOf().content),
      file('no.pdf', 'application/pdf', PIXEL),
    );
    await page.getByText('Must be what its Content-Type says').waitFor();
    await page.getByRole('button', { name: 'Remove pan.pdf' }).waitFor();
    await look(seen, 'onboarding-form');
    await page.getByRole('button', { name: 'Remove no.pdf' }).click();
    await page.reload();
    expect(await page.getByLabel('Legal name').inputValue()).toBe(kyc.legalName);
    expect(await page.getByLabel('PAN', { exact: true }).inputValue()).toBe('abcpv');
    // an answer that comes late would show the list without what is uploaded meanwhile
    const order: string[] = [];
    await page.route('**/kyc/documents', (route) => {
      order.push('upload');
      return route.continue();
    });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('DeleteDocument')) return route.continue();
      const response = await route.fetch();
      await setTimeout(400);
      order.push('removed');
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Remove pan.pdf' }).click();
    await choose(page, file('scan.png', 'image/png', PIXEL));
    await page.getByRole('button', { name: 'Remove scan.png' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove pan.pdf' }).count()).toBe(0);
    expect(order).toEqual(['removed', 'upload']);
    await page.unrouteAll();
    await page.getByLabel('PAN', { exact: true }).fill(kyc.pan);
    await page.getByLabel('GSTIN').fill('27ABCPV1234K1X5');
    await page.getByLabel('Registered address').fill(kyc.address);
    await page.getByLabel('PIN code').fill(kyc.pincode);
    await button(page, 'Hand it in').click();
    // the console's own words stand at the field that it names
    await page.locator('.field', { hasText: 'GSTIN' }).locator('.field-error').waitFor();
    await page.getByLabel('GSTIN').fill('');
    await button(page, 'Hand it in').click();
    await heading2(page, 'What you handed in').waitFor();
    await page.locator('.steps li[data-state="ours"]', { hasText: 'KYC approved' }).waitFor();
    await look(seen, 'onboarding-handed-in');

    const reason = 'The scan is too small to be read.';
    await on.test.app.developers.change('requestKycChanges', { developerId, reason } as never, seed);
    await go('/');
    await page.getByRole('alert').getByText(reason).waitFor();
    await page.getByRole('link', { name: 'Change it and hand it in again' }).click();
    await page.getByText(reason).waitFor();
    expect(await page.getByLabel('PAN', { exact: true }).inputValue()).toBe(kyc.pan.toUpperCase());
    await page.getByLabel('Hand in scan.png again').uncheck();
    await button(page, 'Hand it in').click();
    await page.getByText('Upload at least one document.').waitFor();
    await page.getByLabel('Hand in scan.png again').check();
    await look(seen, 'onboarding-changes');
    await button(page, 'Hand it in').click();
    await heading2(page, 'What you handed in').waitFor();

    await on.test.app.developers.change('approveDeveloper', { developerId } as never, seed);
    await go('/keys');
    await page.getByRole('link', { name: 'Ask for live access' }).click();
    await page.getByLabel('What do you plan?').fill('Shops in Pune.');
    await look(seen, 'onboarding-live');
    await button(page, 'Ask for live access').click();
    await page.locator('.steps li[data-state="ours"]', { hasText: 'Live access unlocked' }).waitFor();
    await look(seen, 'onboarding-asked');
    await end();
  });
});

describe('KYC', () => {
  it('is decided with the documents beside it, one after the other, the longest wait first', async () => {
    const hand = async (name: string) => {
      const { developers } = on.test.app;
      const developerId = await developers.register({ name, email: `${name}@kyc-review.example` }, seed);
      await developers.markEmailVerified(developerId, seed);
      const session = await on.userOf(developerId);
      const png = { kind: 'pan_card', fileName: 'scan.png', contentType: 'image/png', content: PIXEL };
      const documentIds = [await on.upload(session, png), await on.upload(session)];
      const input = { ...kyc, documentIds };
      const submit = 'mutation($input: SubmitKycInput!) { submitKyc(input: $input) { developer { id } } }';
      expect(await on.codes(session, submit, { input })).toEqual([]);
      return developerId;
    };
    const first = await hand('first');
    const second = await hand('second');
    const third = await hand('third');
    const seen = await visitor();
    const { page, go, end, context } = seen;
    await asStaff(context);
    await go('/');
    await page.getByRole('link', { name: 'KYC', exact: true }).click();
    await heading(page, 'KYC to review').waitFor();
    await page
      .getByText(/other accounts have this PAN/)
      .first()
      .waitFor();
    expect(await page.locator('tbody td:first-child strong').allInnerTexts()).toEqual(['first', 'second', 'third']);
    await look(seen, 'kyc-queue');
    await page.getByRole('link', { name: 'first' }).click();
    await heading(page, 'first').waitFor();
    const image = page.getByRole('img', { name: 'PAN card: scan.png' });
    await until('the image is shown', () =>
      image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    const download = page.waitForEvent('download');
    await button(page, 'Download').click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
    await page.getByLabel('New note').fill('Called, all is well.');
    await button(page, 'Add note').click();
    await page.locator('.lines', { hasText: 'Called, all is well.' }).waitFor();
    await look(seen, 'kyc-review');
    await button(page, 'Approve').click();
    await page.getByLabel('Mobile plans', { exact: true }).check();
    await page.getByLabel('Fee of Mobile plans in rupees').fill('0.25');
    await look(seen, 'kyc-approve');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    // the next one is there
    await heading(page, 'second').waitFor();
    await button(page, 'Want changes').click();
    await page.getByLabel('Reason').fill('The PAN card is cut.');
    await button(page, 'Give it back').click();
    await heading(page, 'third').waitFor();
    await button(page, 'Reject').click();
    await page.getByLabel('Reason').fill('Not the same person.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nobody waits.').waitFor();
    const rows = await on.test.db.query<{ id: string; status: string; reason: string | null }>(
      'select id, onboarding_status as status, rejection_reason as reason from developer where id = any($1) order by id',
      [[first, second, third]],
    );
    expect(rows).toEqual([
      { id: first, status: 'approved', reason: null },
      { id: second, status: 'kyc_changes_wanted', reason: 'The PAN card is cut.' },
      { id: third, status: 'rejected', reason: 'Not the same person.' },
    ]);
    const granted = await on.test.db.query('select service, enabled, fee_paise::integer as fee from service_access');
    expect(granted).toContainEqual({ service: 'operator_plan_fetch', enabled: true, fee: 25 });
    await end();
  });

  it('shows staff who asks for live access, and hides decisions from who may not take them', async () => {
    const id = await on.applicant('Asks for live');
    await on.test.app.developers.change('approveDeveloper', { developerId: id }, seed);
    await on.test.app.developers.requestProduction(id, 'Some 300 orders a day.', seed);
    const seen = await visitor();
    const { page, go, end, context } = seen;
    await asStaff(context);
    await go(`/developers/dev_${id}`);
    await page.getByText('Some 300 orders a day.').waitFor();
    await look(seen, 'developer-asks');
    await button(page, 'Unlock Production').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock Production' }).click();
    await page.getByText('Asks for live has live access').waitFor();
    await page.getByText('Some 300 orders a day.').waitFor({ state: 'detached' });
    await end();

    const other = await visitor();
    await asStaff(other.context, 'support');
    await other.go(`/kyc/accounts/dev_${id}`);
    await other.page.getByText('FORBIDDEN').first().waitFor();
    expect(await other.page.getByRole('link', { name: 'KYC', exact: true }).count()).toBe(0);
    await other.end();
  });
});
