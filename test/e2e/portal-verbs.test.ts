import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/orm.js';
import { inReview } from '../orders/order.fixture.js';
import { seed } from '../support/app.js';
import { keepPicture } from '../support/browser.js';
import { close } from '../support/closed.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';
import { button, heading, STAFF_PASSWORD, usePortal, type Visitor } from './portal.fixture.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ TWO_PEOPLE: 'provider', ALLOW_PRIVATE_WEBHOOKS: 'true' });

/** At both widths and in both schemes; nothing is wider than the screen. */
async function look({ page }: Visitor, name: string): Promise<void> {
  for (const width of [360, 1280])
    for (const colorScheme of process.env.SCREENSHOTS ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
}

const accountOf = async (id: string) =>
  (
    await on.test.db.query(
      `select name, rate_limit_per_minute rate, token_idle_days idle, token_max_days most, duplicate_guard_s guard,
         recharge_provider provider from developer where id = $1`,
      [id],
    )
  )[0] as Record<string, unknown> & { name: string };

describe('an account', () => {
  it('gets limits of its own and the usual ones again, and another provider by two people, which is said first', async () => {
    const { id } = await on.test.developer({ provider: 'ROUNDPAY' });
    const { name } = await accountOf(id);
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go(`/developers/dev_${id}`);
    const dialog = page.getByRole('dialog');
    const limit = (what: string) => page.getByRole('listitem').filter({ hasText: what });
    await limit('Rate limit').getByText('(usual)').waitFor();
    await limit('Rate limit').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Calls a minute').fill('999999999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must be between 1 and/).waitFor();
    await dialog.getByLabel('Calls a minute').fill('1200');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Rate limit').getByText('1200 a minute').waitFor();
    await limit('Life of tokens').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Days without use').fill('2');
    await dialog.getByLabel('Days in all').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Life of tokens').getByText('2 days unused, 9 in all').waitFor();
    await limit('Guard against').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Seconds').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await limit('Guard against').getByText('90 seconds').waitFor();
    await look(staff, 'limits');
    expect(await accountOf(id)).toMatchObject({ rate: 1200, idle: 2, most: 9, guard: 90 });

    for (const what of ['Rate limit', 'Life of tokens']) {
      await limit(what).getByRole('button', { name: 'As usual…' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await limit(what).getByText('(usual)').waitFor();
    }
    await limit('Recharge provider').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByText(/^This takes a second admin/).waitFor();
    await dialog.getByLabel('Recharges by').selectOption('Mokshiq');
    await look(staff, 'provider');
    await dialog.getByRole('button', { name: 'Assign it' }).click();
    await page.getByText(`Recharge provider of ${name}: this waits for a second admin`).first().waitFor();
    expect(await accountOf(id)).toMatchObject({ rate: null, idle: null, most: null, guard: 90, provider: 'ROUNDPAY' });

    await button(page, 'Suspend…').first().click();
    await dialog.getByRole('button', { name: /^Suspend/ }).click();
    // why is required
    await dialog.getByLabel('Reason').fill('Its secret stands in a public repository');
    await look(staff, 'suspend-key');
    await dialog.getByRole('button', { name: /^Suspend/ }).click();
    await page.getByText('Its secret stands in a public repository').waitFor();
    const suspended = () =>
      on.test.db.query('select 1 from credential where developer_id = $1 and suspended_at is not null', [id]);
    expect(await suspended()).toHaveLength(1);
    await button(page, 'Reinstate…').click();
    await dialog.getByRole('button', { name: /^Reinstate/ }).click();
    await page
      .getByText(/works again/)
      .first()
      .waitFor();
    expect(await suspended()).toEqual([]);
    await end();

    const own = await visitor();
    await asDeveloper(own.context, id);
    await own.go('/services');
    await own.page.getByText('90 seconds').waitFor();
    await button(own.page, 'Change…').click();
    await own.page.getByLabel('Seconds').fill('3601');
    await button(own.page, 'Save').click();
    // it moves the button, which would slip away under the next click
    await own.page.locator('.field-error', { hasText: '3600' }).waitFor();
    await own.page.getByLabel('Seconds').fill('0');
    await button(own.page, 'Save').click();
    await own.page.getByText('Guard against duplicates: Off').first().waitFor();
    await look(own, 'own-guard');
    expect(await accountOf(id)).toMatchObject({ guard: 0 });
    await own.end();
  });

  it('that was closed for good says so and when, and has no button but for what is left of its money', async () => {
    const { id } = await on.test.developer({ liveRupees: 0 });
    const { name } = await accountOf(id);
    await close(on.test, id);
    const staff = await visitor();
    const { page, go, follow, end } = staff;
    await asStaff(staff.context);
    await go('/developers?suspended=true');
    await page.getByText('No developer matches.').waitFor();
    await button(page, 'Closed').click();
    await page.waitForURL(/closed=true/);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Closed\s+\d+ \w{3}, [\d:]{8}/);
    await look(staff, 'closed-list');
    await row.getByRole('link').click();
    await page.getByText('This account is closed for good').waitFor();
    await page.getByText('Asked for by letter').waitFor();
    await page.getByText('(usual)').first().waitFor();
    const buttons = await page.locator('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== 'Show the call')).toEqual(['Debit…', 'Add note']);
    expect(await page.locator('main').getByRole('switch', { disabled: false }).count()).toBe(0);
    await look(staff, 'closed');
    await follow(`/team?developer=dev_${id}`);
    await heading(page, new RegExp(name)).waitFor();
    expect(await button(page, 'Invite').count()).toBe(0);
    await end();
  });

  it('shows its limits to who only reads, and no button', async () => {
    const { id } = await on.test.developer();
    const { page, go, end, context } = await visitor(360);
    await asStaff(context, 'support');
    await go(`/developers/dev_${id}`);
    await page.getByText('(usual)').first().waitFor();
    expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    await end();
  });
});

describe('a white label', () => {
  it('gets another provider by two people, which is said before the click', async () => {
    await on.test.app.whiteLabels.create('Malabar Resellers', 'ROUNDPAY', seed);
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    await go('/white-labels');
    const card = page.locator('.card', { hasText: 'Malabar Resellers' });
    await card.getByRole('button', { name: 'Provider…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^This takes a second admin/)
      .waitFor();
    await end();
  });
});

describe('one’s own profile', () => {
  it('has another name and number at once, and another address once its mail is opened', async () => {
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
    await page.getByText('Your name and number are saved').first().waitFor();
    await button(page, 'Change…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New e-mail address').fill(`new-${email}`);
    await dialog.getByLabel('Current password').fill('not my password');
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog
      .getByText(/wrong|password/i)
      .last()
      .waitFor();
    await dialog.getByLabel('Current password').fill(STAFF_PASSWORD);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('The link is on its way.').first().waitFor();
    await page.getByText(email, { exact: true }).first().waitFor();
    await look(staff, 'profile');
    await go('/security');
    await page.getByLabel('Mobile number').waitFor();
    expect(await page.getByLabel('Mobile number').inputValue()).toBe('9812345678');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meera Iyer');
    const [mail] = await on.mailsTo(`new-${email}`, 1);
    await go(/\/confirm-email#token=[0-9a-f]{64}/.exec(mail!)![0]);
    await button(page, 'Confirm').click();
    await page.getByText('Your new address is confirmed.').waitFor();
    const addresses = await on.test.db.query('select email from app_user where email in ($1, $2)', [
      email,
      `new-${email}`,
    ]);
    expect(addresses).toEqual([{ email: `new-${email}` }]);
    await end();
  });
});

describe('undecided orders', () => {
  it('are asked about together, and each one says whether that was possible', async () => {
    const developer = await on.test.developer();
    const orders = [
      await inReview(on.test, developer, { account: '9876511001' }),
      await inReview(on.test, developer, { account: '9876511002' }),
    ];
    // the other one's provider knows no such question
    await on.test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [orders[0]]);
    const staff = await visitor();
    const { page, go, end, context } = staff;
    await asStaff(context, 'finance');
    await go('/review');
    await heading(page, 'Undecided orders').waitFor();
    for (const digits of ['1001', '1002']) await page.getByLabel(`Select xxxxxx${digits}`).check();
    await look(staff, 'selected');
    await button(page, 'Ask the providers').click();
    const line = (digits: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: digits });
    await line('xxxxxx1001').getByText('is asked now').waitFor();
    await line('xxxxxx1002').getByText('cannot be asked about').waitFor();
    await look(staff, 'asked');
    await page.setViewportSize({ width: 360, height: 800 });
    await go('/review');
    const boxes = page.getByLabel(/^Select xxxxxx/);
    await boxes.first().waitFor();
    await page.getByLabel('Select all on this page').check();
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true);
    await end();
  });
});

describe('a white label that was disabled', () => {
  it('is enabled with a reason, and of a move it is said before the click whose provider counts and who decides', async () => {
    const { whiteLabels } = on.test.app;
    const label = await whiteLabels.create('Konkan Resellers', 'MOKSHIQ', seed);
    await whiteLabels.disable(label.id, 'Left us', seed);
    const [stays, moves] = [await on.test.developer(), await on.test.developer()];
    await on.test.db.query('update developer set white_label_id = $2 where id = $1', [stays.id, label.id]);
    const labelOf = async (id: string) =>
      (await on.test.db.query('select white_label_id label from developer where id = $1', [id]))[0]!.label;
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go('/white-labels');
    const card = page.locator('.card', { hasText: 'Konkan Resellers' });
    const dialog = page.getByRole('dialog');
    await card.getByRole('button', { name: 'Enable…' }).click();
    await dialog.getByText('You decide this alone.').waitFor();
    await dialog.getByLabel('Reason').fill('Came back');
    await look(staff, 'label-enable');
    await dialog.getByRole('button', { name: 'Enable Konkan Resellers' }).click();
    await card.getByRole('button', { name: 'Move in…' }).click();
    expect(
      await on.test.db.query('select disabled_at from white_label where id = $1 and disabled_at is null', [label.id]),
    ).toHaveLength(1);
    await dialog.getByLabel('Name, e-mail or account number').fill(`dev_${moves.id}`);
    await dialog.getByRole('radio').check();
    await dialog.getByText('Mokshiq performs its recharges then. This takes a second admin').waitFor();
    await look(staff, 'label-move-in');
    await dialog.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('this waits for a second admin').first().waitFor();
    await card.getByRole('button', { name: 'Move out…' }).click();
    await dialog.getByText('RoundPay performs its recharges then. This takes a second admin').waitFor();
    await look(staff, 'label-move-out');
    await dialog.getByRole('button', { name: /^Move .* out$/ }).click();
    await page.getByText('this waits for a second admin').nth(1).waitFor();
    expect([await labelOf(stays.id), await labelOf(moves.id)]).toEqual([label.id, null]);
    await end();
  });
});

describe('an endpoint', () => {
  it('gets another secret and other events, and who was invited another link', async () => {
    const developer = await on.test.developer();
    const { id, secret } = await createEndpoint(
      on,
      { developer, session: await on.userOf(developer.id) },
      'http://127.0.0.1:9/hook',
      'uat',
    );
    const stored = async () =>
      (
        await on.test.db.query('select types, secret, previous_secret former from webhook_endpoint where id = $1', [id])
      )[0]!;
    const before = await stored();
    const owner = await visitor();
    const { page, go, end } = owner;
    await asDeveloper(owner.context, developer.id);
    const dialog = page.getByRole('dialog');
    await go('/webhooks');
    await button(page, 'Events').click();
    await dialog.getByLabel('Recharge reversed').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('What is posted has changed').first().waitFor();
    const { types } = await stored();
    expect([types.includes('recharge.reversed'), types.includes('recharge.succeeded')]).toEqual([false, true]);
    await button(page, 'New secret').click();
    await dialog.getByRole('button', { name: 'Make the new secret' }).click();
    const shown = await dialog.locator('.value code').innerText();
    await dialog.getByLabel('I have it').check();
    await button(page, 'Done').click();
    await page.getByText('signs too until').waitFor();
    const after = await stored();
    expect(shown).not.toBe(secret);
    // both sign for a day
    expect([before.former, after.former === null, after.secret.equals(before.secret)]).toEqual([null, false, false]);

    await on.test.db.query(
      `insert into invitation (id, token_hash, email, name, role, team_role, developer_id, invited_by, expires_at)
        select uuidv7(), sha256('former'), 'lata@verbs.example', 'Lata Iyer', 'developer', 'reader', developer_id, id, now() + interval '1 hour'
        from app_user where developer_id = $1 limit 1`,
      [developer.id],
    );
    await go('/team');
    await page.getByRole('link', { name: 'Lata Iyer' }).click();
    await button(page, 'Invite again').click();
    await dialog.getByRole('button', { name: 'Invite again' }).last().click();
    const [mail] = await on.mailsTo('lata@verbs.example', 1);
    expect(mail).toContain('/accept-invitation#token=');
    expect(
      await on.test.db.query(
        `select token_hash = sha256('former') as same from invitation where email = 'lata@verbs.example'`,
      ),
    ).toEqual([{ same: false }]);
    await end();
  });
});

describe('play money', () => {
  it('is debited by one person, and a success is taken back; what everybody did is a file', async () => {
    const developer = await on.test.developer();
    const sent = await place(on.test, developer, { client_request_id: 'to take back', amount: 11 }, 'uat');
    const balance = await on.test.balance(developer, 'uat');
    const [{ id }] = (await on.test.db.query('select id from orders where developer_id = $1', [developer.id])) as [
      { id: string },
    ];
    expect(sent.status).toBe(200);
    const { page, go, end, context } = await visitor();
    await asStaff(context);
    const dialog = page.getByRole('dialog');
    await go(`/developers/dev_${developer.id}`);
    // a message that stays covers no dialog, however little room there is
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON().operationName === 'SetAccess' ? route.abort() : route.fallback(),
    );
    await page.getByRole('switch').first().click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    await page.setViewportSize({ width: 360, height: 480 });
    await button(page, 'Debit…').press('Enter');
    await until('the dialog begins below it', async () => {
      const [above, below] = await Promise.all([toast.boundingBox(), page.locator('.window').boundingBox()]);
      return above!.y + above!.height <= below!.y;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await toast.locator('.icon-button').click();
    await dialog.getByRole('radio', { name: 'UAT' }).check();
    await dialog.getByLabel('Amount in rupees').fill('5');
    await dialog.getByLabel('Reference').fill('Credited twice');
    await dialog.getByLabel('Reason').fill('A typo');
    await dialog.getByRole('button', { name: /^Debit ₹5.00 from/ }).click();
    await page.locator('.toast', { hasText: '₹1,99,984.00' }).waitFor();
    expect(await on.test.balance(developer, 'uat')).toBe(balance - 5);
    await go(`/orders?environment=UAT&order=ord_${id}`);
    await button(page, 'Reverse…').click();
    await dialog.getByLabel('How you know').fill('Their number got nothing');
    await dialog.getByRole('button', { name: /^Give ₹11.00 back to/ }).click();
    await page.locator('.drawer .badge', { hasText: 'Reversed' }).waitFor();
    expect(await on.test.balance(developer, 'uat')).toBe(balance - 5 + 11);
    const reversed = 'select id from orders where id = $1 and reversed_at is not null';
    expect(await on.test.db.query(reversed, [id])).toHaveLength(1);

    await go('/audit');
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const lines = (await readFile((await (await file).path())!, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ subject }) => String(subject).includes(developer.id)).length).toBeGreaterThan(1);
    await end();
  });
});

describe('mails that were given up', () => {
  it('are found in the work list with the reason, and one is sent again by an admin', async () => {
    const { mails, orm } = on.test.app;
    const to = 'given-up@verbs.example';
    await mails.ready();
    await inTransaction(orm, async (tx) => {
      await mails.queue({ to, subject: 'Your account was closed', text: 'Nobody signs in any more.' }, tx);
      const reset = { to: 'reset@verbs.example', subject: 'Set a new password', text: 'http://c.example/#token=0f0f' };
      await mails.queue({ ...reset, linkEndsAt: '2026-01-01T00:00:00.000Z' }, tx);
      const db = tx.getKysely();
      await sql`update pgboss.job set state = 'failed' where name = 'mail' and state = 'created'`.execute(db);
      await sql`update mail set attempted_at = now(), failure = 'refused', answer = '550 5.1.1'`.execute(db);
    });
    const staff = await visitor();
    const { page, go, end } = staff;
    await asStaff(staff.context);
    await go('/');
    await page.locator('.work', { hasText: 'Mails given up' }).getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Mails given up').waitFor();
    const row = page.getByRole('row').filter({ hasText: to });
    expect(await row.innerText()).toMatch(/Your account was closed[^]*Refused for good[^]*550 5\.1\.1/);
    await page.getByText('Its link has ended: they ask for a new one').waitFor();
    await look(staff, 'failed-mails');
    await row.getByRole('button', { name: /^Send again/ }).click();
    await row.waitFor({ state: 'detached' });
    expect((await on.mailsTo(to, 1))[0]).toContain('Nobody signs in any more.');
    await until('it is gone', async () => (await on.test.db.query('select id from mail')).length === 1);
    await go('/mails');
    await page.getByText('Set a new password').waitFor();
    await on.test.db.query('delete from mail');
    await end();
    const support = await visitor(360);
    await asStaff(support.context, 'support');
    await support.go('/mails');
    await support.page.getByText('No mail was given up.').waitFor();
    await support.end();
  });
});

// the last one: it ends every stream of the service for good
describe('the work list', () => {
  it('hears of what comes in, and reads it again and again where nobody tells it', async () => {
    const { page, go, end, context, wrong } = await visitor();
    await asStaff(context);
    let readings = 0;
    let streams = 0;
    page.on('request', (request) => {
      const { operationName } = request.postDataJSON() ?? {};
      if (operationName === 'Work') readings++;
      if (operationName === 'WorkChanged') streams++;
    });
    await page.clock.install();
    await go('/');
    const kyc = page.locator('.work', { hasText: 'KYC to review' }).locator('.count');
    await until('the page listens', () => on.test.app.workFeed.count === 1);
    const count = Number(await kyc.innerText());
    const shows = async (more: number) => Number(await kyc.innerText()) === count + more;
    readings = 0;
    await on.applicant('Told Traders');
    await until('it is told', () => shows(1));
    expect(readings).toBe(0);
    on.test.app.workFeed.stop();
    await until('what was missed is read', () => readings > 0);
    // the process that ends refuses the next stream, which is not asked for again at once
    await until('a stream was asked for in vain', () => wrong.some((text) => text.includes('503')));
    for (let twoSeconds = 0; twoSeconds < 5; twoSeconds++) {
      await page.clock.fastForward(2_000);
      await page.evaluate('fetch("/livez")');
    }
    expect(streams).toBe(2);
    await on.applicant('Untold Traders');
    await until('it is read after half a minute, and a stream asked for again', async () => {
      await page.clock.fastForward(31_000);
      return streams > 2 && shows(2);
    });
    // what the browser says of the streams that were asked for in vain, all but the first one
    await until('each was refused', () => wrong.length >= streams - 1);
    expect(wrong.splice(0).filter((text) => !text.includes('503'))).toEqual([]);
    await end();
  });
});
