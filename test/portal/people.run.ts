import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { button, DIALOG, heading, heading2, look, STAFF_PASSWORD, signIn, usePortal } from '../e2e/portal.fixture.js';
import { applicant, PASSWORD } from '../onboarding/onboarding.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';

const { on, visitor, asStaff, asDeveloper, staffMember } = usePortal({
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  TWO_PEOPLE: 'roles',
});

let shop: TestDeveloper;
beforeAll(async () => {
  shop = await on.test.developer({ rateLimitPerMinute: 1_000 });
});

async function itsOwner() {
  const owner = await visitor();
  await asDeveloper(owner.context, shop.id);
  return owner;
}

describe('users', () => {
  it('of an account are invited, get a new role and are removed by an owner, but not by a reader', async () => {
    const owner = await itsOwner();
    const { page, go, end } = owner;
    const dialog = page.locator(DIALOG);
    await go('/team');
    await heading(page, 'Team').waitFor();
    await button(page, 'Invite user').click();
    await dialog.getByLabel('Email address').fill('ravi@shop.example');
    await dialog.getByLabel('Name').fill('Ravi Kumar');
    await dialog.getByRole('radio', { name: /^Builder/ }).check();
    await button(page, 'Send invitation').click();
    await page.getByText('Invitation sent').waitFor();
    const invited = page.locator('tbody tr', { hasText: 'Ravi Kumar' });
    await until('the user is listed', async () => /Builder[^]*Invited/.test(await invited.innerText()));
    expect((await on.emailsTo('ravi@shop.example', 1))[0]).toContain('/accept-invitation#token=');
    await look(owner, 'team');
    await invited.getByRole('link').click();
    await button(page, 'Withdraw invitation').click();
    await dialog.getByLabel('Reason').fill('mistyped');
    await button(page, 'Remove Ravi Kumar').click();
    await page.getByText('Ravi Kumar removed').first().waitFor();
    await invited.waitFor({ state: 'detached' });

    const user = { name: 'Lata Iyer', password: STAFF_PASSWORD, role: 'developer', developerId: shop.id } as const;
    await on.test.app.users.create({ ...user, email: 'lata@shop.example', teamRole: 'reader' }, seed);
    await page.reload();
    await page.getByRole('link', { name: 'Lata Iyer' }).click();
    await look(owner, 'person');
    await button(page, 'Change role').click();
    await page.getByRole('radio', { name: /^Finance/ }).check();
    await button(page, 'Save').click();
    await page.getByText('Role of Lata Iyer changed').waitFor();
    // The choice also shows it while it closes.
    await dialog.getByText('Reads transactions, wallets and statements.').first().waitFor();
    await end();

    await place(on.test, shop, { client_request_id: 'read by finance' }, 'uat');
    const reader = await visitor();
    await reader.go('/team');
    await signIn(reader.page, 'lata@shop.example');
    await heading(reader.page, 'Team').waitFor();
    expect(await button(reader.page, 'Invite user').count()).toBe(0);
    // The finance role can read transactions and wallets, but no webhooks: neither their page nor the deliveries of an order.
    expect(await reader.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'Transactions' }).click();
    await reader.page.getByRole('link', { name: '9876543210' }).click();
    await heading2(reader.page, 'Wallet entries').waitFor();
    expect(await heading2(reader.page, 'Webhooks').count()).toBe(0);
    await reader.end();
  });

  it('of an account have sessions that an owner can see and revoke, and an idle limit that an owner sets', async () => {
    const owner = await itsOwner();
    const { page, go, end } = owner;
    const dialog = page.locator(DIALOG);
    const email = 'farid@shop.example';
    const user = {
      name: 'Farid Khan',
      email,
      password: STAFF_PASSWORD,
      role: 'developer',
      developerId: shop.id,
    } as const;
    await on.test.app.users.create({ ...user, teamRole: 'reader' }, seed);
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    for (const addressKey of ['203.0.113.7', '203.0.113.8', '203.0.113.9'])
      await on.test.app.sessions.signIn({ email, password: STAFF_PASSWORD }, { addressKey, agent, requestId: 'test' });
    await go('/team');
    await page.getByRole('link', { name: 'Farid Khan' }).click();
    await dialog.getByText('203.0.113.7').waitFor();
    expect(await dialog.getByText('Firefox').count()).toBe(3);
    await look(owner, 'person-sessions');
    await dialog.locator('li', { hasText: '203.0.113.8' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('1 session of Farid Khan revoked').waitFor();
    await dialog.getByText('203.0.113.8').waitFor({ state: 'detached' });
    await button(page, 'Revoke all sessions').click();
    await dialog.getByLabel('Reason').fill('Lost laptop');
    await look(owner, 'person-sessions-end');
    await dialog.last().getByRole('button', { name: 'Revoke all sessions' }).click();
    await page.getByText('2 sessions of Farid Khan revoked').waitFor();
    await dialog.getByText('No open sessions.').waitFor();
    await page.keyboard.press('Escape');

    const limit = page.locator('.card', { hasText: 'Session idle limit' });
    await limit.getByText('A session ends after 2 hours of inactivity.').waitFor();
    await limit.getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Minutes').fill('5');
    await button(page, 'Save').click();
    await dialog.locator('.field-error').waitFor();
    await dialog.getByLabel('Minutes').fill('45');
    await button(page, 'Save').click();
    await page.getByText('Sessions now end after 45 minutes of inactivity').waitFor();
    await limit.getByText('A session ends after 45 minutes of inactivity.').waitFor();
    await look(owner, 'idle-limit');
    await end();

    // Support can read the sessions, but not revoke them.
    await on.test.app.sessions.signIn(
      { email, password: STAFF_PASSWORD },
      { addressKey: '203.0.113.7', agent, requestId: 'test' },
    );
    const support = await visitor();
    await asStaff(support.context, 'support');
    await support.go(`/team?developer=dev_${shop.id}`);
    await support.page.getByRole('link', { name: 'Farid Khan' }).click();
    await support.page.locator(DIALOG).getByText('203.0.113.7').waitFor();
    expect(await support.page.locator(DIALOG).getByRole('button', { name: /^End/ }).count()).toBe(0);
    await support.end();
  });

  it('of an account are invited by staff only while no owner is active, and with approval of a second administrator', async () => {
    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context);
    const dialog = page.locator(DIALOG);
    const owned = await on.test.developer();
    await on.userOf(owned.id);
    await go(`/team?developer=dev_${owned.id}`);
    await page.getByText('You cannot invite users here').waitFor();
    expect(await button(page, 'Invite user').count()).toBe(0);
    await look(staff, 'team-owned');
    const { id } = await on.test.developer();
    await go(`/team?developer=dev_${id}`);
    await button(page, 'Invite user').click();
    await dialog.getByText('After a second administrator approves').waitFor();
    await dialog.getByLabel('Email address').fill('owner@ownerless.example');
    await dialog.getByLabel('Name').fill('Kiran Shah');
    await look(staff, 'team-ownerless');
    await button(page, 'Request approval').click();
    await page.getByText('Invite a user: pending approval by a second administrator').waitFor();
    await go('/approval-requests?action=INVITE_USER');
    await page.getByRole('row', { name: /Invite Kiran Shah to/ }).waitFor();
    await look(staff, 'approval-request-invite');
    await end();
  });

  it('with a pending invitation get a new link, and the former one becomes invalid', async () => {
    const owner = await itsOwner();
    const { page, go, end } = owner;
    const dialog = page.locator(DIALOG);
    await on.test.db.query(
      `insert into invitation (id, token_hash, email, name, role, team_role, developer_id, invited_by, expires_at, mac)
        select uuidv7(), sha256('former'), 'uma@shop.example', 'Uma Rao', 'developer', 'reader', developer_id, id, now() + interval '1 hour', sha256('none')
        from app_user where developer_id = $1 limit 1`,
      [shop.id],
    );
    await go('/team');
    await page.getByRole('link', { name: 'Uma Rao' }).click();
    await button(page, 'Resend invitation').click();
    await dialog.getByRole('button', { name: 'Resend invitation' }).last().click();
    const [mail] = await on.emailsTo('uma@shop.example', 1);
    expect(mail).toContain('/accept-invitation#token=');
    expect(
      await on.test.db.query(
        `select token_hash = sha256('former') as same from invitation where email = 'uma@shop.example'`,
      ),
    ).toEqual([{ same: false }]);
    await end();
  });

  it('of an account see its activity: staff as "Staff", with the reason and without the address', async () => {
    const owner = await itsOwner();
    const { page, go, end } = owner;
    const dialog = page.locator(DIALOG);
    const LIMIT = 'mutation($input: SetRateLimitInput!) { setRateLimit(input: $input) { developer { id } } }';
    const input = { developerId: `dev_${shop.id}`, perMinute: 900 };
    expect((await on.call(on.staff.admin, LIMIT, { input })).body.errors).toBeUndefined();
    await createEndpoint(on, { developer: shop, session: await on.userOf(shop.id) }, 'http://127.0.0.1:9/hook');
    await go('/activity');
    await heading(page, 'Activity').waitFor();
    const rows = page.locator('tbody tr');
    const limit = rows.filter({ hasText: /Rate limit \(per minute\): .*900[^]*Staff/ });
    await limit.waitFor();
    expect(await rows.filter({ hasText: 'Webhook endpoint created' }).first().innerText()).toMatch(
      /Production[^]*Someone/,
    );
    await look(owner, 'activity');
    await limit.getByRole('link').click();
    await dialog
      .getByRole('row', { name: /^Rate limit \(per minute\)/ })
      .getByText('900')
      .waitFor();
    expect(await dialog.getByText('127.0.0.1').count()).toBe(0);
    expect(await dialog.getByRole('link').count()).toBe(0);
    await look(owner, 'activity-entry');
    const open = page.url();
    expect(open).toMatch(/entry=aud_/);
    // The keys work while an entry is open.
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== open && url.href.includes('entry=aud_'));
    await dialog.getByRole('row', { name: /^Rate limit \(per minute\)/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // An ID of another account reveals nothing.
    await go('/activity?entry=aud_1');
    await dialog.getByText('RECORD_NOT_FOUND').waitFor();
    await end();
  });

  it('of staff are suspended, reinstated and lose their second factors by an admin, but not by themselves', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    const { email } = await asStaff(context, 'finance');
    const me = await asStaff(context);
    const dialog = page.locator(DIALOG);
    await go('/people');
    await heading(page, 'People').waitFor();
    await page.locator('tbody tr', { hasText: me.email }).getByRole('link').click();
    await dialog.getByText('This is you').waitFor();
    expect(await dialog.getByRole('button').count()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.locator('tbody tr', { hasText: email }).getByRole('link').click();
    await button(page, 'Suspend').click();
    await button(page, 'Suspend Meera Rao').click();
    // Without a reason, nothing is sent.
    await dialog.locator('.field-error').waitFor();
    await page.getByLabel('Reason').fill('left the company');
    await button(page, 'Suspend Meera Rao').click();
    await page.getByText('Meera Rao suspended').waitFor();
    const suspended = async () =>
      (await on.test.db.query('select disabled_at from app_user where email = $1', [email]))[0]!.disabled_at !== null;
    expect(await suspended()).toBe(true);
    await look(seen, 'people');
    // Reinstating staff and resetting their second factors requires a second administrator.
    await button(page, 'Request reinstatement').click();
    await page.getByText('A second administrator must approve this.').waitFor();
    await button(page, 'Request approval').click();
    await page.getByText('Reinstate Meera Rao: pending approval by a second administrator').waitFor();
    expect(await suspended()).toBe(true);
    const [user] = await on.test.db.query<{ id: string }>('select id from app_user where email = $1', [email]);
    await on.test.app.users.enable(user!.id, undefined, seed);
    await page.reload();
    await dialog.getByText('Authenticator app, Recovery codes').waitFor();
    await button(page, 'Request removal of second factors').click();
    await page.getByLabel('Reason').fill('lost the phone, known by voice');
    await look(seen, 'factors-request-approval');
    await button(page, 'Request approval').click();
    await page
      .getByText('Remove the second factors of Meera Rao: pending approval by a second administrator')
      .waitFor();
    await go('/approval-requests?action=RESET_SECOND_FACTORS');
    await page
      .getByRole('row', { name: /Remove the second factors of Meera Rao/ })
      .getByRole('link')
      .click();
    const lost = page.getByRole('dialog', { name: 'Remove the second factors of Meera Rao' });
    await lost.getByText('first verify the identity of the user yourself').waitFor();
    for (const fact of [email, 'Finance', 'lost the phone, known by voice', 'Meera Rao'])
      await lost.getByText(fact).first().waitFor();
    await look(seen, 'factors-approval-request');
    await go('/people');
    await page.locator('tbody tr', { hasText: email }).getByRole('link').click();
    // The dialog shows before the click that a second admin is required.
    await button(page, 'Change role').click();
    await page.getByText('A second administrator must approve this').waitFor();
    await page.getByRole('radio', { name: /^Admin/ }).check();
    await button(page, 'Request approval').click();
    await page.getByText('Role of Meera Rao: pending approval by a second administrator').waitFor();
    await go('/approval-requests?action=SET_ROLE');
    await page
      .getByRole('row', { name: /Change the role of Meera Rao to Admin/ })
      .getByRole('link')
      .click();
    const approvalRequest = page.getByRole('dialog', { name: 'Change the role of Meera Rao to Admin' });
    expect(await approvalRequest.getByRole('row', { name: /^Role/ }).innerText()).toMatch(/Finance\s+Admin/);
    await look(seen, 'role-approval-request');
    await approvalRequest.getByRole('link', { name: 'Meera Rao', exact: true }).click();
    await page.waitForURL(/people\?user=usr_/);
    await end();
  });

  it('with the administrator role are suspended by two, or by one in an emergency, which another confirms', async () => {
    const seen = await visitor();
    const { page, context, go, end } = seen;
    await asStaff(context);
    const target = await staffMember('admin');
    const dialog = page.locator(DIALOG);
    const open = () => page.locator('tbody tr', { hasText: target.email }).getByRole('link').click();
    await go('/people');
    await open();
    await button(page, 'Request suspension').click();
    await page.getByText('Nothing changes until then.').waitFor();
    await page.getByLabel('Reason').fill('left the company');
    await button(page, 'Request approval').click();
    await page.getByText('Suspend Meera Rao: pending approval by a second administrator').waitFor();
    expect(await button(page, 'Request removal').count()).toBe(1);
    await look(seen, 'administrator');
    await button(page, 'Suspend in an emergency').click();
    await page.getByLabel('Reason').fill('the account is stolen');
    await look(seen, 'emergency');
    // Not before the box is checked.
    await button(page, 'Suspend now').click();
    expect((await on.test.db.query('select disabled_at from app_user where email = $1', [target.email]))[0]).toEqual({
      disabled_at: null,
    });
    await page.getByLabel(/^I understand that I cannot invite or change users/).check();
    await button(page, 'Suspend now').click();
    await page.getByText('Meera Rao suspended').waitFor();
    await dialog.getByText('Suspended in an emergency').first().waitFor();
    await look(seen, 'emergency-suspended');
    await end();

    const other = await visitor();
    await asStaff(other.context);
    await other.go('/approval-requests?action=SUSPEND_USER');
    await other.page
      .getByRole('row', { name: /Confirm the suspension of Meera Rao/ })
      .getByRole('link')
      .click();
    const approvalRequest = other.page.getByRole('dialog', { name: 'Confirm the suspension of Meera Rao' });
    for (const fact of ['in an emergency', target.email, 'the account is stolen'])
      await approvalRequest.getByText(fact).first().waitFor();
    await look(other, 'emergency-approval-request');
    await button(other.page, 'Confirm the suspension of Meera Rao').click();
    await other.page.getByText('Confirm the suspension of Meera Rao: approved').waitFor();
    await other.end();
    expect(
      await on.test.db.query(
        'select emergency_suspended_by as by, disabled_at is not null as out from app_user where email = $1',
        [target.email],
      ),
    ).toEqual([{ by: null, out: true }]);
  });
});

describe('a user profile', () => {
  it('has a new name and number immediately, and a new address after its email is opened', async () => {
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
    await page.getByText('Profile saved').first().waitFor();
    await button(page, 'Change…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New email address').fill(`new-${email}`);
    await dialog.getByLabel('Current password').fill('not my password');
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await dialog.locator('.field-error', { hasText: 'Incorrect current password.' }).waitFor();
    await dialog.getByLabel('Current password').fill(STAFF_PASSWORD);
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('Link sent.').first().waitFor();
    await page.getByText(email, { exact: true }).first().waitFor();
    await look(staff, 'profile');
    await go('/security');
    await page.getByLabel('Mobile number').waitFor();
    expect(await page.getByLabel('Mobile number').inputValue()).toBe('9812345678');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meera Iyer');
    const [mail] = await on.emailsTo(`new-${email}`, 1);
    await go(/\/confirm-email#token=[0-9a-f]{64}/.exec(mail!)![0]);
    await button(page, 'Confirm').click();
    await page.getByText('Your new email address is confirmed.').waitFor();
    const addresses = await on.test.db.query('select email from app_user where email in ($1, $2)', [
      email,
      `new-${email}`,
    ]);
    expect(addresses).toEqual([{ email: `new-${email}` }]);
    await end();
  });
});

describe('second factors', () => {
  it('bring recovery codes that cannot be closed by accident, and are removed after a warning', async () => {
    const owner = await itsOwner();
    const { page, go, end } = owner;
    const dialog = page.getByRole('dialog');
    const wrong = page.locator('.field-error', { hasText: 'Incorrect current password.' });
    await go('/team');
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByLabel('Current password').fill('not my password');
    await page.getByLabel('New password').fill('another long password');
    await button(page, 'Change password').click();
    await wrong.waitFor();
    await button(page, 'Add a second factor').click();
    await dialog.getByLabel('Your password').fill('not my password');
    await button(page, 'Continue').click();
    await dialog.locator(wrong).waitFor();
    await look(owner, 'factor-wrong-password');
    await dialog.getByLabel('Your password').fill(STAFF_PASSWORD);
    await button(page, 'Continue').click();
    const secret = await dialog.locator('.value code').innerText();
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await button(page, 'Confirm').click();
    await heading2(page, 'Save your recovery codes').waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await heading2(page, 'Leave without saving?').waitFor();
    await look(owner, 'codes-leave');
    await button(page, 'Stay').click();
    await heading2(page, 'Leave without saving?').waitFor({ state: 'detached' });
    expect(await dialog.locator('.codes code').count()).toBe(10);
    await look(owner, 'codes');
    await page.getByLabel('I have saved the codes in a safe place').check();
    await button(page, 'Continue').click();
    await dialog.waitFor({ state: 'detached' });

    const count = async () =>
      (
        await on.test.db.query(
          'select 1 from second_factor f join app_user u on u.id = f.user_id where u.developer_id = $1',
          [shop.id],
        )
      ).length;
    await button(page, 'Remove').click();
    await heading2(page, 'Remove Authenticator app “Authenticator”').waitFor();
    await dialog.getByText('This is your last second factor.').waitFor();
    await look(owner, 'factor-remove');
    expect(await count()).toBe(2);
    await button(page, 'Remove second factor').click();
    await page.getByText('Authenticator removed').first().waitFor();
    expect(await count()).toBe(0);
    await page.locator('h1:focus').waitFor();
    await end();
  });
});

describe('several tabs of one browser', () => {
  const noticeIn = (tab: Page) =>
    tab.waitForResponse((answer) => answer.request().postDataJSON()?.operationName === 'WhoIsSignedIn');

  it('show the currently signed-in user, and keep the input of the same user', async () => {
    const { page, context, go, end } = await itsOwner();
    const other = await on.test.developer();
    const email = 'other@tabs.example';
    await on.userOf(other.id, email);
    const nameOf = async ({ id }: TestDeveloper) =>
      (await on.test.db.query<{ name: string }>('select name from developer where id = $1', [id]))[0]!.name;
    const shows = async (who: TestDeveloper) =>
      page.locator('.side-column .who', { hasText: await nameOf(who) }).waitFor();
    await go('/security');
    await shows(shop);
    const second = await context.newPage();
    await second.goto(`${on.test.urls.console}/sign-in`);
    await signIn(second, email);
    await heading(second, await nameOf(other)).waitFor();
    await shows(other);

    await page.getByLabel('Name', { exact: true }).fill('Typed, not sent');
    const accountNotice = noticeIn(page);
    await second.goto(`${on.test.urls.console}/sign-in`);
    await signIn(second, email);
    await heading(second, await nameOf(other)).waitFor();
    await accountNotice;
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed, not sent');

    // As if the other tab had sent no notification.
    await asDeveloper(context, shop.id);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await shows(shop);
    await button(second, 'Sign out').first().click();
    await heading(second, 'Sign in').waitFor();
    await heading(page, 'Sign in').waitFor();
    await second.close();
    await end();
  });
});

describe('a sign-up', () => {
  it('can continue from every state: a new email, another address, a used link, a link opened in addition to another', async () => {
    const newcomer = await visitor();
    const { page, go, end } = newcomer;
    const email = 'newcomer@people.example';
    await go('/sign-up');
    await page.getByLabel('Business name').fill(applicant.name);
    await page.getByLabel('Email address').fill('mistyped@people.example');
    await page.getByLabel('Mobile number').fill(applicant.mobile);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Create account').click();
    await heading(page, 'Check your inbox').waitFor();
    await look(newcomer, 'sign-up-sent');
    await button(page, 'Use a different address').click();
    expect(await page.getByLabel('Business name').inputValue()).toBe(applicant.name);
    await page.locator('input[name="email"]:focus').fill(email);
    await button(page, 'Create account').click();
    await page.getByText(`We sent an email to ${email}.`).waitFor();
    await button(page, 'Resend email').click();
    await page.getByText('Email requested again.').waitFor();
    const links = (await on.emailsTo(email, 2)).map((mail) => /\n(http\S+#token=\S+)\n/.exec(mail)![1]!);
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await signIn(page, email, PASSWORD);
    await page.getByText('first confirm your address').waitFor();
    await look(newcomer, 'sign-in-unconfirmed');
    await page.goto(links[0]!);
    await heading(page, 'Confirm your email address').waitFor();
    const open = (link: string) => page.evaluate(`location.href = ${JSON.stringify(link)}`);
    await open(links[1]!);
    await page.getByLabel('Password').fill(PASSWORD);
    const sent = page.waitForRequest((request) => request.postDataJSON()?.operationName === 'Verify');
    await button(page, 'Confirm').click();
    expect(links[1]).toContain((await sent).postDataJSON().variables.input.token);
    await page.getByText('You can sign in now').waitFor();
    // The first link is no longer valid: its page opens, and leads to another sign-up.
    await open(links[0]!);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Confirm').click();
    await page.getByText('unknown, expired or already used').waitFor();
    await look(newcomer, 'verify-used');
    await page.getByRole('link', { name: 'Sign up again' }).click();
    await heading(page, 'Create an account').waitFor();
    await end();
  });
});

describe('failed attempts', () => {
  it('show the account, the IP address and the number of attempts; an address links to all of its attempts', async () => {
    const user = { name: 'Ravi Menon', password: STAFF_PASSWORD, role: 'developer', developerId: shop.id } as const;
    await on.test.app.users.create({ ...user, email: 'menon@shop.example', teamRole: 'owner' }, seed);
    const attempt = (email: string) =>
      on.call(undefined, 'mutation($input: SignInInput!) { signIn(input: $input) { token } }', {
        input: { email, password: 'not my password' },
      });
    for (const email of ['menon@shop.example', 'menon@shop.example', 'nobody@shop.example']) await attempt(email);

    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context, 'support');
    await go('/attempts');
    await heading(page, 'Failed attempts').waitFor();
    const row = page.locator('tbody tr', { hasText: 'Ravi Menon' });
    await until('both are counted', async () => {
      await page.reload();
      await heading(page, 'Failed attempts').waitFor();
      return /Sign-in\s+wrong password[^]*\b2\b/.test(await row.innerText());
    });
    // For an unknown address, the typed text is shown masked.
    const unknownRow = page.locator('tbody tr', { hasText: '@shop.example' });
    expect(await unknownRow.innerText()).not.toContain('nobody@');
    await look(staff, 'failed-attempts');
    await page.getByLabel('Attempt').selectOption('API key secret');
    await page.getByText('No results.').waitFor();
    await page.getByRole('link', { name: 'Show the last 92 days' }).click();
    await row.getByRole('link', { name: /^127\.|^::1|^::ffff/ }).click();
    await page.waitForURL(/address=/);
    await row.waitFor();
    const box = page.getByLabel('IP address');
    expect(await box.inputValue()).toMatch(/127|::1/);
    await box.fill('');
    await page.waitForURL((url) => !url.searchParams.has('address'));
    // The input keeps the focus.
    await page.locator('input[type="search"]:focus').waitFor();
    await page.keyboard.type('10.0.0.1');
    await page.getByText('No results.').waitFor();
    await page.getByRole('link', { name: 'Show the last 92 days' }).click();
    await row.waitFor();
    expect(await box.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Ravi Menon' }).click();
    const person = page.getByRole('dialog', { name: 'Ravi Menon' });
    await person.getByText('menon@shop.example').first().waitFor();
    // The command palette leads to the same user.
    await go('/');
    await heading(page, 'Work list').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('menon@shop.example');
    await page.getByRole('option', { name: /Ravi Menon/ }).click();
    await person.getByText('menon@shop.example').first().waitFor();
    await end();
  });
});
