import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../src/onboarding/kyc-document.js';
import { button, heading, look, PIXEL, showFactor, signIn, usePortal } from '../e2e/portal.fixture.js';
import { applicant, kyc, PASSWORD } from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { until } from '../support/until.js';

const { on, visitor, asStaff } = usePortal();

describe('KYC', () => {
  it('is resolved with the documents next to it, one submission after the other, the oldest first', async () => {
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
    const { secret, later } = await asStaff(context);
    await go('/');
    await page.getByRole('link', { name: 'KYC review', exact: true }).click();
    await heading(page, 'KYC review').waitFor();
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
    // A document can show a full PAN, so it opens after the second factor was verified again.
    await later();
    await button(page, 'Download').click();
    const again = page.waitForEvent('download');
    await showFactor(page, secret);
    await again;
    await later();
    await page.reload();
    await showFactor(page, secret);
    await until('the image is shown again', () =>
      image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    // One number at a time is revealed, after the second factor was verified again.
    const { pan, gstin } = { pan: kyc.pan.toUpperCase(), gstin: kyc.gstin.toUpperCase() };
    expect(await page.locator('.facts').first().innerText()).not.toContain(pan);
    await later();
    await button(page, 'Show PAN').click();
    await showFactor(page, secret);
    await page.getByText(pan, { exact: true }).waitFor();
    expect(await page.getByText(gstin, { exact: true }).count()).toBe(0);
    await button(page, 'Show GSTIN').click();
    await page.getByText(gstin, { exact: true }).waitFor();
    await look(seen, 'kyc-revealed');
    await button(page, 'Hide PAN').click();
    await page.getByText(pan, { exact: true }).waitFor({ state: 'detached' });
    const revealed = await on.test.db.query(
      `select after->>'field' as field from audit_entry where action = 'kyc.reveal' order by audit_entry.id`,
    );
    expect(revealed).toEqual([{ field: 'pan' }, { field: 'gstin' }]);
    await page.getByLabel('New note').fill('Called, all is well.');
    await button(page, 'Add note').click();
    await page.locator('.lines', { hasText: 'Called, all is well.' }).waitFor();
    await look(seen, 'kyc-review');
    await button(page, 'Approve').click();
    await page.getByLabel('Mobile plans', { exact: true }).check();
    await page.getByLabel('Fee of Mobile plans in rupees').fill('0.25');
    await look(seen, 'kyc-approve');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    // The next submission is shown.
    await heading(page, 'second').waitFor();
    await button(page, 'Request changes').click();
    await page.getByLabel('Reason').fill('The PAN card is cut.');
    await button(page, 'Request changes').click();
    await heading(page, 'third').waitFor();
    await button(page, 'Reject').click();
    await page.getByLabel('Reason').fill('Not the same person.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No KYC submissions to review.').waitFor();
    const rows = await on.test.db.query<{ id: string; status: string; reason: string | null }>(
      'select id, onboarding_status as status, rejection_reason as reason from developer where id = any($1) order by id',
      [[first, second, third]],
    );
    expect(rows).toEqual([
      { id: first, status: 'approved', reason: null },
      { id: second, status: 'kyc_changes_requested', reason: 'The PAN card is cut.' },
      { id: third, status: 'rejected', reason: 'Not the same person.' },
    ]);
    const granted = await on.test.db.query('select service, enabled, fee_paise::integer as fee from service_access');
    expect(granted).toContainEqual({ service: 'operator_plan_fetch', enabled: true, fee: 25 });

    // An approved submission can still be read, and so can an old note.
    await on.test.db.query(
      `insert into developer_note (id, developer_id, author, text) select uuidv7(), $1, 'system:seed', 'Note ' || n from generate_series(1, 40) n`,
      [first],
    );
    await go(`/developers/dev_${first}`);
    await page.getByText('Note 40', { exact: true }).waitFor();
    await look(seen, 'notes');
    for (const _ of [1, 2]) await button(page, 'Show older notes').click();
    await page.getByText('Called, all is well.').waitFor();
    expect(await button(page, 'Show older notes').count()).toBe(0);
    await page.locator('main').getByRole('link', { name: 'KYC', exact: true }).click();
    await page.getByRole('img', { name: 'PAN card: scan.png' }).waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    const { developerId } = await on.verified('signed-up@kyc-review.example');
    await go(`/developers/dev_${developerId}`);
    await page.getByText(applicant.mobile).waitFor();
    await end();
  });

  it('shows staff the requests for Production access, and hides actions from those who cannot use them', async () => {
    const id = await on.applicant('Asks for live');
    await on.test.app.developers.change('approveDeveloper', { developerId: id }, seed);
    await on.test.app.developers.requestProduction(id, 'Some 300 orders a day.', seed);
    const seen = await visitor();
    const { page, go, end, context } = seen;
    await asStaff(context);
    await go(`/developers/dev_${id}`);
    await page.getByText('Some 300 orders a day.').waitFor();
    await look(seen, 'developer-asks');
    await button(page, 'Grant Production access').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Grant Production access' }).click();
    await page.getByText('Production access granted to Asks for live').waitFor();
    await page.getByText('Some 300 orders a day.').waitFor({ state: 'detached' });
    await end();

    const other = await visitor();
    await asStaff(other.context, 'support');
    await other.go(`/kyc/accounts/dev_${id}`);
    await other.page.getByText('FORBIDDEN').first().waitFor();
    expect(await other.page.getByRole('link', { name: 'KYC review', exact: true }).count()).toBe(0);
    await other.end();
  });
});

const png = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL });
const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('no picture') });
/** Chooses files for KYC, as with the file dialog of the browser. */
const choose = (page: Page, ...files: ReturnType<typeof png>[]) =>
  page.getByLabel('Choose files', { exact: true }).and(page.locator('input')).setInputFiles(files);

/** A user on the page for submitting KYC. */
async function onboarding(email: string) {
  await on.verified(email);
  const seen = await visitor();
  await seen.go('/onboarding');
  await signIn(seen.page, email, PASSWORD);
  await heading(seen.page, 'Onboarding').waitFor();
  return seen;
}

describe('a KYC draft', () => {
  it('includes the last character typed before a reload, which needs a confirmation, and input typed while offline', async () => {
    const { page, end } = await onboarding('owner@typing.example');
    const name = page.getByLabel('Legal name');
    await name.pressSequentially('Asha');
    await page.getByText('Draft saved').waitFor();
    await name.pressSequentially(' Verma');
    const shownDialogs: string[] = [];
    page.once('dialog', (dialog) => {
      shownDialogs.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(shownDialogs).toEqual(['beforeunload']);
    await name.waitFor();
    expect(await name.inputValue()).toBe('Asha Verma');
    await page.route('**/graphql', (route) => route.abort());
    await name.fill('Asha Verma Stores');
    await page.getByText('Draft not saved').waitFor();
    await page.unrouteAll();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByText('Draft saved').waitFor();
    await page.reload();
    expect(await name.inputValue()).toBe('Asha Verma Stores');
    await end();
  });
});

describe('queued file uploads', () => {
  it('are cancelled when the user leaves the page, after a confirmation, because another user may sign in', async () => {
    const seen = await onboarding('owner@leaves.example');
    const { page, follow, end } = seen;
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route('**/kyc/documents', async (route) => {
      sent.push(/filename="([^"]+)"/.exec(route.request().postData()!)![1]!);
      await isLeft;
      return route.continue();
    });
    await choose(page, png('one.png'), png('two.png'));
    await page.getByRole('progressbar').nth(1).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Leave before the upload is complete?' });
    const security = page.getByRole('link', { name: 'Security', exact: true });
    await security.click();
    await dialog.waitFor();
    await look(seen, 'kyc-leave');
    await button(page, 'Stay').click();
    await dialog.waitFor({ state: 'detached' });
    expect([page.url(), await page.getByRole('progressbar').count()]).toEqual([
      expect.stringMatching(/onboarding$/),
      2,
    ]);
    await security.click();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await heading(page, 'Security').waitFor();
    const stored = page.waitForResponse('**/kyc/documents');
    leave();
    await stored;
    // Long enough for the next upload to start.
    await follow('/onboarding');
    await page.getByRole('button', { name: 'Remove one.png' }).waitFor();
    expect(sent).toEqual(['one.png']);
    await page.unrouteAll();
    // No upload is in progress, so there is no confirmation.
    await security.click();
    await heading(page, 'Security').waitFor();
    await end();
  });

  it('do not prevent signing out', async () => {
    const { page, end, context } = await onboarding('owner@ended.example');
    await page.route('**/kyc/documents', () => new Promise(() => {}));
    await choose(page, png('one.png'));
    await page.getByRole('progressbar').waitFor();
    await context.clearCookies();
    await button(page, 'Sign out').first().click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await end();
  });

  it('are retried after a network failure, but not if the file is invalid', async () => {
    const seen = await onboarding('owner@again.example');
    const { page, end } = seen;
    let refusals = 2;
    await page.route('**/kyc/documents', (route) => {
      refusals -= 1;
      if (refusals === 1) return route.abort();
      if (refusals === 0)
        return route.fulfill({
          status: 429,
          json: { status: 'error', code: 'RATE_LIMITED', message: 'Wait a moment.' },
        });
      return route.continue();
    });
    await choose(page, png('one.png'));
    const again = page.getByRole('button', { name: 'Try again: one.png' });
    await again.click();
    await page.getByText('Wait a moment.').waitFor();
    await look(seen, 'kyc-again');
    await again.click();
    await button(page, 'Remove one.png').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unrouteAll();
    // A file that will be rejected is not sent.
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/kyc/documents')) sent.push(request.method());
    });
    const sized = (name: string, bytes: number) => ({ ...png(name), buffer: Buffer.alloc(bytes) });
    await choose(page, text('words.txt'), sized('empty.png', 0), sized('large.png', 6 * 1024 * 1024));
    await page.getByRole('alert').nth(2).waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      'Upload a PDF, JPEG or PNG file.',
      'This file is empty. Choose another file.',
      'This file is too large (6.0 MB). Upload a file of up to 5 MB.',
    ]);
    await page.getByText('· 0 kB').waitFor();
    await look(seen, 'kyc-refused');
    expect([sent, await page.getByRole('button', { name: /^Try again/ }).count()]).toEqual([[], 0]);
    // All other checks are left to the service.
    await choose(page, sized('full.png', MAX_DOCUMENT_BYTES));
    await page.getByRole('alert').nth(3).waitFor();
    expect(sent).toEqual(['POST']);
    await end();
  });
});
