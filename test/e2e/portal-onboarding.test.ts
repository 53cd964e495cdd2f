import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { documentOf, kyc, PASSWORD } from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { place } from '../support/recharges.js';
import { button, DIALOG, heading, heading2, look, PIXEL, signIn, usePortal } from './portal.fixture.js';

const { on, visitor, asDeveloper } = usePortal();

const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.getByLabel('Choose files', { exact: true }).and(page.locator('input')).setInputFiles(files);

it('redirects a signed-out visitor to the sign-in page, without an error in the browser console', async () => {
  const { page, go, end } = await visitor();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await go('/');
  await heading(page, 'Sign in').waitFor();
  expect(errors).toEqual([]);
  await end();
});

describe('onboarding', () => {
  it('keeps input and uploads over a reload, submits KYC, and leads through requested changes to Production access', async () => {
    const email = 'owner@onboarding.example';
    const { developerId } = await on.verified(email);
    const visit = await visitor(360);
    const { page, go, end } = visit;
    await go('/onboarding');
    await signIn(page, email, PASSWORD);
    await heading(page, 'Onboarding').waitFor();
    await page.getByLabel('Legal name').fill(kyc.legalName);
    await page.getByLabel('PAN', { exact: true }).fill('abcpv');
    await page.getByText('Draft saved').waitFor();
    // One of them is not a PDF: its row shows an error, it can be removed, and it does not block the next.
    await choose(
      page,
      file('no.pdf', 'application/pdf', PIXEL),
      file('pan.pdf', 'application/pdf', documentOf().content),
    );
    await page.getByText('Must match its Content-Type').waitFor();
    await page.getByRole('button', { name: 'Remove pan.pdf' }).waitFor();
    await look(visit, 'onboarding-form');
    await page.getByRole('button', { name: 'Remove no.pdf' }).click();
    await page.reload();
    expect(await page.getByLabel('Legal name').inputValue()).toBe(kyc.legalName);
    expect(await page.getByLabel('PAN', { exact: true }).inputValue()).toBe('abcpv');
    // A late response would show the list without files that were uploaded since then.
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
    await button(page, 'Submit KYC').click();
    // The message of the console is next to the field that it names.
    await page.locator('.field', { hasText: 'GSTIN' }).locator('.field-error').waitFor();
    await page.getByLabel('GSTIN').fill('');
    await button(page, 'Submit KYC').click();
    await heading2(page, 'Submitted KYC').waitFor();
    await page.locator('.steps li[data-state="ours"]', { hasText: 'Get your KYC approved' }).waitFor();
    await look(visit, 'onboarding-handed-in');

    const reason = 'The scan is too small to be read.';
    await on.test.app.developers.change('requestKycChanges', { developerId, reason } as never, seed);
    await go('/');
    await page.getByRole('alert').getByText(reason).waitFor();
    await page.getByRole('link', { name: 'Edit and resubmit your KYC' }).click();
    await page.getByText(reason).waitFor();
    expect(await page.getByLabel('PAN', { exact: true }).inputValue()).toBe(kyc.pan.toUpperCase());
    await page.getByLabel('Submit scan.png again').uncheck();
    await button(page, 'Submit KYC').click();
    await page.getByText('Upload at least one document.').waitFor();
    await page.getByLabel('Submit scan.png again').check();
    await look(visit, 'onboarding-changes');
    await button(page, 'Submit KYC').click();
    await heading2(page, 'Submitted KYC').waitFor();

    await on.test.app.developers.change('approveDeveloper', { developerId } as never, seed);
    await go('/keys');
    await page.getByRole('link', { name: 'Request Production access' }).click();
    await page.getByLabel('How do you plan to use the API?').fill('Shops in Pune.');
    await look(visit, 'onboarding-live');
    await button(page, 'Request Production access').click();
    await page.locator('.steps li[data-state="ours"]', { hasText: 'Get Production access' }).waitFor();
    await look(visit, 'onboarding-asked');
    await end();
  });
});

describe('a UAT recharge', () => {
  it('is in its drawer and in an entry of the wallet', async () => {
    const { page, go, follow, end, context } = await visitor();
    const shop = await on.test.developer();
    await place(on.test, shop, { client_request_id: 'play', amount: 11 }, 'uat');
    await asDeveloper(context, shop.id);
    await go('/orders?environment=UAT');
    await page.getByRole('link', { name: '9876543210' }).click();
    const drawer = page.locator(DIALOG);
    await drawer.getByText('Wallet entries').waitFor();
    expect(await drawer.locator('.lines .amount').allInnerTexts()).toContain('−₹11.00');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await follow('/wallet?environment=UAT');
    const line = page.locator('tbody tr', { hasText: '−₹11.00' });
    await line.waitFor();
    expect(await line.innerText()).toContain('Recharge');
    await line.getByRole('link').click();
    await drawer.getByText('Wallet entries').waitFor();
    await end();
  });
});
