import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { portalPaths } from '../../src/http/pages/portal-paths.js';
import { applicant, PASSWORD } from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { keepPicture } from '../support/browser.js';
import { longestScript } from '../support/portal-assets.js';
import { button, heading, heading2, STAFF_PASSWORD, signIn, usePortal } from './portal.fixture.js';

const { on, visitor, staffMember, asStaff, asDeveloper, approved } = usePortal({ STAFF_SECOND_FACTOR: 'required' });

describe('the portal application', () => {
  it('serves one page for its own paths only, with a content security policy that allows nothing else', async () => {
    const { console } = on.test.urls;
    for (const path of Object.values(portalPaths)) {
      const response = await fetch(console + path.replace('$developerId', 'dev_1'));
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain(`; connect-src 'self' ${on.test.urls.uat};`);
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
    }
    const unknown = await fetch(`${console}/keys/of/nobody`);
    expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    expect((await fetch(`${console}/keys`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${on.test.urls.uat}/keys`)).status).toBe(404);
    const html = await (await fetch(console)).text();
    const [, path] = /src="(\/assets\/[^"]+)"/.exec(html)!;
    // Of the build, UAT serves only the files of its explorer.
    expect((await fetch(on.test.urls.uat + path)).status).toBe(404);
    expect((await fetch(on.test.urls.uat + longestScript())).status).toBe(200);
    const script = await fetch(console + path, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(await (await fetch(`${console}/assets/licences.txt`)).text()).toContain('MIT License');
  });

  it('loads at most 200 kB of script initially, and 25 kB with a page', () => {
    const dist = new URL('../../dist/portal/', import.meta.url);
    const html = readFileSync(new URL('index.html', dist), 'utf8');
    const first = new Set([...html.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!));
    const scripts = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.js'));
    const kilobytes = (name: string) => statSync(new URL(`assets/${name}.gz`, dist)).size / 1_000;
    const sum = (names: readonly string[]) => names.reduce((total, name) => total + kilobytes(name), 0);
    // Few files, because a browser sends at most six simultaneous requests to a host.
    expect([first.size > 0, first.size < 5]).toEqual([true, true]);
    expect(sum([...first])).toBeLessThan(200);
    // GraphiQL is loaded when the user starts the explorer.
    const explorer = longestScript().replace('/assets/', '');
    expect([first.has(explorer), kilobytes(explorer) > 200]).toEqual([false, true]);
    for (const name of scripts.filter((script) => !first.has(script) && script !== explorer))
      expect([name, kilobytes(name) < 25]).toEqual([name, true]);
  });

  it('leads to the sign-in page and back to the requested page, and to no page of another host', async () => {
    const { page, go, end, context } = await visitor();
    await go('/security?to=//evil.example');
    await heading(page, 'Sign in').waitFor();
    const developer = await approved('Kirana Connect');
    const email = 'owner@kirana.example';
    await on.userOf(developer, email);
    await signIn(page, email, 'not the password');
    await page.getByText('Incorrect email address or password.').waitFor();
    await signIn(page, email);
    await heading(page, 'Security').waitFor();
    await page.getByText('This session').waitFor();
    await button(page, 'Sign out').first().click();
    await heading(page, 'Sign in').waitFor();
    expect(await context.cookies()).toEqual([]);
    await go(`/sign-in?to=//evil.example`);
    await signIn(page, email);
    await heading(page, 'Kirana Connect').waitFor();
    expect(page.url()).toBe(`${on.test.urls.console}/`);
    await end();
  });
});

describe('users', () => {
  it('sign up, confirm their address and see the next steps', async () => {
    const { page, go, end } = await visitor(360);
    const email = 'new@portal.example';
    await go('/sign-up');
    await page.getByLabel('Business name').fill(applicant.name);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Mobile number').fill('12345');
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Create account').click();
    // The message of the console is next to the field that it names.
    await page.locator('.field', { hasText: 'Mobile number' }).locator('.field-error').waitFor();
    await page.getByLabel('Mobile number').fill(applicant.mobile);
    await button(page, 'Create account').click();
    await heading(page, 'Check your inbox').waitFor();
    const link = /\n(http\S+#token=\S+)\n/.exec((await on.emailsTo(email, 1))[0]!)![1]!;
    await page.goto(link);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Confirm').click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email, PASSWORD);
    await heading(page, applicant.name).waitFor();
    expect(await page.locator('.steps li[data-state="done"]').allInnerTexts()).toEqual([
      expect.stringMatching(/^Confirm your email address \d/),
    ]);
    expect(await page.locator('.steps li[data-state="next"]').innerText()).toContain('Submit your KYC');
    await end();
  });

  it('who require a second factor must add one first, save their recovery codes, and sign in with it from then on', async () => {
    const { page, go, end } = await visitor();
    const { email } = await staffMember();
    await go('/developers');
    await signIn(page, email);
    await heading(page, 'Add a second factor').waitFor();
    await page.getByLabel('Your password').fill(STAFF_PASSWORD);
    await button(page, 'Continue').click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = await page.locator('.value code').innerText();
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await button(page, 'Confirm').click();
    await page.locator('.form-problem:not(:empty), .field-error').first().waitFor();
    await keepPicture(page, 'enrol-1280');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await button(page, 'Confirm').click();
    await page.getByText('Save your recovery codes').waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    expect(codes).toHaveLength(10);
    expect(await button(page, 'Continue').isDisabled()).toBe(true);
    await page.getByLabel('I have saved the codes in a safe place').check();
    await button(page, 'Continue').click();
    await heading(page, 'Developers').waitFor();

    await button(page, 'Sign out').first().click();
    await signIn(page, email);
    await heading(page, 'Verify your second factor').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('not a code');
    await button(page, 'Continue').click();
    await page.getByText('This code is incorrect').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codes[0]!);
    await button(page, 'Continue').click();
    await heading(page, 'Work list').waitFor();
    await go('/security');
    await page.getByText('9 of 10 codes left').waitFor();
    await end();
  });

  it('add a passkey on the security page and sign in with only the passkey', async () => {
    const { page, context, go, end } = await visitor();
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await asStaff(context);
    await go('/security');
    await button(page, 'Add a second factor').click();
    await page.getByRole('radio', { name: /Passkey/ }).check();
    await page.getByLabel('Name of the second factor').fill('Laptop');
    await page.getByLabel('Your password').fill(STAFF_PASSWORD);
    await button(page, 'Continue').click();
    await page.getByText('Laptop').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Sign out').first().click();
    await button(page, 'Sign in with a passkey').click();
    await heading(page, 'Work list').waitFor();
    await cdp.detach();
    await end();
  });
});

describe('developers', () => {
  it('create a key, see its secret once, and see the requirements of Production access', async () => {
    const { page, context, go, end } = await visitor();
    const developer = await approved('Sharma Telecom');
    await asDeveloper(context, developer);
    await go('/keys');
    const cards = page.locator('.columns > .card');
    await cards.nth(1).getByText('Complete these steps to create Production API keys.').waitFor();
    expect(await cards.nth(1).locator('li[data-state="next"]').innerText()).toContain('Make your first UAT recharge');
    await button(page, 'Create API key').click();
    await page.getByLabel('Name of the API key').fill('Shop server');
    await button(page, 'Create API key').click();
    await heading2(page, 'Save your secret').waitFor();
    const values = await page.getByRole('dialog').locator('.value code').allInnerTexts();
    const [clientId, apiSecret] = values as [string, string];
    // It cannot be closed by accident.
    await page.keyboard.press('Escape');
    expect(await button(page, 'Done').isDisabled()).toBe(true);
    await page.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await cards.first().getByText('Shop server').waitFor();
    expect(await page.content()).not.toContain(apiSecret);
    const displayed = await cards.first().locator('pre').innerText();
    expect(displayed).toContain(`curl ${on.test.urls.uat}/api/v1/auth/client-credentials`);
    const body = JSON.parse(/'(\{.*\})'/.exec(displayed)![1]!.replace('YOUR_SECRET', apiSecret));
    const token = await fetch(`${on.test.urls.uat}/api/v1/auth/client-credentials`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([body.client_id, token.status]).toEqual([clientId, 200]);
    await button(page, 'Revoke').click();
    await button(page, 'Revoke API key').click();
    await page.getByText('Shop server revoked').waitFor();
    await page.getByText('No API keys yet').waitFor();
    await end();
  });
});

describe('staff', () => {
  it('grant Production access after verifying the second factor again, and only then', async () => {
    const { page, context, go, end } = await visitor();
    const developer = await approved('Vayu Payments');
    const { secret, later } = await asStaff(context);
    await later();
    await go(`/developers/dev_${developer}`);
    const isUnlocked = async () =>
      (await on.test.db.query('select production_unlocked from developer where id = $1', [developer]))[0]!
        .production_unlocked;
    const unlock = async () => {
      await page.getByRole('main').getByRole('button', { name: 'Grant Production access' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Grant Production access' }).click();
      await heading2(page, 'Verify your second factor').waitFor();
    };
    await unlock();
    await page.keyboard.press('Escape');
    await page.getByText('Verify your second factor to complete this action.').waitFor();
    expect(await isUnlocked()).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: 'Grant Production access' }).click();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await button(page, 'Verify').click();
    await page.getByText('Production access granted to Vayu Payments').waitFor();
    expect(await isUnlocked()).toBe(true);
    await end();
  });

  it('disable a service and undo it; a rejected change is reset', async () => {
    const { page, context, go, end } = await visitor();
    const developer = await approved('Malabar DTH Centre');
    const access = { developerId: developer, service: 'dth_info', enabled: true } as const;
    await on.test.app.developers.change('setServiceAccess', access, seed);
    await asStaff(context);
    await go('/access?search=Malabar');
    const toggle = page.getByRole('switch', { name: 'DTH customer for Malabar DTH Centre' });
    const isOn = async () =>
      (
        await on.test.db.query('select enabled from service_access where developer_id = $1 and service = $2', [
          developer,
          'dth_info',
        ])
      )[0]!.enabled;
    await toggle.click();
    await page.getByText('DTH customer disabled for Malabar DTH Centre').waitFor();
    expect(await isOn()).toBe(false);
    await button(page, 'Undo').click();
    await page.getByText('Malabar DTH Centre, DTH customer: change undone').waitFor();
    expect(await isOn()).toBe(true);
    await page.route('**/graphql', (route) => route.abort());
    await toggle.click();
    await page.getByText('Malabar DTH Centre: DTH customer is still enabled').first().waitFor();
    expect([await toggle.getAttribute('aria-checked'), await isOn()]).toEqual(['true', true]);
    await page.unroute('**/graphql');
    await end();
  });

  it('approve an account as a reviewer, who sees no money and no enabled switch', async () => {
    const { page, context, go, end } = await visitor();
    const developer = await on.applicant('Om Sai Communications');
    await asStaff(context, 'reviewer');
    await go('/developers?search=Om+Sai');
    await page.getByRole('link', { name: 'Om Sai Communications' }).click();
    await heading(page, 'Om Sai Communications').waitFor();
    const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== 'Show API calls')).toEqual(['Add note']);
    expect(await page.getByRole('switch', { disabled: false }).count()).toBe(0);
    expect(await page.getByRole('main').getByText('₹').count()).toBe(0);
    // Hidden lists are not described as empty.
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Account',
      'Access',
      'Limits and provider',
      'Team',
      'Notes',
    ]);
    await page.getByRole('link', { name: 'Review KYC' }).click();
    await button(page, 'Approve').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Om Sai Communications approved').first().waitFor();
    const [{ onboarding_status: status }] = (await on.test.db.query(
      'select onboarding_status from developer where id = $1',
      [developer],
    )) as [{ onboarding_status: string }];
    expect(status).toBe('approved');
    await end();
  });

  it('filter developers in the URL, and support staff can only read', async () => {
    const { page, context, go, end } = await visitor();
    await on.applicant('Surya Money Services');
    await asStaff(context, 'support');
    await go('/');
    await page.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL(/developers\?status=KYC_SUBMITTED/);
    await page.getByRole('link', { name: 'Surya Money Services' }).click();
    await heading(page, 'Surya Money Services').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Suspend/ }).count()).toBe(0);
    await page.goBack();
    await button(page, 'Rejected').click();
    await page.getByText('No results.').waitFor();
    // One choice of environment applies to every page, in its URL.
    const pressed = () => page.locator('.environments [data-pressed]').innerText();
    expect(await pressed()).toBe('Production');
    await button(page, 'UAT').click();
    await page.waitForURL(/environment=UAT/);
    await page.getByRole('link', { name: 'Security' }).first().click();
    await page.waitForURL(/security\?environment=UAT/);
    expect(await pressed()).toBe('UAT');
    await go('/security?environment=OTHER');
    await heading(page, 'Security').waitFor();
    expect(await pressed()).toBe('Production');
    await end();
  });
});
