import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { applicant, PASSWORD, SIGN_UP, useOnboarding } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';
import { keepPicture, openBrowser } from '../support/browser.js';

const on = useOnboarding();
const NEW = 'a password of our days';
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

interface Visit {
  page: Page;
  status: () => Promise<string>;
  submit: (password: string) => Promise<void>;
  /** Unexpected requests and console errors of the page. */
  problems: string[];
  end: (name: string) => Promise<void>;
}

async function visit(url: string, width: number): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(on.test.urls.console)) problems.push(request.url());
    const { referer } = request.headers();
    if (referer) problems.push(`referrer ${referer}`);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser reports every rejected request by itself.
    if (message.type() === 'error' && !/favicon|status of 4/.test(message.text())) problems.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    problems,
    status: () => page.locator('[role="status"]:not(:empty)').innerText(),
    submit: async (password) => {
      await page.getByLabel(/password/i).fill(password);
      await page.getByRole('button').click();
    },
    end: async (name) => {
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      await keepPicture(page, `${name}-${width}`);
      expect(problems).toEqual([]);
      await page.close();
    },
  };
}

const linkIn = (message: string): string => /\n(http\S+#token=\S+)\n/.exec(message)![1]!;
const signsIn = (email: string, password: string) =>
  on.test.app.sessions.signIn({ email, password }, FROM_TEST).then(
    () => true,
    () => false,
  );

describe.each([
  ['a desktop', 1280],
  ['a phone', 360],
])('on %s', (_name, width) => {
  it('the link of a sign-up confirms the address with the password, and reports invalid input first', async () => {
    const email = `confirm-${width}@pages.example`;
    await on.call(undefined, SIGN_UP, { input: { ...applicant, email } });
    const link = linkIn((await on.emailsTo(email, 1))[0]!);
    const { page, status, submit, end } = await visit(link, width);
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
    expect(await page.title()).toBe('Confirm your email address');
    await submit('not the password');
    expect(await status()).toContain('not the password that was chosen');
    await submit(PASSWORD);
    await page.getByText('You can sign in now').waitFor();
    expect(page.url()).toBe(`${on.test.urls.console}/verify`);
    expect(await page.locator('form').isVisible()).toBe(false);
    await end('verify');
    expect(await signsIn(email, PASSWORD)).toBe(true);

    const secondVisit = await visit(link, width);
    await secondVisit.submit(PASSWORD);
    expect(await secondVisit.status()).toContain('unknown, expired or already used');
    await secondVisit.end('verify-used');
  });

  it('the link of a password reset sets a new password', async () => {
    const email = `reset-${width}@pages.example`;
    await on.test.app.users.create({ email, name: 'P', password: PASSWORD, role: 'support' }, seed);
    await on.call(
      undefined,
      'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
      { input: { email } },
    );
    const { page, submit, end } = await visit(linkIn((await on.emailsTo(email, 1))[0]!), width);
    await submit(NEW);
    await page.getByText('Your new password is set').waitFor();
    await end('reset-password');
    expect([await signsIn(email, PASSWORD), await signsIn(email, NEW)]).toEqual([false, true]);
  });

  it('the link of an invitation creates a user, and that of an address change changes the address', async () => {
    const [email, next] = [`invited-${width}@pages.example`, `moved-${width}@pages.example`];
    const input = { email, name: 'Invited', role: 'SUPPORT' };
    await on.call(on.staff.admin, 'mutation($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }', {
      input,
    });
    const joining = await visit(linkIn((await on.emailsTo(email, 1))[0]!), width);
    await joining.page.getByRole('heading', { name: 'Join the API console' }).waitFor();
    expect(await joining.page.title()).toBe('Join the API console');
    await joining.submit(NEW);
    await joining.page.getByText('You have joined').waitFor();
    await joining.end('accept-invitation');

    const token = (await on.test.app.sessions.signIn({ email, password: NEW }, FROM_TEST)).token;
    const addressChange = { email: next, currentPassword: NEW };
    await on.call(token, 'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }', {
      input: addressChange,
    });
    const confirming = await visit(linkIn((await on.emailsTo(next, 1))[0]!), width);
    await confirming.page.getByRole('button').click();
    await confirming.page.getByText('Your new email address is confirmed').waitFor();
    await confirming.end('confirm-email');
    expect([await signsIn(email, NEW), await signsIn(next, NEW)]).toEqual([false, true]);
  });
});

it('a page reports too many attempts, and a truncated link', async () => {
  const unknown = await visit(`${on.test.urls.console}/verify#token=${'f'.repeat(64)}`, 360);
  await on.test.db.query('delete from rate_limit');
  for (let n = 0; n < 10; n++)
    await on.call(
      undefined,
      'mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { viewer { user { id } } } }',
      {
        input: { token: 'f'.repeat(64), password: 'x' },
      },
    );
  await unknown.submit(PASSWORD);
  expect(await unknown.status()).toMatch(/^Too many attempts\. Try again in 1[45] minutes\.$/);
  await unknown.end('verify-throttled');
  const cut = await visit(`${on.test.urls.console}/verify`, 360);
  expect(await cut.status()).toContain('incomplete');
  await cut.end('verify-cut');
});

it.each(['/verify', '/reset-password'])(
  '%s runs its own script only, cannot be framed or indexed, and does not leak its URL',
  async (url) => {
    const response = await fetch(on.test.urls.console + url);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect((await fetch(on.test.urls.console + url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(on.test.urls.uat + url)).status).toBe(404);
  },
);
