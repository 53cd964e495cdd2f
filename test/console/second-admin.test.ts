import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runUserCommand, userOptions } from '../../src/cli/user-commands.js';
import { FROM_TEST, mailboxOf, seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { arrivedFor, emailsTo } from '../support/mailbox.js';
import { until } from '../support/until.js';
import { codesOf, PASSWORD, useOwnConsole } from './console.fixture.js';

/** No approvals are required by the settings. */
const console = useOwnConsole({ TWO_PEOPLE: 'none' });
/** Sessions with a second factor. */
const session: Record<'admin' | 'second', string> = { admin: '', second: '' };
type Session = string | undefined;

async function mutate(token: string | undefined, name: string, input: object, selection: string) {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const response = await console.call(token, `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`, {
    input,
  });
  return { codes: codesOf(response), data: response.body.data?.[name] };
}

async function enrolled(token: string): Promise<string> {
  const started = await mutate(token, 'startTotp', { currentPassword: PASSWORD }, '{ secret }');
  return (await mutate(token, 'confirmTotp', { code: codeOf(started.data.secret) }, '{ token }')).data.token;
}

const invite = (email: string, role: string, by: Session = session.admin) =>
  mutate(by, 'inviteUser', { email, name: 'Somebody', role }, '{ user { id } }');
const accept = async (email: string) => {
  const [message] = await emailsTo(mailboxOf(console.test.db.url), email, 1);
  const [, token] = /accept-invitation#token=([0-9a-f]{64})/.exec(message!)!;
  return mutate(undefined, 'acceptInvitation', { token, password: PASSWORD }, '{ viewer { user { id role } } }');
};
const setRole = (userId: string, role: string, by: Session = session.admin) =>
  mutate(by, 'setUserRole', { userId, role }, '{ approvalRequest { id state } }');
const needsApproval = async () =>
  (await console.call(session.admin, '{ defaults { twoPeople } }')).body.data.defaults.twoPeople;

/** A user who joined as support before there was a second admin. */
let supporter: string;

beforeAll(async () => {
  session.admin = await enrolled(console.staff.admin);
});

it('without a second enrolled admin, one admin changes roles without approval', async () => {
  expect(await needsApproval()).toEqual([]);
  expect((await invite('support-one@test.example', 'SUPPORT')).codes).toEqual([]);
  supporter = (await accept('support-one@test.example')).data.viewer.user.id;
  expect((await setRole(supporter, 'REVIEWER')).data).toEqual({ approvalRequest: null });
  expect((await invite('early@test.example', 'ADMIN')).codes).toEqual([]);
});

it('with a second enrolled admin, one admin cannot create another by a role, an invitation or an earlier link', async () => {
  session.second = await enrolled(console.staff.second);
  expect(await needsApproval()).toEqual(['ROLES']);
  for (const role of ['ADMIN', 'FINANCE', 'REVIEWER'])
    expect([role, (await invite(`own-${role}@test.example`, role)).codes]).toEqual([role, ['CONFLICT']]);
  expect((await invite('support-two@test.example', 'SUPPORT')).codes).toEqual([]);
  expect((await accept('early@test.example')).codes).toEqual(['VALIDATION_FAILED']);
  expect((await setRole(supporter, 'ADMIN')).data.approvalRequest.state).toBe('PENDING');
});

interface Member {
  id: string;
  email: string;
  token: string;
}
let userCount = 0;
/** Creates a user with a second factor by command. */
async function member(role: 'admin' | 'finance' | 'reviewer' | 'support'): Promise<Member> {
  const email = `${role}-${++userCount}@test.example`;
  const { users, sessions } = console.test.app;
  const id = await users.create({ email, name: `${role} ${userCount}`, role, password: PASSWORD }, seed);
  const { token } = await sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
  return { id: `usr_${id}`, email, token: await enrolled(token) };
}
const [PENDING_FIELDS, reason] = ['{ user { suspendedAt role } approvalRequest { id action state } }', 'A test'];
const suspend = ({ id }: Member, by: Session, more: object = {}) =>
  mutate(by, 'suspendUser', { userId: id, reason, ...more }, PENDING_FIELDS);
const reinstate = ({ id }: Member, by: Session) => mutate(by, 'reinstateUser', { userId: id }, PENDING_FIELDS);
const remove = ({ id }: Member, by: Session) =>
  mutate(by, 'removeUser', { userId: id, reason }, '{ removedUserId approvalRequest { id action state } }');
const reset = (userId: string, by: Session) =>
  mutate(by, 'resetSecondFactors', { userId, reason }, '{ user { id } approvalRequest { id action state } }');
const approve = (approvalRequestId: string, by: Session) =>
  mutate(
    by,
    'approveApprovalRequest',
    { approvalRequestId },
    '{ outcome { ... on ApprovalRequestApproved { user { id } } } }',
  );
const isSignedIn = async ({ token }: Member) =>
  (await console.call(token, '{ viewer { user { id } } }')).status === 200;
const countEmails = (email: string, subject: string) =>
  arrivedFor(mailboxOf(console.test.db.url), email).filter((message) => message.includes(`Subject: ${subject}`)).length;
const stateOf = async ({ id }: Member) => {
  const [row] = await console.test.db.query(
    `select role, disabled_at is not null as out, removed_at is not null as removed, (select count(*)::int from second_factor f where f.user_id = u.id) as factors
      from app_user u where u.id = $1`,
    [id.slice(4)],
  );
  return row!;
};

beforeEach(async () => {
  // All tests use one address, which has a limit of invitations.
  await console.test.db.query(`delete from rate_limit where key not like 'rate:%'`);
});

describe('removing an administrator', () => {
  it.each([
    ['suspendUser', 'SUSPEND_USER', (target: Member, by: string) => suspend(target, by), { out: true }],
    ['removeUser', 'REMOVE_USER', (target: Member, by: string) => remove(target, by), { removed: true }],
    ['setUserRole', 'SET_ROLE', (target: Member, by: string) => setRole(target.id, 'SUPPORT', by), { role: 'support' }],
    [
      'resetSecondFactors',
      'RESET_SECOND_FACTORS',
      (target: Member, by: string) => reset(target.id, by),
      { factors: 0 },
    ],
  ] as const)('with %s requires approval by another administrator', async (_name, action, act, done) => {
    const target = await member('admin');
    const stateBefore = await stateOf(target);
    const { data, codes } = await act(target, session.admin);
    expect([codes, data.approvalRequest.state]).toEqual([[], 'PENDING']);
    expect([await stateOf(target), await isSignedIn(target)]).toEqual([stateBefore, true]);
    const list =
      '{ approvalRequests(first: 50) { edges { node { id action reason requestedBy { name } user { id } changes { field } } } } }';
    const { edges } = (await console.call(session.second, list)).body.data.approvalRequests;
    const listed = edges.find(({ node }: { node: { id: string } }) => node.id === data.approvalRequest.id).node;
    expect(listed).toMatchObject({ action, requestedBy: { name: 'admin' }, user: { id: target.id } });
    expect(listed.changes.length).toBeGreaterThan(0);
    expect((await approve(data.approvalRequest.id, session.admin)).codes).toEqual(['FORBIDDEN']);
    expect((await approve(data.approvalRequest.id, session.second)).codes).toEqual([]);
    expect(await stateOf(target)).toMatchObject(done);
    expect((await approve(data.approvalRequest.id, session.second)).codes).toEqual(['CONFLICT']);
  });

  it('cannot be approved by an admin who was suspended in the meantime or whose own factors are to be reset', async () => {
    const [first, second] = [await member('admin'), await member('admin')];
    const suspension = (await suspend(second, first.token)).data.approvalRequest;
    const own = (await reset(second.id, first.token)).data.approvalRequest;
    expect((await approve(own.id, second.token)).codes).toEqual(['FORBIDDEN']);
    const counter = (await suspend(first, second.token)).data.approvalRequest;
    expect((await approve(suspension.id, session.admin)).codes).toEqual([]);
    expect((await approve(counter.id, session.second)).codes).toEqual(['CONFLICT']);
    expect((await console.call(second.token, '{ viewer { user { id } } }')).status).toBe(401);
    // Reinstating an administrator requires two admins as well.
    const back = (await reinstate(second, session.admin)).data.approvalRequest;
    expect([back.action, (await stateOf(second)).out]).toEqual(['REINSTATE_USER', true]);
    expect((await approve(back.id, session.admin)).codes).toEqual(['FORBIDDEN']);
    expect((await approve(back.id, session.second)).codes).toEqual([]);
    expect((await stateOf(second)).out).toBe(false);
  });

  it('by demotion with two admins cannot be undone by a promotion without approval', async () => {
    const target = await member('admin');
    expect(
      (await approve((await setRole(target.id, 'SUPPORT')).data.approvalRequest.id, session.second)).codes,
    ).toEqual([]);
    const secondRequest = (await setRole(target.id, 'ADMIN', session.second)).data.approvalRequest;
    expect([secondRequest.state, (await stateOf(target)).role]).toEqual(['PENDING', 'support']);
  });

  it('requires more than removing other staff, whom one admin can suspend and remove immediately', async () => {
    const target = await member('finance');
    expect((await suspend(target, session.admin)).data.approvalRequest).toBeNull();
    expect((await reinstate(target, session.admin)).data.approvalRequest.action).toBe('REINSTATE_USER');
    expect((await remove(target, session.admin)).data.approvalRequest).toBeNull();
  });
});

describe('an emergency suspension', () => {
  it('takes effect immediately, notifies every administrator, and restricts its author until another admin confirms it', async () => {
    const [author, target, colleague] = [await member('admin'), await member('admin'), await member('support')];
    const [mailbox, laterMailbox] = [`own-${++userCount}@test.example`, `own-${++userCount}@test.example`];
    expect((await invite(mailbox, 'SUPPORT', author.token)).codes).toEqual([]);
    const earlier = (await setRole(colleague.id, 'ADMIN', author.token)).data.approvalRequest;
    const otherRequest = (await setRole((await member('support')).id, 'FINANCE')).data.approvalRequest;

    const { data, codes } = await suspend(target, author.token, { emergency: true });
    expect([codes, data.user.suspendedAt]).toEqual([[], expect.any(String)]);
    expect([data.approvalRequest.action, await isSignedIn(target)]).toEqual(['SUSPEND_USER', false]);
    const SUBJECT = 'Emergency suspension of an administrator';
    for (const email of ['admin@test.example', 'second@test.example', author.email, target.email])
      await until(`${email} receives an email`, () => countEmails(email, SUBJECT) > 0);
    const [entry] = await console.test.db.query(
      `select actor, reason, after from audit_entry where subject = $1 and action = 'user.suspend_in_emergency'`,
      [`user:${target.id.slice(4)}`],
    );
    expect(entry).toMatchObject({ actor: `user:${author.id.slice(4)}`, reason, after: { disabled: true } });

    const by = author.token;
    expect({
      invite: (await invite(laterMailbox, 'SUPPORT', by)).codes,
      role: (await setRole(colleague.id, 'REVIEWER', by)).codes,
      removal: (await remove(colleague, by)).codes,
      factors: (await reset(colleague.id, by)).codes,
      another: (await suspend(await member('admin'), by, { emergency: true })).codes,
      approval: (await approve(otherRequest.id, by)).codes,
      confirmation: (await approve(data.approvalRequest.id, by)).codes,
      again: (await suspend(target, by)).data.approvalRequest.id,
      // Requests and invitations of the author from before are restricted, too.
      earlier: (await approve(earlier.id, session.second)).codes,
      link: (await accept(mailbox)).codes,
    }).toEqual({
      invite: ['FORBIDDEN'],
      role: ['FORBIDDEN'],
      removal: ['FORBIDDEN'],
      factors: ['FORBIDDEN'],
      another: ['FORBIDDEN'],
      approval: ['FORBIDDEN'],
      confirmation: ['FORBIDDEN'],
      again: data.approvalRequest.id,
      earlier: ['CONFLICT'],
      link: ['VALIDATION_FAILED'],
    });
    expect((await approve(data.approvalRequest.id, session.second)).codes).toEqual([]);
    expect(await stateOf(target)).toMatchObject({ out: true });
    expect((await invite(laterMailbox, 'SUPPORT', by)).codes).toEqual([]);
    expect((await approve(earlier.id, session.second)).codes).toEqual([]);
    await until('the author receives an email', () => countEmails(author.email, 'Emergency suspension confirmed') > 0);
  });

  it('can be undone by one administrator, including its author, or confirmed by another without an approval request', async () => {
    const [author, target] = [await member('admin'), await member('admin')];
    for (const by of [author.token, session.admin]) {
      await suspend(target, author.token, { emergency: true });
      expect((await invite(`x-${++userCount}@test.example`, 'SUPPORT', author.token)).codes).toEqual(['FORBIDDEN']);
      expect((await reinstate(target, by)).data).toMatchObject({ user: { suspendedAt: null }, approvalRequest: null });
      expect((await invite(`x-${++userCount}@test.example`, 'SUPPORT', author.token)).codes).toEqual([]);
    }
    const first = (await suspend(target, author.token, { emergency: true })).data.approvalRequest;
    expect((await suspend(target, session.admin)).data).toMatchObject({ approvalRequest: null });
    expect((await approve(first.id, session.second)).codes).toEqual(['CONFLICT']);
    expect((await reinstate(target, author.token)).data.approvalRequest.action).toBe('REINSTATE_USER');
  });

  it('leaves one of two admins who suspend each other at the same time', async () => {
    const [first, second] = [await member('admin'), await member('admin')];
    const responses = await Promise.all([
      suspend(first, second.token, { emergency: true }),
      suspend(second, first.token, { emergency: true }),
    ]);
    expect(responses.flatMap(({ codes }) => codes)).toHaveLength(1);
    expect([(await stateOf(first)).out, (await stateOf(second)).out].toSorted()).toEqual([false, true]);
    await reinstate((await stateOf(first)).out ? first : second, session.admin);
  });
});

describe('resetting lost second factors', () => {
  it('of an account owner requires two admins, and the user and the owners are notified of the request and its outcome', async () => {
    const { id: developerId } = await console.test.developer();
    const [email, owner] = [`lost-${++userCount}@test.example`, `owner-${userCount}@test.example`];
    const token = await enrolled(await console.userOf(developerId, email));
    await console.userOf(developerId, owner);
    const reviewer = await member('reviewer');
    const [row] = await console.test.db.query<{ id: string }>('select id from app_user where email = $1', [email]);
    const target = { id: `usr_${row!.id}`, email, token };
    const { data, codes } = await reset(target.id, reviewer.token);
    expect([codes, data.approvalRequest.action, await isSignedIn(target)]).toEqual([[], 'RESET_SECOND_FACTORS', true]);
    await until(
      'both receive an email about the request',
      () =>
        countEmails(email, 'Your second factors will be reset') === 1 &&
        countEmails(owner, 'Second factors will be reset') === 1,
    );
    expect((await approve(data.approvalRequest.id, reviewer.token)).codes).toEqual(['FORBIDDEN']);
    expect((await approve(data.approvalRequest.id, session.second)).codes).toEqual([]);
    expect([(await stateOf(target)).factors, await isSignedIn(target)]).toEqual([0, false]);
    await until(
      'both receive an email about the reset',
      () =>
        countEmails(email, 'Your second factors were reset') === 1 &&
        countEmails(owner, 'Second factors were reset') === 1,
    );
  });

  it('of staff requires two admins, and a KYC reviewer cannot approve it', async () => {
    const [target, reviewer] = [await member('support'), await member('reviewer')];
    expect((await reset(target.id, reviewer.token)).codes).toEqual(['FORBIDDEN']);
    const { approvalRequest } = (await reset(target.id, session.admin)).data;
    expect((await stateOf(target)).factors).toBeGreaterThan(0);
    expect((await approve(approvalRequest.id, session.second)).codes).toEqual([]);
    expect((await stateOf(target)).factors).toBe(0);
  });
});

describe('the last enrolled administrator', () => {
  it('stays restricted until the CLI lifts the restriction, which notifies every administrator', async () => {
    await console.test.db.query(
      `update app_user set disabled_at = now() where role = 'admin' and disabled_at is null and name not in ('admin', 'second')`,
    );
    const [row] = await console.test.db.query<{ id: string }>(`select id from app_user where name = 'second'`);
    const second = { id: `usr_${row!.id}`, email: 'second@test.example', token: session.second };
    expect((await suspend(second, session.admin, { emergency: true })).data.user.suspendedAt).not.toBeNull();
    expect(await needsApproval()).toEqual(['ROLES']);
    const own = `alone-${++userCount}@test.example`;
    expect((await invite(own, 'SUPPORT')).codes).toEqual(['FORBIDDEN']);
    expect((await setRole(supporter, 'FINANCE')).codes).toEqual(['FORBIDDEN']);

    const run = (...args: string[]) =>
      runUserCommand(userOptions(args), {
        users: console.test.app.users,
        invitations: console.test.app.invitations,
        developerOf: () => Promise.reject(new Error('no account')),
        identifierHash: (email) => email,
        readPassword: async () => PASSWORD,
        print: () => {},
      });
    const notice = countEmails('admin@test.example', 'A user was changed from the command line');
    await run('suspend', '--email', second.email, '--reason', 'Confirmed on the machine');
    await run('create', '--role', 'admin', '--email', own, '--name', 'Third');
    await run('set-role', '--role', 'finance', '--email', 'support-one@test.example', '--reason', 'Joined finance');
    await until(
      'every administrator receives an email',
      () => countEmails('admin@test.example', 'A user was changed from the command line') === notice + 3,
    );
    // The restriction has ended, and role changes still require two admins.
    expect((await invite(`late-${++userCount}@test.example`, 'SUPPORT')).codes).toEqual([]);
    const { approvalRequest } = (await setRole(supporter, 'REVIEWER')).data;
    expect((await approve(approvalRequest.id, session.admin)).codes).toEqual(['FORBIDDEN']);
    const third = await enrolled(
      (await console.test.app.sessions.signIn({ email: own, password: PASSWORD }, FROM_TEST)).token,
    );
    expect((await approve(approvalRequest.id, third)).codes).toEqual([]);
    const entries = await console.test.db.query(
      `select action, reason from audit_entry where actor = 'system:cli' order by audit_entry.id`,
    );
    expect(entries).toEqual([
      { action: 'user.confirm_suspension', reason: 'Confirmed on the machine' },
      { action: 'user.create', reason: '' },
      { action: 'user.set_role', reason: 'Joined finance' },
    ]);
  });
});
