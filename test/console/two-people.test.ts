import { type GraphQLEnumType, type GraphQLObjectType, type GraphQLUnionType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { randomToken } from '../../src/core/secret.js';
import { inReview as orderInReview, orderRow, publicId } from '../orders/order.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestDeveloper } from '../support/app.js';
import { unexplainedRows } from '../support/audit.js';
import { codeOf } from '../support/authenticator.js';
import { arrivedFor, emailsTo } from '../support/mailbox.js';
import { place } from '../support/recharges.js';
import { sessionRow } from '../support/row-keys.js';
import { codesOf, PASSWORD, type Staff, useConsole } from './console.fixture.js';

let sequence = 0;

const console = useConsole({
  TWO_PEOPLE: 'all',
  TWO_PEOPLE_FEE_ABOVE: '10',
  CREDIT_APPROVAL_ABOVE_RUPEES: '0',
  RESOLVE_APPROVAL_ABOVE_RUPEES: '0',
});
const APPROVAL_REQUEST =
  'approvalRequest { id state action environment amount changes { field before after } developer { id } }';
const OUTCOME = `outcome { __typename ... on ApprovalRequestApproved { approvalRequest { state resolvedBy { name } } developer { id productionUnlocked services { service enabled fee } } } }`;
const mutate = async (actor: Staff, field: string, input: object, result: string) => {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${field}(input: $input) { ${result} } }`;
  const response = await console.call(console.staff[actor], query, { input });
  return { answer: response, codes: codesOf(response), data: response.body.data?.[field] };
};
const approve = (approvalRequestId: string, actor: Staff = 'second') =>
  mutate(actor, 'approveApprovalRequest', { approvalRequestId }, OUTCOME);
const rejectRequest = (approvalRequestId: string) =>
  mutate('second', 'rejectApprovalRequest', { approvalRequestId, reason: 'A test' }, 'approvalRequest { state }');
const approved = async () => {
  const developerId = await console.applicant();
  expect((await mutate('admin', 'approveDeveloper', { developerId }, 'developer { id }')).codes).toEqual([]);
  return developerId;
};
const unlock = (developerId: string, actor: Staff = 'admin') =>
  mutate(actor, 'unlockProduction', { developerId }, `developer { productionUnlocked } ${APPROVAL_REQUEST}`);
const setFee = (developerId: string, fee: number, actor: Staff = 'admin') =>
  mutate(actor, 'setServiceAccess', { developerId, service: 'DTH_INFO', enabled: true, fee }, APPROVAL_REQUEST);

describe('Production access', () => {
  it('requires a second admin, is requested once, and is granted with audit entries', async () => {
    const id = await approved();
    const first = await unlock(id);
    expect(first.data).toEqual({
      developer: { productionUnlocked: false },
      approvalRequest: {
        id: expect.stringMatching(/^apr_/),
        state: 'PENDING',
        action: 'UNLOCK_PRODUCTION',
        environment: null,
        amount: null,
        changes: [{ field: 'productionUnlocked', before: 'false', after: 'true' }],
        developer: { id: `dev_${id}` },
      },
    });
    expect((await unlock(id, 'second')).data.approvalRequest.id).toBe(first.data.approvalRequest.id);
    expect((await approve(first.data.approvalRequest.id, 'admin')).codes).toEqual(['FORBIDDEN']);
    expect((await approve(first.data.approvalRequest.id, 'support')).codes).toEqual(['FORBIDDEN']);
    const { data } = await approve(first.data.approvalRequest.id);
    expect(data.outcome).toMatchObject({
      __typename: 'ApprovalRequestApproved',
      approvalRequest: { state: 'APPROVED', resolvedBy: { name: 'second' } },
      developer: { id: `dev_${id}`, productionUnlocked: true },
    });
    expect((await approve(first.data.approvalRequest.id)).codes).toEqual(['CONFLICT']);
    const entries = await console.test.db.query<{ action: string; after: object }>(
      `select action, after from audit_entry where subject = $1 and (action like 'approval_request.%' or action like '%unlock%') order by audit_entry.id`,
      [`developer:${id}`],
    );
    const approvalRequestId = first.data.approvalRequest.id.replace('apr_', '');
    expect(entries).toEqual([
      {
        action: 'approval_request.create',
        after: expect.objectContaining({ approvalRequestId, productionUnlocked: true }),
      },
      {
        action: 'developer.unlock_production',
        after: expect.objectContaining({ approvalRequestId, productionUnlocked: true }),
      },
    ]);
  });

  it('is granted once if 20 admins approve at the same time', async () => {
    const { data } = await unlock(await approved());
    const responses = await Promise.all(Array.from({ length: 20 }, () => approve(data.approvalRequest.id)));
    expect(responses.flatMap(({ codes }) => codes)).toEqual(Array.from({ length: 19 }, () => 'CONFLICT'));
  });

  it('is not granted to an account that was suspended in the meantime', async () => {
    const id = await approved();
    const { data } = await unlock(id);
    await mutate('admin', 'suspendDeveloper', { developerId: id, reason: 'Fraud' }, 'developer { id }');
    expect((await approve(data.approvalRequest.id)).codes).toEqual(['CONFLICT']);
    expect((await rejectRequest(data.approvalRequest.id)).data.approvalRequest.state).toBe('REJECTED');
    const [entry] = await console.test.db.query(
      `select u.name, a.before, a.reason from audit_entry a join app_user u on a.actor = 'user:' || u.id
       where a.subject = $1 and a.action = 'approval_request.reject'`,
      [`developer:${id}`],
    );
    expect(entry).toEqual({
      name: 'second',
      before: expect.objectContaining({
        approvalRequestId: data.approvalRequest.id.replace('apr_', ''),
        productionUnlocked: true,
      }),
      reason: 'A test',
    });
  });
});

describe('a fee', () => {
  it('requires approval above the limit only; a changed fee replaces the pending one', async () => {
    const id = await approved();
    expect((await setFee(id, 10)).data.approvalRequest).toBeNull();
    const firstRequest = (await setFee(id, 10.01)).data.approvalRequest;
    expect(firstRequest.changes).toEqual([{ field: 'dth_info.fee', before: '10', after: '10.01' }]);
    const secondRequest = (await setFee(id, 20)).data.approvalRequest;
    expect((await approve(firstRequest.id)).codes).toEqual(['CONFLICT']);
    const { outcome } = (await approve(secondRequest.id)).data;
    expect(outcome.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: true, fee: 20 });
  });

  it('in an account approval is pending, while the account is approved', async () => {
    const developerId = await console.applicant();
    const services = [
      { service: 'OPERATOR_FETCH', fee: 1 },
      { service: 'DTH_INFO', fee: 50 },
    ];
    const { data } = await mutate('admin', 'approveDeveloper', { developerId, services }, APPROVAL_REQUEST);
    expect(data.approvalRequest.action).toBe('SET_FEE');
    const { outcome } = (await approve(data.approvalRequest.id)).data;
    expect(outcome.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: true, fee: 50 });
  });
});

it('a change of provider requires approval, also through a white label', async () => {
  const developerId = await approved();
  const assign = await mutate(
    'admin',
    'assignRechargeProvider',
    { developerId, provider: 'MOKSHIQ' },
    APPROVAL_REQUEST,
  );
  expect(assign.data.approvalRequest.action).toBe('ASSIGN_PROVIDER');
  const label = await mutate(
    'admin',
    'createWhiteLabel',
    { name: 'Two', rechargeProvider: 'MOKSHIQ' },
    'whiteLabel { id }',
  );
  const whiteLabelId = label.data.whiteLabel.id;
  const move = await mutate('admin', 'moveToWhiteLabel', { developerId, whiteLabelId }, APPROVAL_REQUEST);
  expect(move.data.approvalRequest.action).toBe('ASSIGN_PROVIDER');
  expect((await approve(assign.data.approvalRequest.id)).codes).toEqual([]);
  expect((await approve(move.data.approvalRequest.id)).codes).toEqual(['CONFLICT']);
  const labelRequest = await mutate(
    'admin',
    'assignRechargeProvider',
    { whiteLabelId, provider: 'ROUNDPAY' },
    APPROVAL_REQUEST,
  );
  expect((await approve(labelRequest.data.approvalRequest.id)).data.outcome.developer).toBeNull();
});

it('an approval request names the developer, user or object it concerns, read in one batch', async () => {
  const about = 'user { name } whiteLabel { name } provider environment developer { id }';
  const developerId = await approved();
  const created = await mutate(
    'admin',
    'createWhiteLabel',
    { name: 'Named', rechargeProvider: 'MOKSHIQ' },
    'whiteLabel { id }',
  );
  const whiteLabelId = created.data.whiteLabel.id;
  const email = 'named@test.example';
  const userId = await console.test.app.users.create(
    { email, name: 'Asha', password: PASSWORD, role: 'support' },
    seed,
  );
  const disableInput = { provider: 'INSPAY', environment: 'PRODUCTION', available: false, reason: 'Rubbish' };
  expect((await mutate('admin', 'setProviderAvailability', disableInput, 'health { available }')).codes).toEqual([]);
  const approvalRequests = [
    await mutate('admin', 'moveToWhiteLabel', { developerId, whiteLabelId }, 'approvalRequest { id }'),
    await mutate('admin', 'assignRechargeProvider', { whiteLabelId, provider: 'ROUNDPAY' }, 'approvalRequest { id }'),
    await mutate('admin', 'setUserRole', { userId, role: 'FINANCE' }, 'approvalRequest { id }'),
    await mutate('admin', 'setProviderAvailability', { ...disableInput, available: true }, 'approvalRequest { id }'),
  ].map(({ data }) => data.approvalRequest.id);
  const list = `{ approvalRequests(first: 50) { edges { node { id ${about} } } } }`;
  const { body } = await console.call(console.staff.second, list);
  const found = body.data.approvalRequests.edges.map(({ node }: { node: { id: string } }) => node);
  const noSubjects = { developer: null, user: null, whiteLabel: null, provider: null, environment: null };
  expect(found.filter(({ id }: { id: string }) => approvalRequests.includes(id))).toEqual(
    [
      { ...noSubjects, developer: { id: `dev_${developerId}` }, whiteLabel: { name: 'Named' } },
      { ...noSubjects, whiteLabel: { name: 'Named' } },
      { ...noSubjects, user: { name: 'Asha' } },
      { ...noSubjects, provider: 'INSPAY', environment: 'PRODUCTION' },
    ].map((expected, index) => ({ id: approvalRequests[index], ...expected })),
  );
  for (const id of approvalRequests) expect((await rejectRequest(id)).codes).toEqual([]);
  await console.test.db.query('delete from provider_switch');
});

describe('a new role for staff', () => {
  const ROLE = `user { role } ${APPROVAL_REQUEST}`;
  const setRole = (userId: string, role: string, actor: Staff = 'admin') =>
    mutate(actor, 'setUserRole', { userId, role }, ROLE);
  const newcomer = async (role: 'support' | 'finance' = 'support') => {
    const email = `role-${++sequence}@test.example`;
    const id = await console.test.app.users.create({ email, name: 'New', password: PASSWORD, role }, seed);
    const { token } = await console.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
    return { id: `usr_${id}`, token };
  };

  it('requires a second admin; finance approves only requests about money', async () => {
    const [{ id }, finance] = [await newcomer(), await newcomer('finance')];
    const { data } = await setRole(id, 'ADMIN');
    expect(data).toMatchObject({
      user: { role: 'SUPPORT' },
      approvalRequest: {
        action: 'SET_ROLE',
        developer: null,
        changes: [{ field: 'role', before: 'support', after: 'admin' }],
      },
    });
    expect((await setRole(id, 'ADMIN', 'second')).data.approvalRequest.id).toBe(data.approvalRequest.id);
    const approval = `mutation { approveApprovalRequest(input: { approvalRequestId: "${data.approvalRequest.id}" }) { outcome { __typename } } }`;
    expect(await console.codes(finance.token, approval)).toEqual(['FORBIDDEN']);
    const canApprove = async (token: string) =>
      (
        await console.call(token, 'query($id: ID!) { node(id: $id) { ... on ApprovalRequest { canApprove } } }', {
          id: data.approvalRequest.id,
        })
      ).body.data.node.canApprove;
    expect([await canApprove(finance.token), await canApprove(console.staff.second)]).toEqual([false, true]);
    expect((await approve(data.approvalRequest.id, 'admin')).codes).toEqual(['FORBIDDEN']);
    const result = 'outcome { ... on ApprovalRequestApproved { user { id role } } }';
    const done = await mutate(
      'second',
      'approveApprovalRequest',
      { approvalRequestId: data.approvalRequest.id },
      result,
    );
    expect(done.data.outcome.user).toEqual({ id, role: 'ADMIN' });
    expect((await setRole(id, 'ADMIN')).codes).toEqual(['CONFLICT']);
  });

  it('cannot be granted by an invitation instead, and a new request replaces it', async () => {
    const invite = (role: string) =>
      mutate('admin', 'inviteUser', { email: `asked-${++sequence}@test.example`, name: 'N', role }, 'user { id }');
    for (const role of ['ADMIN', 'FINANCE', 'REVIEWER'])
      expect([role, (await invite(role)).codes]).toEqual([role, ['CONFLICT']]);
    expect((await invite('SUPPORT')).codes).toEqual([]);
    const { id } = await newcomer();
    const firstRequest = (await setRole(id, 'ADMIN')).data.approvalRequest;
    const secondRequest = (await setRole(id, 'REVIEWER')).data.approvalRequest;
    expect((await approve(firstRequest.id)).codes).toEqual(['CONFLICT']);
    expect((await approve(secondRequest.id)).codes).toEqual([]);
  });

  it('is granted once if 20 admins approve at the same time', async () => {
    const { id } = await newcomer();
    const { data } = await setRole(id, 'FINANCE');
    const tokens = Array.from({ length: 20 }, () => randomToken('ses_'));
    // Sessions of 20 other admins, without the cost of hashing 20 passwords.
    const people = await console.test.db.query<{ id: string }>(
      `insert into app_user (email, name, role, password_hash)
         select 'crowd-' || n || '@test.example', 'Crowd', 'admin', 'none' from generate_series(1, 20) n returning id`,
    );
    const expiresAt = new Date(Date.now() + 3_600_000);
    const rows = people.map(({ id: userId }, n) => sessionRow(tokens[n]!, { userId, expiresAt }));
    await console.test.db.query(
      `insert into session (session_hash, user_id, expires_at, mac)
         select hash, id, $1, mac from unnest($2::uuid[], $3::bytea[], $4::bytea[]) t (id, hash, mac)`,
      [expiresAt, people.map((person) => person.id), rows.map(({ hash }) => hash), rows.map(({ mac }) => mac)],
    );
    const approval = `mutation { approveApprovalRequest(input: { approvalRequestId: "${data.approvalRequest.id}" }) { outcome { __typename } } }`;
    const responses = await Promise.all(tokens.map((token) => console.codes(token, approval)));
    expect(responses.flat()).toEqual(Array.from({ length: 19 }, () => 'CONFLICT'));
    await console.test.db.query(`update app_user set disabled_at = now() where name = 'Crowd'`);
  });
});

describe('inviting staff into an account', () => {
  const USER = `user { id email invitedUntil } ${APPROVAL_REQUEST}`;
  const invite = (developerId: string, email: string, teamRole = 'OWNER', actor: Staff = 'admin') => {
    const input = { email, name: 'Own mailbox', role: 'DEVELOPER', teamRole, developerId: `dev_${developerId}` };
    return mutate(actor, 'inviteUser', input, USER);
  };
  const rowsFor = (email: string) => console.test.db.query('select from invitation where email = $1', [email]);
  const linkTo = async (email: string, count = 1) =>
    /accept-invitation#token=([0-9a-f]{64})/.exec(
      (await emailsTo(mailboxOf(console.test.db.url), email, count)).at(-1)!,
    )![1]!;
  const accept = (token: string) =>
    console.codes(
      undefined,
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { id } } } }',
      { input: { token, password: PASSWORD } },
    );
  const ownerOf = async (developerId: DeveloperId) => {
    await console.userOf(developerId);
    const [user] = await console.test.db.query<{ id: string }>(
      `select id from app_user where developer_id = $1 and team_role = 'owner'`,
      [developerId],
    );
    return `usr_${user!.id}`;
  };

  it('with an active owner is rejected, so no administrator can join a customer account with their own mailbox', async () => {
    const victim = await console.test.developer({ liveRupees: 0 });
    const userId = await ownerOf(victim.id);
    for (const teamRole of ['OWNER', 'BUILDER', 'READER']) {
      const email = `own-${++sequence}@mailbox.example`;
      const { codes, answer } = await invite(victim.id, email, teamRole);
      expect([codes, answer.body.errors[0].message]).toEqual([
        ['CONFLICT'],
        'This account has an active owner. Ask an owner of the account to make this change.',
      ]);
      expect(await rowsFor(email)).toEqual([]);
      expect(arrivedFor(mailboxOf(console.test.db.url), email)).toEqual([]);
    }
    expect((await mutate('admin', 'setUserRole', { userId, teamRole: 'READER' }, APPROVAL_REQUEST)).codes).toEqual([
      'CONFLICT',
    ]);
  });

  it('without one requires two admins, and notifies the account; the link is void once an owner is active', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const [account] = await console.test.db.query<{ email: string }>('select email from developer where id = $1', [id]);
    const email = `first-${++sequence}@shop.example`;
    const { data } = await invite(id, email);
    expect(data.approvalRequest).toMatchObject({
      state: 'PENDING',
      action: 'INVITE_USER',
      developer: { id: `dev_${id}` },
      changes: [
        { field: 'invited', before: 'false', after: 'true' },
        { field: 'teamRole', before: null, after: 'owner' },
      ],
    });
    const requestQuery = `{ node(id: "${data.approvalRequest.id}") { ... on ApprovalRequest { user { id email } } } }`;
    expect((await console.call(console.staff.second, requestQuery)).body.data.node.user).toEqual({
      id: data.user.id,
      email,
    });
    // No link is sent yet, and a second call returns the pending request.
    expect((await invite(id, email)).data.approvalRequest.id).toBe(data.approvalRequest.id);
    expect(arrivedFor(mailboxOf(console.test.db.url), email)).toEqual([]);
    for (const actor of ['admin', 'support'] as const)
      expect((await approve(data.approvalRequest.id, actor)).codes).toEqual(['FORBIDDEN']);
    expect((await approve(data.approvalRequest.id)).codes).toEqual([]);
    expect((await approve(data.approvalRequest.id)).codes).toEqual(['CONFLICT']);
    const token = await linkTo(email);
    expect((await emailsTo(mailboxOf(console.test.db.url), account!.email, 1)).at(-1)).toContain(
      'Subject: A user was invited to your account',
    );
    const [entry] = await console.test.db.query<{ after: object }>(
      `select after from audit_entry where action = 'user.invite' and subject = $1`,
      [`user:${data.user.id.slice(4)}`],
    );
    expect(entry!.after).toMatchObject({ teamRole: 'owner', developerId: id, approvalRequestId: expect.any(String) });

    // A second invitation, pending when the first user joins.
    const rival = `second-${++sequence}@shop.example`;
    const secondRequest = (await invite(id, rival)).data.approvalRequest;
    const third = `third-${++sequence}@shop.example`;
    const ready = (await invite(id, third)).data.approvalRequest;
    expect((await approve(ready.id)).codes).toEqual([]);
    expect(await accept(token)).toEqual([]);
    expect((await approve(secondRequest.id)).codes).toEqual(['CONFLICT']);
    expect(await accept(await linkTo(third))).toEqual(['VALIDATION_FAILED']);
    expect((await invite(id, `fourth-${++sequence}@shop.example`)).codes).toEqual(['CONFLICT']);
    expect((await rejectRequest(secondRequest.id)).codes).toEqual([]);
  });

  it('is not sent after its withdrawal', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const email = `gone-${++sequence}@shop.example`;
    const { user, approvalRequest } = (await invite(id, email)).data;
    const removal = { userId: user.id, reason: 'a slip' };
    expect((await mutate('second', 'removeUser', removal, 'removedUserId')).codes).toEqual([]);
    expect((await approve(approvalRequest.id)).codes).toEqual(['CONFLICT']);
    expect(arrivedFor(mailboxOf(console.test.db.url), email)).toEqual([]);
  });

  it('also applies to a team role, which two admins change while no owner is active', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const userId = await ownerOf(id);
    const reader = await console.test.app.users.create(
      {
        email: `reader-${++sequence}@shop.example`,
        name: 'R',
        password: PASSWORD,
        role: 'developer',
        teamRole: 'reader',
        developerId: id,
      },
      seed,
    );
    const raise = () =>
      mutate('admin', 'setUserRole', { userId: `usr_${reader}`, teamRole: 'OWNER' }, APPROVAL_REQUEST);
    expect((await raise()).codes).toEqual(['CONFLICT']);
    await mutate('admin', 'suspendUser', { userId, reason: 'stolen' }, 'user { id }');
    const { approvalRequest } = (await raise()).data;
    expect(approvalRequest.action).toBe('SET_ROLE');
    await mutate('admin', 'reinstateUser', { userId }, 'user { id }');
    expect((await approve(approvalRequest.id)).codes).toEqual(['CONFLICT']);
    await mutate('admin', 'suspendUser', { userId, reason: 'stolen' }, 'user { id }');
    expect((await approve(approvalRequest.id)).codes).toEqual([]);
  });
});

it('an approval request of a disabled admin cannot be approved', async () => {
  const { data } = await unlock(await approved());
  await console.test.db.query(`update app_user set disabled_at = now() where email = 'admin@test.example'`);
  expect((await approve(data.approvalRequest.id)).codes).toEqual(['CONFLICT']);
  await console.test.db.query(`update app_user set disabled_at = null where email = 'admin@test.example'`);
});

describe('every kind of approval request', () => {
  /** Mutation, the action that needs approval, and an input that requests it. */
  const requests: Readonly<Record<string, [action: string, input: () => Promise<object>]>> = {
    unlockProduction: ['UNLOCK_PRODUCTION', async () => ({ developerId: await approved() })],
    setServiceAccess: [
      'SET_FEE',
      async () => ({ developerId: await approved(), service: 'DTH_INFO', enabled: true, fee: 25 }),
    ],
    assignRechargeProvider: ['ASSIGN_PROVIDER', async () => ({ developerId: await approved(), provider: 'MOKSHIQ' })],
    moveToWhiteLabel: [
      'ASSIGN_PROVIDER',
      async () => ({ developerId: await approved(), whiteLabelId: await whiteLabel() }),
    ],
    removeFromWhiteLabel: [
      'ASSIGN_PROVIDER',
      async () => {
        const developerId = await approved();
        const move = { developerId, whiteLabelId: await whiteLabel() };
        const { approvalRequest } = (await mutate('admin', 'moveToWhiteLabel', move, APPROVAL_REQUEST)).data;
        await approve(approvalRequest.id);
        return { developerId };
      },
    ],
    setProviderAvailability: [
      'SET_PROVIDER_AVAILABILITY',
      async () => {
        const disableInput = { provider: 'INSPAY', environment: 'PRODUCTION', available: false, reason: 'Maintenance' };
        await mutate('admin', 'setProviderAvailability', disableInput, 'health { available }');
        return { ...disableInput, available: true };
      },
    ],
    inviteUser: [
      'INVITE_USER',
      async () => ({
        email: `invited-${++sequence}@test.example`,
        name: 'N',
        role: 'DEVELOPER',
        teamRole: 'OWNER',
        developerId: await approved(),
      }),
    ],
    setUserRole: ['SET_ROLE', async () => ({ userId: await administrator(), role: 'SUPPORT' })],
    suspendUser: ['SUSPEND_USER', async () => ({ userId: await administrator(), reason: 'Lost laptop' })],
    reinstateUser: [
      'REINSTATE_USER',
      async () => {
        const userId = await administrator();
        await console.test.db.query('update app_user set disabled_at = now() where id = $1', [
          userId.replace('usr_', ''),
        ]);
        return { userId };
      },
    ],
    removeUser: ['REMOVE_USER', async () => ({ userId: await administrator(), reason: 'Left' })],
    resetSecondFactors: ['RESET_SECOND_FACTORS', async () => ({ userId: await administrator(), reason: 'Lost phone' })],
    creditWallet: ['CREDIT', async () => ({ ...(await money()), reference: `Transfer ${++sequence}` })],
    debitWallet: ['DEBIT', async () => ({ ...(await money()), reference: `Correction ${++sequence}` })],
    resolveOrder: [
      'RESOLVE',
      async () => ({ orderId: await inReview(), outcome: 'FAILED', reason: 'Statement, line 7' }),
    ],
    resolveOrders: [
      'RESOLVE_MANY',
      async () => ({ orderIds: [await inReview(), await inReview()], outcome: 'FAILED', reason: 'Statement' }),
    ],
    reverseOrder: ['REVERSE', async () => ({ orderId: await ordered(), reason: 'Statement, line 7' })],
    reverseRefund: [
      'REVERSE_REFUND',
      async () => {
        const orderId = await ordered('9876540001');
        return { orderId, reason: 'Statement, line 7' };
      },
    ],
    // The last one: a process places no order for up to two seconds after orders are resumed.
    resumeOrders: [
      'RESUME_ORDERS',
      async () => {
        const environment = 'PRODUCTION';
        await mutate(
          'admin',
          'pauseOrders',
          { environment, notice: 'Maintenance', reason: 'Planned' },
          'approvalRequest { id }',
        );
        return { environment, reason: 'The maintenance is over' };
      },
    ],
  };
  /** Mutations that share a payload with an approval request, but take effect immediately. */
  const actAtOnce = [
    'approveApprovalRequest',
    'rejectApprovalRequest',
    'approveDeveloper',
    'rejectDeveloper',
    'suspendDeveloper',
    'reinstateDeveloper',
    'requestKycChanges',
    'requestProduction',
    'lockProduction',
    'saveKycDraft',
    'updateProfile',
    'setDuplicateGuard',
    'setRateLimit',
    'resetRateLimit',
    'setTokenLifetime',
    'resetTokenLifetime',
    'setSessionIdleLimit',
    'pauseOrders',
  ];
  const whiteLabel = async (): Promise<string> => {
    const input = { name: `Label ${++sequence}`, rechargeProvider: 'MOKSHIQ' };
    return (await mutate('admin', 'createWhiteLabel', input, 'whiteLabel { id }')).data.whiteLabel.id;
  };
  const administrator = async (): Promise<string> => {
    const email = `administrator-${++sequence}@test.example`;
    const id = await console.test.app.users.create({ email, name: 'A', password: PASSWORD, role: 'admin' }, seed);
    const { token } = await console.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
    const session = (await console.test.app.principals.ofSession(token))!;
    const { secret } = await console.test.app.factors.startTotp(session, PASSWORD, FROM_TEST);
    await console.test.app.factors.confirmTotp(session, codeOf(secret), undefined, FROM_TEST);
    return `usr_${id}`;
  };
  let developer: TestDeveloper | undefined;
  const account = async () => (developer ??= await console.test.developer());
  const money = async () => ({
    developerId: (await account()).id,
    environment: 'PRODUCTION',
    amount: 10,
    reason: 'Statement, line 7',
  });
  const ordered = async (number = '9876543210'): Promise<string> => {
    const key = `approval request ${++sequence}`;
    await place(console.test, await account(), { account_number: number, client_request_id: key, amount: 10 });
    return publicId((await orderRow(console.test, await account(), key)).id);
  };
  const inReview = async (): Promise<string> =>
    publicId(await orderInReview(console.test, await account(), { rupees: 10 }));
  /** All values that a request must not change. */
  const state = () =>
    console.test.db.query(
      `select (select md5(string_agg(a::text, ',' order by id)) from developer a) as accounts,
        (select md5(string_agg(s::text, ',' order by developer_id, service)) from service_access s) as access,
        (select md5(string_agg(concat_ws(',', id, role, team_role, disabled_at), ';' order by id)) from app_user) as people,
        (select md5(string_agg(f::text, ',' order by f::text)) from second_factor f) as factors,
        (select md5(string_agg(i::text, ',' order by id)) from invitation i) as invitations, (select count(*) from transfer) as transfers,
        (select md5(string_agg(concat_ws(',', id, state), ';' order by id)) from orders) as orders,
        (select md5(string_agg(p::text, ',' order by p::text)) from provider_switch p) as switches,
        (select md5(string_agg(p::text, ',' order by p::text)) from order_pause p) as pauses`,
    );

  it('is in this table, and so is every mutation that can request one', () => {
    const { console: schema } = console.test.app.schemas;
    const actions = (schema.getType('ApprovalRequestAction') as GraphQLEnumType).getValues();
    // A command requests the correction of a wallet: see wallet-correction.test.ts.
    const names = actions.flatMap(({ name }) => (name === 'CORRECT_WALLET' ? [] : [name]));
    expect([...new Set(Object.values(requests).map(([action]) => action))].toSorted()).toEqual(names.toSorted());
    const mutations = Object.values(schema.getMutationType()!.getFields()).filter(({ type }) => {
      const { approvalRequest, outcome } = (getNamedType(type) as GraphQLObjectType).getFields();
      const results = outcome && (getNamedType(outcome.type) as GraphQLUnionType).getTypes();
      return approvalRequest || results?.some(({ name }) => name === 'ApprovalRequestCreated');
    });
    expect([...Object.keys(requests), ...actAtOnce].toSorted()).toEqual(mutations.map(({ name }) => name).toSorted());
  });

  // All tests use one address, which has a limit of invitations.
  beforeAll(() => console.test.db.query(`delete from rate_limit where key not like 'rate:%'`));

  it.each(Object.keys(requests))('%s changes nothing until another administrator approves it', async (field) => {
    const [action, inputOf] = requests[field]!;
    const input = await inputOf();
    const earlier = await state();
    const unexplainedBefore = await unexplainedRows(console.test.app.pool);
    const selection = 'approvalRequest { id state action }';
    const isMoney = ['creditWallet', 'debitWallet', 'resolveOrder', 'reverseOrder', 'reverseRefund'].includes(field);
    const { codes, data } = await mutate(
      'admin',
      field,
      input,
      isMoney ? `outcome { ... on ApprovalRequestCreated { ${selection} } }` : selection,
    );
    expect(codes).toEqual([]);
    const { approvalRequest } = isMoney ? data.outcome : data;
    expect(approvalRequest).toMatchObject({ state: 'PENDING', action });
    // An invitation is stored with a link that is not sent.
    const stateBefore = action === 'INVITE_USER' ? await state() : earlier;
    for (const actor of ['admin', 'support'] as const)
      expect((await approve(approvalRequest.id, actor)).codes).toEqual(['FORBIDDEN']);
    expect(await state()).toEqual(stateBefore);
    // The audit log has the requested change and the row does not, which is expected.
    expect(await unexplainedRows(console.test.app.pool)).toEqual(unexplainedBefore);
    expect((await approve(approvalRequest.id)).codes).toEqual([]);
    expect(await state()).not.toEqual(stateBefore);
  });
});
