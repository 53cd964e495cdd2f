import { expect, it } from 'vitest';
import { codesOf, PASSWORD, useConsole } from '../console/console.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';

const on = useConsole({ STAFF_SECOND_FACTOR: 'required', OWNER_SECOND_FACTOR: 'required' });
const SIGN_IN = `mutation($input: SignInInput!) {
  signIn(input: $input) { token mustEnrol viewer { user { email } developer { id } sessions { id } } } }`;
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

it('staff without a second factor can do nothing but add one, and then all of their role', async () => {
  const { staff } = on;
  for (const query of [
    '{ developers(first: 1) { edges { node { id } } } }',
    '{ auditTrail(first: 1) { edges { node { id } } } }',
    'mutation { createWhiteLabel(input: { name: "x", rechargeProvider: ROUNDPAY }) { whiteLabel { id } } }',
    '{ viewer { sessions { id } } }',
    'mutation { endSessions(input: { which: OTHERS }) { endedSessions } }',
  ])
    expect([query, (await on.codes(staff.admin, query)).at(0)]).toEqual([query, 'SECOND_FACTOR_MISSING']);
  expect(await on.codes(staff.admin, '{ viewer { user { email secondFactors { kind } } } }')).toEqual([]);
  expect(await signIn('admin@test.example')).toMatchObject({ mustEnrol: true, viewer: { developer: null } });

  const { token, secret } = await enrol(staff.admin);
  expect(await on.codes(token, '{ developers(first: 1) { edges { node { id } } } }')).toEqual([]);
  expect((await on.call(staff.admin, '{ viewer { user { id } } }')).status).toBe(401);
  expect(await signIn('admin@test.example', codeOf(secret, 1))).toMatchObject({ mustEnrol: false });

  const { secondFactors } = (await on.call(token, '{ viewer { user { secondFactors { id kind } } } }')).body.data.viewer
    .user;
  expect(await on.codes(token, REMOVE, { input: { id: secondFactors[0].id } })).toEqual(['CONFLICT']);
});

it('a session of staff from before cannot read KYC, orders or statements as files either', async () => {
  for (const path of ['/orders.csv', '/kyc-documents/x']) {
    const { status } = await on.test.rest('console' as never, 'GET', path, on.staff.support);
    expect([path, status >= 400]).toEqual([path, true]);
  }
});

it('users of an account need one from live access on; signing in shows nothing of the account before', async () => {
  const { id } = await on.test.developer();
  const email = 'live-owner@test.example';
  await on.userOf(id, email);
  const { token, ...rest } = await signIn(email);
  expect(rest).toEqual({ mustEnrol: true, viewer: { user: { email }, developer: null, sessions: null } });
  const read = await on.call(token, '{ viewer { developer { id } } }');
  expect(codesOf(read)).toEqual(['SECOND_FACTOR_MISSING']);
  const enrolled = await enrol(token);
  expect((await on.call(enrolled.token, '{ viewer { developer { id } } }')).body.data.viewer.developer.id).toBe(
    `dev_${id}`,
  );

  const applicant = await on.applicant('Not live');
  expect(await signIn(await emailOf(applicant))).toMatchObject({ mustEnrol: false });
});

async function emailOf(developerId: Awaited<ReturnType<typeof on.applicant>>): Promise<string> {
  const email = 'not-live@test.example';
  await on.test.app.users.create({ email, name: 'N', password: PASSWORD, role: 'developer', developerId }, seed);
  expect((await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).mustEnrol).toBe(false);
  return email;
}
