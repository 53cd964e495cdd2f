import { expect, it } from 'vitest';
import { PASSWORD, useConsole } from '../console/console.fixture.js';
import { FROM_TEST, mailboxOf, seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { emailsTo } from '../support/mailbox.js';
import { OUTCOME } from '../support/outcomes.js';
import { confirmSessionsAgo } from '../support/row-keys.js';

const on = useConsole({ STAFF_SECOND_FACTOR: 'required', OWNER_SECOND_FACTOR: 'required' });
const SIGN_IN = `mutation($input: SignInInput!) {
  signIn(input: $input) { token mustEnroll viewer { user { email } developer { id } sessions { id } } } }`;
const START = 'mutation($input: StartTotpInput!) { startTotp(input: $input) { secret } }';
const CONFIRM = 'mutation($input: ConfirmTotpInput!) { confirmTotp(input: $input) { token recoveryCodes } }';
const REMOVE =
  'mutation($input: RemoveSecondFactorInput!) { removeSecondFactor(input: $input) { viewer { user { id } } } }';

const signIn = async (email: string, code?: string) =>
  (await on.call(undefined, SIGN_IN, { input: { email, password: PASSWORD, ...(code ? { code } : {}) } })).body.data
    .signIn;

async function enrol(token: string) {
  const { secret } = (await on.call(token, START, { input: { currentPassword: PASSWORD } })).body.data.startTotp;
  const { body } = await on.call(token, CONFIRM, { input: { code: codeOf(secret) } });
  return { ...(body.data.confirmTotp as { token: string; recoveryCodes: string[] }), secret: secret as string };
}

it('staff without a second factor can only add one, and then use their role', async () => {
  const { staff } = on;
  for (const query of [
    '{ developers(first: 1) { edges { node { id } } } }',
    '{ auditLog(first: 1) { edges { node { id } } } }',
    'mutation { createWhiteLabel(input: { name: "x", rechargeProvider: ROUNDPAY }) { whiteLabel { id } } }',
    'mutation { revokeSessions(input: { scope: OTHERS }) { revokedSessions } }',
  ])
    expect([query, (await on.codes(staff.admin, query)).at(0)]).toEqual([query, 'SECOND_FACTOR_NOT_ENROLLED']);
  expect(await on.codes(staff.admin, '{ viewer { user { email secondFactors { kind } } } }')).toEqual([]);
  expect(await signIn('admin@test.example')).toMatchObject({ mustEnroll: true, viewer: { developer: null } });

  const { token, secret } = await enrol(staff.admin);
  expect(await on.codes(token, '{ developers(first: 1) { edges { node { id } } } }')).toEqual([]);
  expect((await on.call(staff.admin, '{ viewer { user { id } } }')).status).toBe(401);
  expect(await signIn('admin@test.example', codeOf(secret, 1))).toMatchObject({ mustEnroll: false });

  const { secondFactors } = (await on.call(token, '{ viewer { user { secondFactors { id kind } } } }')).body.data.viewer
    .user;
  expect(await on.codes(token, REMOVE, { input: { id: secondFactors[0].id } })).toEqual(['CONFLICT']);
});

it('an earlier session of staff cannot read KYC documents, orders or statements as files either', async () => {
  for (const path of ['/orders.csv', '/kyc-documents/x']) {
    const { status } = await on.test.rest('console' as never, 'GET', path, on.staff.support);
    expect([path, status >= 400]).toEqual([path, true]);
  }
});

it('users of an account need a second factor once it has Production access, and sign-in shows nothing of it before', async () => {
  const { id } = await on.test.developer();
  const email = 'live-owner@test.example';
  await on.userOf(id, email);
  const { token, ...rest } = await signIn(email);
  expect(rest).toEqual({ mustEnroll: true, viewer: { user: { email }, developer: null, sessions: null } });
  const read = await on.call(token, '{ viewer { developer { id } } }');
  expect(read.body.data.viewer.developer).toBeNull();
  // Not in the response of the sign-in either, or after it.
  const viewerFields = 'viewer { user { developer { name } } }';
  const within = `mutation($input: SignInInput!) { signIn(input: $input) { ${viewerFields} } }`;
  expect(await on.codes(token, `{ ${viewerFields} }`)).toEqual(['SECOND_FACTOR_NOT_ENROLLED']);
  expect(await on.codes(undefined, within, { input: { email, password: PASSWORD } })).toEqual([
    'SECOND_FACTOR_NOT_ENROLLED',
  ]);
  const enrolled = await enrol(token);
  expect((await on.call(enrolled.token, '{ viewer { developer { id } } }')).body.data.viewer.developer.id).toBe(
    `dev_${id}`,
  );

  const applicant = await on.applicant('Not live');
  expect(await signIn(await emailOf(applicant))).toMatchObject({ mustEnroll: false });
});

async function emailOf(developerId: Awaited<ReturnType<typeof on.applicant>>): Promise<string> {
  const email = 'not-live@test.example';
  await on.test.app.users.create({ email, name: 'N', password: PASSWORD, role: 'developer', developerId }, seed);
  expect((await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).mustEnroll).toBe(false);
  return email;
}

it('a user invited by an admin uses their role with their own second factor, and no other role', async () => {
  const root = { email: 'root@test.example', name: 'Root', password: PASSWORD, role: 'admin' } as const;
  const rootId = await on.test.app.users.create(root, seed);
  const admin = await enrol((await signIn('root@test.example')).token);
  const INVITE = 'mutation($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
  const invited = { email: 'money@test.example', name: 'Money', role: 'FINANCE' };
  // After an hour, a new verification is required.
  await confirmSessionsAgo(on.test.db, rootId, '1 hour');
  expect(await on.codes(admin.token, INVITE, { input: invited })).toEqual(['STEP_UP_REQUIRED']);
  const CONFIRM_MUTATION =
    'mutation($input: ConfirmSecondFactorInput!) { confirmSecondFactor(input: $input) { confirmedUntil } }';
  expect(await on.codes(admin.token, CONFIRM_MUTATION, { input: { code: admin.recoveryCodes[0] } })).toEqual([]);
  // As before a second admin had a factor, see test/console/second-admin.
  await on.test.db.query(`delete from setting where name = 'two_admins_since'`);
  expect(await on.codes(admin.token, INVITE, { input: invited })).toEqual([]);

  const [message] = await emailsTo(mailboxOf(on.test.db.url), invited.email, 1);
  const [, token] = /accept-invitation#token=([0-9a-f]{64})/.exec(message!)!;
  const JOIN =
    'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { role } } } }';
  expect(await on.codes(undefined, JOIN, { input: { token, password: PASSWORD } })).toEqual([]);
  const { id: developerId } = await on.test.developer();
  const CREDIT = `mutation($input: CreditWalletInput!) { creditWallet(input: $input) ${OUTCOME} }`;
  const credit = { input: { developerId, environment: 'UAT', amount: 5, reference: 'first' } };
  const session = await signIn(invited.email);
  expect(session.mustEnroll).toBe(true);
  expect(await on.codes(session.token, CREDIT, credit)).toEqual(['SECOND_FACTOR_NOT_ENROLLED']);
  const finance = await enrol(session.token);
  expect(await on.codes(finance.token, CREDIT, credit)).toEqual([]);
  const UNLOCK = 'mutation($input: UnlockProductionInput!) { unlockProduction(input: $input) { developer { id } } }';
  expect(await on.codes(finance.token, UNLOCK, { input: { developerId } })).toEqual(['FORBIDDEN']);
  expect(await on.codes(finance.token, INVITE, { input: { ...invited, email: 'x@test.example' } })).toEqual([
    'FORBIDDEN',
  ]);
});
