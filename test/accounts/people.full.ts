import { beforeEach, describe, expect, it } from 'vitest';
import { developerOf } from '../../src/cli/developer-commands.js';
import { runUserCommand, userOptions } from '../../src/cli/user-commands.js';
import { indianDay } from '../../src/core/clock.js';
import { newId } from '../../src/core/ids.js';
import { type DeveloperId, type StaffRole, staffRoles, type TeamRole, teamRoles } from '../../src/core/principal.js';
import { randomToken } from '../../src/core/secret.js';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { mailboxOf, seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { auditProblems } from '../support/audit.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { arrivedFor, emailsTo } from '../support/mailbox.js';
import { OUTCOME } from '../support/outcomes.js';
import { sessionRow } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const test = useOwnApp();
const PASSWORD = 'a long enough password';
const OTHER_PASSWORD = 'another long password';

beforeEach(() => test.db.query('delete from rate_limit'));

const call = (token: string | undefined, query: string, variables?: object): Promise<TestResponse> =>
  test.graphql('console', token, query, variables);
/** Runs a mutation by its name and selects the given fields. */
const mutate = async (token: string | undefined, name: string, input: object, selection = '{ user { id } }') => {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  return call(token, `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`, { input });
};
const codes = async (...args: Parameters<typeof mutate>): Promise<string[]> => codesOf(await mutate(...args));

const signIn = async (email: string, password = PASSWORD): Promise<string | undefined> =>
  (await mutate(undefined, 'signIn', { email, password }, '{ token }')).body.data?.signIn?.token;
const invite = (token: string | undefined, input: object) =>
  mutate(token, 'inviteUser', { name: 'Invited', ...input }, '{ user { id role teamRole invitedUntil } }');
const accept = (token: string, more: object = {}) =>
  mutate(undefined, 'acceptInvitation', { token, password: PASSWORD, ...more }, '{ viewer { user { id } } }');

/** The token of the last email to an address, after waiting for this many emails. */
async function linkTo(email: string, emailCount = 1, page = 'accept-invitation'): Promise<string> {
  const message = (await emailsTo(mailboxOf(test.db.url), email, emailCount)).at(-1)!;
  return new RegExp(`/${page}#token=([0-9a-f]{64})\\n`).exec(message)![1]!;
}

let sequence = 0;
/** A user who accepted an invitation: ID and session. */
async function joined(by: string, role: object, email = `joined-${++sequence}@people.example`) {
  const { body } = await invite(by, { email, ...role });
  expect(body.errors).toBeUndefined();
  expect(codesOf(await accept(await linkTo(email)))).toEqual([]);
  return { id: body.data.inviteUser.user.id as string, email, session: (await signIn(email))! };
}
const asStaff = (role: StaffRole) => ({ role: role.toUpperCase() });
const inTeam = (teamRole: TeamRole) => ({ role: 'DEVELOPER', teamRole: teamRole.toUpperCase() });

const lastEntry = async (action: string) =>
  (await test.db.query('select * from audit_entry where action = $1 order by id desc limit 1', [action]))[0];

/** A user who already has a session. */
async function known(role: StaffRole | TeamRole, developerId?: DeveloperId) {
  const email = `known-${++sequence}@people.example`;
  const session = randomToken('ses_');
  const id = newId();
  await test.db.query(
    `insert into app_user (id, email, name, role, team_role, developer_id, password_hash)
      values ($1, $2, 'Known', $3, $4, $5, $6)`,
    [
      id,
      email,
      developerId ? 'developer' : role,
      developerId ? role : null,
      developerId ?? null,
      await test.app.passwords.hash(PASSWORD, id),
    ],
  );
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { hash, mac } = sessionRow(session, { userId: id, expiresAt });
  await test.db.query(`insert into session (session_hash, user_id, expires_at, mac) values ($1, $2, $3, $4)`, [
    hash,
    id,
    expiresAt,
    mac,
  ]);
  return { id: `usr_${id}`, email, session };
}

/** The first administrator, as on an empty database. */
let first: string;
let firstId: string;
async function admin(): Promise<string> {
  if (first) return first;
  const outputs: string[] = [];
  const options = userOptions(['create', '--role', 'admin', '--email', 'first@people.example', '--name', 'First']);
  await runUserCommand(options, {
    users: test.app.users,
    invitations: test.app.invitations,
    developerOf: (text: string) => developerOf(text, test.app.pool),
    identifierHash: (email) => email,
    readPassword: () => Promise.resolve(PASSWORD),
    print: (line) => outputs.push(line),
  });
  expect(outputs.at(-1)).toMatch(/^User \S+ can sign in now\.$/);
  first = (await signIn('first@people.example'))!;
  firstId = (await call(first, '{ viewer { user { id } } }')).body.data.viewer.user.id;
  return first;
}
/** An account with an owner, by the ID of the developer. */
async function account(): Promise<{ developer: TestDeveloper; owner: string; email: string; id: string }> {
  await admin();
  const developer = await test.developer({ liveRupees: 0 });
  const { id, email, session } = await known('owner', developer.id);
  return { developer, email, owner: session, id };
}

describe('a complete scenario with commands, emails and HTTP', () => {
  it('on an empty database: the first admin invites staff, who can do their own work and not that of other roles', async () => {
    const by = await admin();
    const finance = await joined(by, asStaff('finance'));
    const reviewer = await joined(by, asStaff('reviewer'));
    const support = await joined(by, asStaff('support'));
    const staff = { admin: by, finance: finance.session, reviewer: reviewer.session, support: support.session };

    const register = async (): Promise<DeveloperId> => {
      const id = await test.app.developers.register({ name: 'Shop', email: `shop-${++sequence}@people.example` }, seed);
      await test.app.developers.markEmailVerified(id, seed);
      await test.app.developers.markKycSubmitted(id, seed);
      return id;
    };
    const outcomesByRole = async (name: string, input: () => object | Promise<object>, selection: string) => {
      const found: Record<string, string> = {};
      for (const [role, token] of Object.entries(staff))
        found[role] = (await codes(token, name, await input(), selection)).join() || 'done';
      return found;
    };
    const of = '{ developer { id onboardingStatus } }';
    const adminOnly = { admin: 'done', finance: 'FORBIDDEN', reviewer: 'FORBIDDEN', support: 'FORBIDDEN' };
    expect(await outcomesByRole('approveDeveloper', async () => ({ developerId: await register() }), of)).toEqual({
      ...adminOnly,
      reviewer: 'done',
    });
    const { id } = await test.developer({ liveRupees: 0 });
    const credit = () => ({ developerId: id, environment: 'UAT', amount: 1, reference: `walk ${++sequence}` });
    expect(await outcomesByRole('creditWallet', credit, OUTCOME)).toEqual({ ...adminOnly, finance: 'done' });
    const service = () => ({ developerId: id, service: 'DTH_INFO', enabled: true });
    expect(await outcomesByRole('setServiceAccess', service, of)).toEqual(adminOnly);
    const invitation = () => ({ email: `asked-${++sequence}@people.example`, name: 'N', role: 'SUPPORT' });
    expect(await outcomesByRole('inviteUser', invitation, '{ user { id } }')).toEqual(adminOnly);

    // Approving an account with fees also requires the right to set service access.
    const priced = { developerId: await register(), services: [{ service: 'DTH_INFO', fee: 2 }] };
    const response = await mutate(staff.reviewer, 'approveDeveloper', priced, of);
    expect([codesOf(response), response.body.errors[0].message]).toEqual([
      ['FORBIDDEN'],
      'Only administrators can enable services. Approve without services.',
    ]);
    expect(await codes(by, 'approveDeveloper', priced, of)).toEqual([]);

    const people = (await call(by, '{ users { email role lastSignInAt invitedUntil } }')).body.data.users;
    expect(people).toContainEqual({
      email: finance.email,
      role: 'FINANCE',
      lastSignInAt: expect.any(String),
      invitedUntil: null,
    });
  });

  it('in an account: an owner invites a builder, finance and a reader, who can do their work in that account only', async () => {
    const { developer, owner } = await account();
    const builder = await joined(owner, inTeam('builder'));
    const finance = await joined(owner, { ...inTeam('finance'), developerId: `dev_${developer.id}` });
    const reader = await joined(owner, inTeam('reader'));
    const team = { owner, builder: builder.session, finance: finance.session, reader: reader.session };
    const outcomesByRole = async (query: string, variables: () => object = () => ({})) => {
      const responses = Object.values(team).map(async (token) => codesOf(await call(token, query, variables())).join());
      return Object.fromEntries(
        (await Promise.all(responses)).map((code, index) => [Object.keys(team)[index], code || 'done']),
      );
    };
    const all = { owner: 'done', builder: 'done', finance: 'done', reader: 'done' };
    expect(
      await outcomesByRole('{ viewer { developer { wallets { balance } } } orders { edges { cursor } } }'),
    ).toEqual(all);
    expect(await outcomesByRole('{ webhookEndpoints { id } }')).toEqual({ ...all, finance: 'FORBIDDEN' });
    const label = 'mutation($label: String) { rotateCredential(input: {clientId: $label}) { apiSecret } }';
    const rotate = label.replace('$label: String', '$label: String!');
    const key = { owner: 'done', builder: 'CONFLICT', finance: 'FORBIDDEN', reader: 'FORBIDDEN' };
    const found: Record<string, string> = {};
    for (const [role, token] of Object.entries(team))
      found[role] = codesOf(await call(token, rotate, { label: developer.keys.uat.clientId })).join() || 'done';
    expect(found).toEqual(key);
    const guests = () => ({
      input: { email: `guest-${++sequence}@people.example`, name: 'G', role: 'DEVELOPER', teamRole: 'READER' },
    });
    const INVITE = 'mutation($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
    const ownerOnly = { owner: 'done', builder: 'FORBIDDEN', finance: 'FORBIDDEN', reader: 'FORBIDDEN' };
    expect(await outcomesByRole(INVITE, guests)).toEqual(ownerOnly);

    const other = await account();
    expect(codesOf(await call(builder.session, `{ developer(id: "dev_${other.developer.id}") { id } }`))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    const accountFields = 'developer { users { teamRole invitedUntil sessions { id } } }';
    const { data } = (await call(owner, `{ one: viewer { ${accountFields} } other: viewer { ${accountFields} } }`))
      .body;
    // Users and sessions appear once for an account or user that is selected twice.
    expect(data.other).toEqual(data.one);
    const { users } = data.one.developer;
    for (const { sessions } of users)
      expect(new Set(sessions.map(({ id }: { id: string }) => id)).size).toBe(sessions.length);
    expect(users.map(({ teamRole }: { teamRole: string }) => teamRole).toSorted()).toEqual([
      'BUILDER',
      'FINANCE',
      'OWNER',
      'READER',
      'READER',
    ]);
  });
});

describe('an invitation', () => {
  it('can be used once, stores no link in the database, and shows the user as invited until then', async () => {
    const by = await admin();
    const email = 'once@people.example';
    const { body } = await invite(by, { email: ' Once@People.example ', role: 'SUPPORT' });
    const { id, invitedUntil, ...rest } = body.data.inviteUser.user;
    expect(rest).toEqual({ role: 'SUPPORT', teamRole: null });
    const hours = (Date.parse(invitedUntil) - Date.now()) / 3_600_000;
    expect([hours > 71.9, hours <= 72]).toEqual([true, true]);
    const token = await linkTo(email);
    const stored = await test.db.query<{ row: string }>(
      'select to_json(i)::text as row from invitation i union all select to_json(a)::text from audit_entry a',
    );
    for (const { row } of stored) expect(row).not.toContain(token);
    expect(await lastEntry('user.invite')).toMatchObject({
      actor: `user:${firstId.slice(4)}`,
      subject: `user:${id.slice(4)}`,
      after: { role: 'support' },
    });
    // Until then the user cannot sign in or get a password reset link.
    expect(await signIn(email)).toBeUndefined();
    await mutate(undefined, 'requestPasswordReset', { email }, '{ accepted }');

    const responses = await Promise.all([accept(token, { name: 'Asha' }), accept(token, { name: 'Asha' })]);
    expect(responses.map((response) => fieldsOf(response).join()).toSorted()).toEqual(['', 'input.token']);
    expect(fieldsOf(await accept(token))).toEqual(['input.token']);
    const session = (await signIn(email))!;
    const { user } = (await call(session, '{ viewer { user { id name invitedUntil lastSignInAt } } }')).body.data
      .viewer;
    expect(user).toEqual({ id, name: 'Asha', invitedUntil: null, lastSignInAt: expect.any(String) });
    await emailsTo(mailboxOf(test.db.url), email, 1);
  });

  it('replaces an earlier invitation for the same address, with its link and role', async () => {
    const by = await admin();
    const email = 'twice@people.example';
    await invite(by, { email, role: 'SUPPORT' });
    const earlier = await linkTo(email);
    await invite(by, { email, role: 'FINANCE' });
    const secondLink = await linkTo(email, 2);
    expect(fieldsOf(await accept(earlier))).toEqual(['input.token']);
    expect(codesOf(await accept(secondLink))).toEqual([]);
    const { role } = (await call(await signIn(email), '{ viewer { user { role } } }')).body.data.viewer.user;
    expect(role).toBe('FINANCE');
    expect(codesOf(await invite(by, { email, role: 'FINANCE' }))).toEqual(['CONFLICT']);
  });

  it('expires after 72 hours', async () => {
    const email = 'late@people.example';
    await invite(await admin(), { email, role: 'SUPPORT' });
    const token = await linkTo(email);
    await test.db.query(`update invitation set expires_at = now() - interval '1 second' where email = $1`, [email]);
    expect(fieldsOf(await accept(token))).toEqual(['input.token']);
    const { users } = (await call(await admin(), '{ users { email } }')).body.data;
    expect(users).not.toContainEqual({ email });
  });

  it('counts a guessed token as a failed attempt', async () => {
    const guess = 'f'.repeat(64);
    for (let n = 0; n < 10; n++) expect(fieldsOf(await accept(guess))).toEqual(['input.token']);
    expect(codesOf(await accept(guess))).toEqual(['TOO_MANY_FAILED_EXCHANGES']);
    expect((await accept(guess)).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it.each([
    ['was suspended', (id: string) => mutate(first, 'suspendUser', { userId: id, reason: 'r' })],
    ['was removed', (id: string) => mutate(first, 'removeUser', { userId: id, reason: 'r' }, '{ removedUserId }')],
    ['lost the right', (id: string) => mutate(first, 'setUserRole', { userId: id, role: 'SUPPORT' })],
  ])('from a user who %s becomes permanently void', async (name, end) => {
    const inviter = await known('admin');
    const email = `by-${name.replaceAll(' ', '-')}@people.example`;
    await invite(inviter.session, { email, role: 'FINANCE' });
    const token = await linkTo(email);
    expect(codesOf(await end(inviter.id))).toEqual([]);
    expect(fieldsOf(await accept(token))).toEqual(['input.token']);
    // Even if the inviter regains all rights.
    await mutate(first, 'reinstateUser', { userId: inviter.id });
    await mutate(first, 'setUserRole', { userId: inviter.id, role: 'ADMIN' });
    expect(fieldsOf(await accept(token))).toEqual(['input.token']);
  });

  it('from a stolen session, sent at the moment of the suspension, is void too', async () => {
    const inviter = await known('admin');
    const email = 'race@people.example';
    const [suspended] = await Promise.all([
      mutate(first, 'suspendUser', { userId: inviter.id, reason: 'stolen' }),
      invite(inviter.session, { email, role: 'ADMIN' }),
    ]);
    expect(codesOf(suspended)).toEqual([]);
    expect(await test.db.query('select from invitation where email = $1', [email])).toEqual([]);
  });

  it('for an address in use is reported to staff, but not to an owner, and its link is invalid', async () => {
    const [ownAccount, otherAccount] = [await account(), await account()];
    const by = await admin();
    expect(codesOf(await invite(by, { email: otherAccount.email, role: 'SUPPORT' }))).toEqual(['CONFLICT']);
    const asReader = { email: otherAccount.email, ...inTeam('reader') };
    expect(codesOf(await invite(by, { ...asReader, developerId: `dev_${ownAccount.developer.id}` }))).toEqual([
      'CONFLICT',
    ]);
    // The address of a team member is not secret.
    expect(codesOf(await invite(ownAccount.owner, { ...asReader, email: ownAccount.email }))).toEqual(['CONFLICT']);

    const free = await invite(ownAccount.owner, { email: 'free@people.example', ...inTeam('reader') });
    for (const email of [otherAccount.email, 'first@people.example']) {
      const duplicate = await invite(ownAccount.owner, { ...asReader, email });
      expect(Object.keys(duplicate.body.data.inviteUser.user)).toEqual(Object.keys(free.body.data.inviteUser.user));
      expect(duplicate.status).toBe(free.status);
      const [message] = await emailsTo(mailboxOf(test.db.url), email, 1);
      expect(message).toContain('This email address already belongs to a user');
      expect(message).not.toContain('#token=');
    }
    expect(await signIn(otherAccount.email)).toBeTypeOf('string');
  });

  it('does not prevent signing up or joining elsewhere, and is void afterwards', async () => {
    const { owner } = await account();
    const email = 'wanted@people.example';
    await invite(owner, { email, ...inTeam('reader') });
    const earlierLink = await linkTo(email);
    await invite(await admin(), { email, role: 'SUPPORT' });
    expect(codesOf(await accept(await linkTo(email, 2)))).toEqual([]);
    expect(fieldsOf(await accept(earlierLink))).toEqual(['input.token']);
  });

  it('cannot grant a role above that of the inviter', async () => {
    const { owner, developer } = await account();
    const other = await account();
    const email = 'raised@people.example';
    for (const role of ['ADMIN', 'FINANCE', 'REVIEWER', 'SUPPORT'])
      expect([role, codesOf(await invite(owner, { email, role }))]).toEqual([role, ['FORBIDDEN']]);
    const foreignInvite = { email, ...inTeam('owner'), developerId: `dev_${other.developer.id}` };
    expect(codesOf(await invite(owner, foreignInvite))).toEqual(['RECORD_NOT_FOUND']);
    const builder = await known('builder', developer.id);
    expect(codesOf(await invite(builder.session, { email, ...inTeam('builder') }))).toEqual(['FORBIDDEN']);
    for (const [fields, field] of [
      [{ role: 'SUPPORT', teamRole: 'OWNER' }, 'input.teamRole'],
      [{ role: 'SUPPORT', developerId: developer.id }, 'input.developerId'],
      [{ role: 'DEVELOPER', developerId: developer.id }, 'input.teamRole'],
      [{ role: 'DEVELOPER', teamRole: 'OWNER' }, 'input.developerId'],
      [{ role: 'SUPPORT', email: 'none' }, 'input.email'],
    ] as const)
      expect([field, fieldsOf(await invite(await admin(), { email, ...fields }))]).toEqual([field, [field]]);
    expect(await test.db.query('select from invitation where email = $1', [email])).toEqual([]);
  });

  it('is withdrawn with removeUser', async () => {
    const { owner } = await account();
    const outsider = await account();
    const email = 'back@people.example';
    const { id } = (await invite(owner, { email, ...inTeam('reader') })).body.data.inviteUser.user;
    const token = await linkTo(email);
    expect(await codes(owner, 'setUserRole', { userId: id, teamRole: 'OWNER' })).toEqual(['CONFLICT']);
    const removal = { userId: id, reason: 'a slip' };
    expect(await codes(outsider.owner, 'removeUser', removal, '{ removedUserId }')).toEqual(['RECORD_NOT_FOUND']);
    expect(await codes(owner, 'removeUser', removal, '{ removedUserId }')).toEqual([]);
    expect(fieldsOf(await accept(token))).toEqual(['input.token']);
    expect(await codes(owner, 'removeUser', removal, '{ removedUserId }')).toEqual(['RECORD_NOT_FOUND']);
    // The audit log still names its subject.
    const found = await call(await admin(), `{ auditLog(filter: {subjectId: "${id}"}) { edges { node { action } } } }`);
    const actions = found.body.data.auditLog.edges.map(({ node }: { node: { action: string } }) => node.action);
    expect(actions).toEqual(['USER_REMOVE', 'USER_INVITE']);
  });
});

describe('a role', () => {
  it('changes on the next request, and the session stays valid with the new role', async () => {
    const by = await admin();
    const person = await known('admin');
    const users = '{ users { id } }';
    expect(codesOf(await call(person.session, users))).toEqual([]);
    const changed = await mutate(by, 'setUserRole', { userId: person.id, role: 'REVIEWER' }, '{ user { role } }');
    expect(changed.body.data.setUserRole.user).toEqual({ role: 'REVIEWER' });
    expect(codesOf(await call(person.session, users))).toEqual(['FORBIDDEN']);
    expect(await codes(person.session, 'setUserRole', { userId: person.id, role: 'ADMIN' })).toEqual(['FORBIDDEN']);
    expect(await lastEntry('user.set_role')).toMatchObject({
      actor: `user:${firstId.slice(4)}`,
      subject: `user:${person.id.slice(4)}`,
      before: { role: 'admin' },
      after: { role: 'reviewer' },
    });
    expect(await codes(by, 'setUserRole', { userId: person.id, role: 'REVIEWER' })).toEqual(['CONFLICT']);
  });

  it('of both admins is checked when a request is approved, and finance is sufficient for money', async () => {
    const by = await admin();
    const [author, approver] = [await known('finance'), await known('finance')];
    const { id } = await test.developer({ liveRupees: 0 });
    const requestApproval = async (token: string): Promise<string> => {
      const input = {
        developerId: id,
        environment: 'PRODUCTION',
        amount: 900_000,
        reference: `two ${++sequence}`,
        reason: 'Cash',
      };
      const { body } = await mutate(token, 'creditWallet', input, OUTCOME);
      return body.data.creditWallet.outcome.approvalRequest.id;
    };
    const approve = (token: string, approvalRequestId: string) =>
      codes(token, 'approveApprovalRequest', { approvalRequestId }, OUTCOME);
    const [firstRequest, secondRequest] = [
      await requestApproval(author.session),
      await requestApproval(author.session),
    ];
    expect(await approve(author.session, firstRequest)).toEqual(['FORBIDDEN']);
    expect(await approve(approver.session, firstRequest)).toEqual([]);
    await mutate(by, 'setUserRole', { userId: author.id, role: 'SUPPORT' });
    expect(await approve(approver.session, secondRequest)).toEqual(['CONFLICT']);
    await mutate(by, 'setUserRole', { userId: author.id, role: 'ADMIN' });
    await mutate(by, 'setUserRole', { userId: approver.id, role: 'SUPPORT' });
    expect(await approve(approver.session, secondRequest)).toEqual(['FORBIDDEN']);
  });

  it.each([
    ['author', 'CONFLICT'],
    ['approver', 'FORBIDDEN'],
  ] as const)('of the %s that is lost during an approval is taken into account: %s', async (loser, code) => {
    await admin();
    const people = { author: await known('finance'), approver: await known('finance') };
    const { id } = await test.developer({ liveRupees: 0 });
    const input = {
      developerId: id,
      environment: 'PRODUCTION',
      amount: 900_000,
      reference: `race ${++sequence}`,
      reason: 'Cash',
    };
    const { body } = await mutate(people.author.session, 'creditWallet', input, OUTCOME);
    const approvalRequestId = body.data.creditWallet.outcome.approvalRequest.id;
    const other = await test.app.pool.connect();
    try {
      await other.query('begin');
      await other.query(`update app_user set role = 'support' where id = $1`, [people[loser].id.slice(4)]);
      const approval = codes(people.approver.session, 'approveApprovalRequest', { approvalRequestId }, OUTCOME);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(
        'the approval waits for the lock of the user whose role changes',
        async () => (await test.db.query(waiting)).length > 0,
      );
      await other.query('commit');
      expect(await approval).toEqual([code]);
    } finally {
      other.release();
    }
    expect(await test.balance({ id } as TestDeveloper, 'production')).toBe(0);
  });

  it('matches the kind of user, and exactly one kind is set', async () => {
    const by = await admin();
    const { id, owner } = await account();
    const support = await known('support');
    for (const [input, field] of [
      [{ userId: id, role: 'ADMIN' }, 'input.role'],
      [{ userId: support.id, teamRole: 'OWNER' }, 'input.teamRole'],
      [{ userId: support.id, role: 'DEVELOPER' }, 'input.role'],
      [{ userId: support.id }, 'input.teamRole'],
      [{ userId: support.id, role: 'ADMIN', teamRole: 'OWNER' }, 'input.teamRole'],
    ] as const)
      expect([field, fieldsOf(await mutate(by, 'setUserRole', input))]).toEqual([field, [field]]);
    // An owner cannot grant a staff role or change users of other accounts.
    expect(await codes(owner, 'setUserRole', { userId: id, role: 'ADMIN' })).toEqual(['FORBIDDEN']);
    for (const userId of [support.id, firstId, `usr_${UNKNOWN_ID}`])
      expect(await codes(owner, 'setUserRole', { userId, teamRole: 'READER' })).toEqual(['RECORD_NOT_FOUND']);
  });

  it('of the last owner cannot change, even if two owners change theirs at the same time', async () => {
    const { id, owner, developer } = await account();
    const reader = { userId: id, teamRole: 'READER' };
    expect(await codes(owner, 'setUserRole', reader)).toEqual(['CONFLICT']);
    expect(await codes(await admin(), 'removeUser', { userId: id, reason: 'r' }, '{ removedUserId }')).toEqual([
      'CONFLICT',
    ]);
    const second = await known('owner', developer.id);
    const responses = await Promise.all([
      codes(owner, 'setUserRole', { userId: second.id, teamRole: 'READER' }),
      codes(second.session, 'removeUser', { userId: id, reason: 'r' }, '{ removedUserId }'),
    ]);
    expect(responses.flat()).toHaveLength(1);
    const owners = await test.db.query(
      `select from app_user where developer_id = $1 and team_role = 'owner' and disabled_at is null`,
      [developer.id],
    );
    expect(owners).toHaveLength(1);
  });

  it('of the last admin cannot change', async () => {
    const by = await admin();
    const otherAdmins = await test.db.query<{ id: string }>(
      `update app_user set disabled_at = now() where role = 'admin' and disabled_at is null and id <> $1 returning id`,
      [firstId.slice(4)],
    );
    expect(await codes(by, 'setUserRole', { userId: firstId, role: 'SUPPORT' })).toEqual(['CONFLICT']);
    await test.db.query('update app_user set disabled_at = null where id = any($1)', [otherAdmins.map(({ id }) => id)]);
  });
});

describe('gateway user invite', () => {
  const run = async (developer: string, email: string, ...more: string[]) => {
    const args = ['invite', '--developer', developer, '--email', email, '--name', 'New owner', ...more];
    await runUserCommand(userOptions(args), {
      users: test.app.users,
      invitations: test.app.invitations,
      developerOf: (text: string) => developerOf(text, test.app.pool),
      identifierHash: (address) => address,
      readPassword: () => Promise.resolve(PASSWORD),
      print: () => {},
    });
  };

  it('adds an owner to an account without one if there is one administrator, who is notified', async () => {
    await admin();
    const mailbox = mailboxOf(test.db.url);
    const { id } = await test.developer({ liveRupees: 0 });
    const email = 'by-command@people.example';
    await known('admin');
    await expect(run(`dev_${id}`, email)).rejects.toThrow('There are two active administrators');
    const otherAdmins = await test.db.query<{ id: string }>(
      `update app_user set disabled_at = now() where role = 'admin' and disabled_at is null and id <> $1 returning id`,
      [firstId.slice(4)],
    );
    try {
      await expect(run(`dev_${(await account()).developer.id}`, email)).rejects.toThrow('has an active owner');
      expect(await test.db.query('select from invitation where email = $1', [email])).toEqual([]);
      await run(`dev_${id}`, email);
      const token = await linkTo(email);
      await until('the administrator receives an email', () =>
        arrivedFor(mailbox, 'first@people.example').some((message) => message.includes(`the account dev_${id},`)),
      );
      expect(await lastEntry('user.invite')).toMatchObject({
        actor: 'system:cli',
        after: { role: 'developer', teamRole: 'owner', developerId: id },
      });
      expect(codesOf(await accept(token))).toEqual([]);
      await expect(run(`dev_${id}`, 'next@people.example')).rejects.toThrow('has an active owner');
    } finally {
      await test.db.query('update app_user set disabled_at = null where id = any($1)', [
        otherAdmins.map((user) => user.id),
      ]);
    }
  });
});

it('a sign-in mutation returns its payload with the role of the user, and the rest of the operation without it', async () => {
  const { developer, email } = await account();
  const finance = await known('finance', developer.id);
  const read = async (address: string, more = '') => {
    const credentials = `input: {email: "${address}", password: "${PASSWORD}"}`;
    const viewer = '{ viewer { developer { wallets { id } credentials { id } } } }';
    return codesOf(await call(undefined, `mutation { signIn(${credentials}) ${viewer} ${more} }`));
  };
  expect(await read(email)).toEqual([]);
  expect(await read(finance.email)).toEqual(['FORBIDDEN']);
  expect(
    await read(
      'first@people.example',
      'createWhiteLabel(input: {name: "x", rechargeProvider: ROUNDPAY}) { whiteLabel { id } }',
    ),
  ).toEqual(['UNAUTHENTICATED']);
});

it('files have the same permissions: order exports, KYC documents and their upload', async () => {
  const { developer, owner } = await account();
  const people = {
    owner,
    ...Object.fromEntries(
      await Promise.all(
        teamRoles.slice(1).map(async (role) => [`team ${role}`, (await known(role, developer.id)).session]),
      ),
    ),
    ...Object.fromEntries(await Promise.all(staffRoles.map(async (role) => [role, (await known(role)).session]))),
  };
  const today = indianDay(new Date());
  const rejectedUsers = async (path: string, method = 'GET'): Promise<string[]> => {
    const responses = Object.entries(people).map(async ([name, session]) => {
      const headers = { authorization: `Bearer ${session}` };
      const options = method === 'POST' ? { method, body: new FormData() } : {};
      const text = await (await fetch(`${test.urls.console}${path}`, { ...options, headers })).text();
      return text.includes('Your role does not allow this.') ? [name] : [];
    });
    return (await Promise.all(responses)).flat();
  };
  expect(await rejectedUsers(`/orders.csv?from=${today}&to=${today}`)).toEqual(['reviewer']);
  const document = `/kyc-documents/${UNKNOWN_ID}?developer=${developer.id}&expires=1&signature=x`;
  const team = ['team builder', 'team finance', 'team reader'];
  expect(await rejectedUsers(document)).toEqual(['owner', ...team, 'finance', 'support']);
  expect(await rejectedUsers('/kyc/documents', 'POST')).toEqual([...team, ...staffRoles]);
});

describe('a removed user', () => {
  it('is signed out everywhere, has no valid links, stays in the audit log, and can be invited again', async () => {
    const by = await admin();
    const person = await known('finance');
    await mutate(person.session, 'updateProfile', { mobile: '9812345678' });
    await mutate(undefined, 'requestPasswordReset', { email: person.email }, '{ accepted }');
    const reset = await linkTo(person.email, 1, 'reset-password');
    const removal = { userId: person.id, reason: 'left' };
    expect(await codes(by, 'removeUser', { ...removal, reason: '' }, '{ removedUserId }')).toEqual([
      'VALIDATION_FAILED',
    ]);
    expect(await codes(by, 'removeUser', { ...removal, userId: firstId }, '{ removedUserId }')).toEqual(['FORBIDDEN']);
    const { body } = await mutate(by, 'removeUser', removal, '{ removedUserId }');
    expect(body.data.removeUser).toEqual({ removedUserId: person.id });

    expect(codesOf(await call(person.session, '{ viewer { user { id } } }'))).toEqual(['UNAUTHENTICATED']);
    expect(await signIn(person.email)).toBeUndefined();
    const setNew = { token: reset, newPassword: OTHER_PASSWORD };
    expect(await codes(undefined, 'resetPassword', setNew, '{ viewer { user { id } } }')).toEqual([
      'VALIDATION_FAILED',
    ]);
    for (const name of ['suspendUser', 'reinstateUser'])
      expect(await codes(by, name, removal)).toEqual(['RECORD_NOT_FOUND']);
    const { users } = (await call(by, '{ users { id } }')).body.data;
    expect(users).not.toContainEqual({ id: person.id });
    const auditLog = `{ auditLog(first: 1, filter: {subjectId: "${person.id}"}) { edges { node { action reason subject { id } } } } }`;
    expect((await call(by, auditLog)).body.data.auditLog.edges[0].node).toEqual({
      action: 'USER_REMOVE',
      reason: 'left',
      subject: { id: person.id },
    });
    const [row] = await test.db.query('select mobile from app_user where id = $1', [person.id.slice(4)]);
    expect(row).toEqual({ mobile: null });

    await invite(by, { email: person.email, ...asStaff('support') });
    expect(codesOf(await accept(await linkTo(person.email, 2)))).toEqual([]);
    expect(await signIn(person.email)).toBeTypeOf('string');
  });
});

describe('a user profile', () => {
  it('has a name and a mobile number, which is encrypted and visible to few roles', async () => {
    const { owner, id, developer } = await account();
    const reader = await known('reader', developer.id);
    const profile = { name: ' Meera Iyer ', mobile: '9812345679' };
    const { body } = await mutate(owner, 'updateProfile', profile, '{ user { name mobile email } }');
    expect(body.data.updateProfile.user).toMatchObject({ name: 'Meera Iyer', mobile: profile.mobile });
    const [{ row }] = (await test.db.query(
      `select to_json(u)::text || encode(mobile, 'escape') as row from app_user u where id = $1`,
      [id.slice(4)],
    )) as [{ row: string }];
    expect(row).not.toContain(profile.mobile);
    expect(await lastEntry('user.update_profile')).toMatchObject({ after: { changed: ['name', 'mobile'] } });

    const support = await known('support');
    const usersQuery = `{ developer(id: "dev_${developer.id}") { users { id mobile } } }`;
    for (const [token, mobile] of [
      [owner, profile.mobile],
      [reader.session, null],
      [support.session, null],
      [await admin(), profile.mobile],
    ] as const)
      expect((await call(token, usersQuery)).body.data.developer.users).toContainEqual({ id, mobile });
    expect(fieldsOf(await mutate(owner, 'updateProfile', {}))).toEqual(['input.name']);
    expect(fieldsOf(await mutate(owner, 'updateProfile', { mobile: '12' }))).toEqual(['input.mobile']);
  });

  it('gets a new email address when its link is used, and the former address is notified', async () => {
    const person = await known('support');
    const next = 'moved@people.example';
    expect(fieldsOf(await mutate(person.session, 'updateProfile', { email: next }))).toEqual(['input.currentPassword']);
    const invalid = { email: next, currentPassword: 'not the password' };
    expect(await codes(person.session, 'updateProfile', invalid)).toEqual(['INVALID_CREDENTIALS']);
    const right = { email: next, currentPassword: PASSWORD };
    const { body } = await mutate(person.session, 'updateProfile', right, '{ user { email } }');
    expect(body.data.updateProfile.user).toEqual({ email: person.email });
    const token = await linkTo(next, 1, 'confirm-email');
    const [notice] = await emailsTo(mailboxOf(test.db.url), person.email, 1);
    expect(notice).toContain('Email address change requested');
    expect(await signIn(next)).toBeUndefined();

    const confirm = () => mutate(undefined, 'confirmEmail', { token }, '{ viewer { user { email } } }');
    const responses = await Promise.all([confirm(), confirm()]);
    expect(responses.map((response) => fieldsOf(response).join()).toSorted()).toEqual(['', 'input.token']);
    expect([await signIn(person.email), await signIn(next)]).toEqual([undefined, expect.any(String)]);
    const [, done] = await emailsTo(mailboxOf(test.db.url), person.email, 2);
    expect(done).toContain('Your email address was changed');
    expect(await lastEntry('user.set_email')).toMatchObject({ subject: `user:${person.id.slice(4)}` });
  });

  it('updates the email address of the account if it equals that of its owner', async () => {
    const { owner, email, developer } = await account();
    const readAccount = async () =>
      (await call(await admin(), `{ developer(id: "dev_${developer.id}") { email } }`)).body.data;
    await test.db.query('update developer set email = $1 where id = $2', [email, developer.id]);
    const next = 'with-account@people.example';
    await mutate(owner, 'updateProfile', { email: next, currentPassword: PASSWORD });
    const token = await linkTo(next, 1, 'confirm-email');
    expect(await codes(undefined, 'confirmEmail', { token }, '{ viewer { user { id } } }')).toEqual([]);
    expect(await readAccount()).toEqual({ developer: { email: next } });
    expect(await lastEntry('user.set_email')).toMatchObject({ after: { accountToo: true } });
  });

  it('does not reveal if a requested email address is in use, and a password change voids the link', async () => {
    const person = await known('support');
    const takenEmail = { email: 'first@people.example', currentPassword: PASSWORD };
    expect(await codes(person.session, 'updateProfile', takenEmail)).toEqual([]);
    await until('the owner of the address receives an email', () =>
      arrivedFor(mailboxOf(test.db.url), 'first@people.example').some((message) =>
        message.includes('It already belongs to a user'),
      ),
    );

    const next = 'ended@people.example';
    await mutate(person.session, 'updateProfile', { email: next, currentPassword: PASSWORD });
    const token = await linkTo(next, 1, 'confirm-email');
    const change = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    expect(await codes(person.session, 'changePassword', change, '{ revokedSessions }')).toEqual([]);
    const response = await mutate(undefined, 'confirmEmail', { token }, '{ viewer { user { id } } }');
    expect(fieldsOf(response)).toEqual(['input.token']);
  });
});

it('an intact audit chain contains the changes of users', async () => {
  expect(await auditProblems(test.app.pool)).toEqual([]);
});
