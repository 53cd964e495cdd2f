import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { PASSWORD as STAFF_PASSWORD } from '../console/console.fixture.js';
import { useOnboarding } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { keepPicture, openBrowser } from '../support/browser.js';
import { confirmSessionsAgo } from '../support/row-keys.js';
import { until } from '../support/until.js';

export { STAFF_PASSWORD };

type StaffRole = 'admin' | 'finance' | 'reviewer' | 'support';

export interface Visitor {
  page: Page;
  context: BrowserContext;
  go: (path: string) => Promise<void>;
  /** Opens another page in the same session like a link, without reloading the portal. */
  follow: (path: string) => Promise<void>;
  /** External requests (other than to UAT GraphQL), policy violations and errors, each with its page. */
  problems: string[];
  /**
   * Checks that there were no external requests, policy violations or errors, and that the browser stores nothing that a script
   * can read.
   */
  end: () => Promise<void>;
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

export const heading2 = (page: Page, name: string) => page.getByRole('heading', { name, level: 2, exact: true });

/** A PNG of one pixel that browsers can display. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** For screen readers, a toast is a dialog too. */
export const DIALOG = '.drawer, .window';

/** Checks that nothing is cut off at the narrowest supported width; can write pictures in both schemes. */
export async function look({ page }: Visitor, name: string): Promise<void> {
  const size = page.viewportSize()!;
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflowPx = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect([name, width, overflowPx]).toEqual([name, width, 0]);
    for (const colorScheme of process.env.SCREENSHOTS ? (['dark', 'light'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize(size);
}

/** Waits until the page is complete and all of its data is loaded. */
export async function isRead(page: Page): Promise<void> {
  await page.locator('h1, .problem, .empty').first().waitFor();
  await until('all data is loaded', async () => (await page.locator('.skeleton').count()) === 0);
}

/** Verifies the second factor in the dialog that a rejected request has opened. */
export async function showFactor(page: Page, secret: string): Promise<void> {
  await heading2(page, 'Verify your second factor').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await button(page, 'Verify').click();
  await heading2(page, 'Verify your second factor').waitFor({ state: 'detached' });
}

export async function signIn(page: Page, email: string, password = STAFF_PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

/**
 * Pages of visitors who have finished, for reuse: a new context starts a process, which loads and compiles all scripts again. A
 * browser keeps only cookies of a visitor; the end of each visit checks that there is nothing else.
 */
const vacant: Page[] = [];

/** Ends a test that hangs. A busy machine can be many times slower. */
const LIMIT_MS = 300_000;

async function emptyPage(): Promise<Page> {
  const finished = vacant.pop();
  if (finished) return finished;
  const context = await (await openBrowser()).newContext();
  context.setDefaultTimeout(LIMIT_MS);
  return context.newPage();
}

async function vacate(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: null });
  vacant.push(page);
}

/** The portal in a real browser, with a separate console and mailbox, so that its lists contain only the data of the test. */
export function usePortal(settings: Record<string, string> = {}) {
  const on = useOnboarding(settings);

  async function visitor(width = 1280): Promise<Visitor> {
    const page = await emptyPage();
    await page.setViewportSize({ width, height: 800 });
    const problems: string[] = [];
    const note = (text: string) => problems.push(`${page.url()}: ${text}`);
    const onRequest = (request: Request) => {
      const { console, uat } = on.test.urls;
      const isAllowed = request.url().startsWith(console) || request.url() === `${uat}/graphql`;
      if (!isAllowed && !/^(data|blob):/.test(request.url())) note(request.url());
    };
    const onError = (error: Error) => void note(error.message);
    const onConsole = (message: ConsoleMessage) => {
      // The browser reports every rejected request by itself.
      if (['error', 'warning'].includes(message.type()) && !/status of 4|ERR_FAILED/.test(message.text()))
        note(message.text());
    };
    page.on('request', onRequest).on('pageerror', onError).on('console', onConsole);
    return {
      page,
      context: page.context(),
      problems,
      go: async (path) => void (await page.goto(on.test.urls.console + path)),
      follow: async (path) => void (await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)),
      end: async () => {
        expect(problems).toEqual([]);
        const storedState = '[localStorage.length, sessionStorage.length, document.cookie]';
        expect(await page.evaluate(storedState)).toEqual([0, 0, '']);
        page.off('request', onRequest).off('pageerror', onError).off('console', onConsole);
        await vacate(page);
      },
    };
  }

  let sequence = 0;
  async function staffMember(role: StaffRole = 'admin') {
    const email = `portal-${++sequence}@test.example`;
    const id = await on.test.app.users.create({ email, name: 'Meera Rao', password: STAFF_PASSWORD, role }, seed);
    return { email, id };
  }

  /** A browser session whose user has just signed in and verified a second factor. */
  async function asStaff(context: BrowserContext, role: StaffRole = 'admin') {
    return withFactor(context, await staffMember(role));
  }

  /** A browser session of an account owner who has added a second factor. */
  async function asOwner(context: BrowserContext, developerId: DeveloperId) {
    const email = `owner-${++sequence}@test.example`;
    const user = { email, name: 'Anil Shah', password: STAFF_PASSWORD, role: 'developer', developerId } as const;
    return withFactor(context, { email, id: await on.test.app.users.create(user, seed) });
  }

  async function withFactor(context: BrowserContext, { email, id }: { email: string; id: string }) {
    const { app, db, urls } = on.test;
    const START = 'mutation($input: StartTotpInput!) { startTotp(input: $input) { secret } }';
    const CONFIRM = 'mutation($input: ConfirmTotpInput!) { confirmTotp(input: $input) { token } }';
    const { token } = await app.sessions.signIn({ email, password: STAFF_PASSWORD }, FROM_TEST);
    const started = await on.call(token, START, { input: { currentPassword: STAFF_PASSWORD } });
    const { secret } = started.body.data.startTotp;
    const confirmed = await on.call(token, CONFIRM, { input: { code: codeOf(secret) } });
    await context.addCookies([
      { name: 'session', value: confirmed.body.data.confirmTotp.token, url: urls.console, httpOnly: true },
    ]);
    return {
      email,
      secret,
      /** As if the factor was verified an hour ago and its codes are new. */
      later: async () => {
        await confirmSessionsAgo(db, id, '1 hour');
        await db.query('update second_factor set last_period = 0 where user_id = $1 and secret is not null', [id]);
      },
    };
  }

  async function asDeveloper(context: BrowserContext, developerId: DeveloperId): Promise<void> {
    const token = await on.userOf(developerId);
    await context.addCookies([{ name: 'session', value: token, url: on.test.urls.console, httpOnly: true }]);
  }

  async function approved(name: string): Promise<DeveloperId> {
    const id = await on.applicant(name);
    await on.test.app.developers.change('approveDeveloper', { developerId: id }, seed);
    return id;
  }

  return { on, visitor, staffMember, asStaff, asOwner, asDeveloper, approved };
}
