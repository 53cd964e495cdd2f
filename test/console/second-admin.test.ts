import { beforeAll, expect, it } from 'vitest';
import { mailboxOf } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { mailsTo } from '../support/mailbox.js';
import { codesOf, PASSWORD, useOwnConsole } from './console.fixture.js';

/** Nothing takes two people by the settings. */
const console = useOwnConsole({ TWO_PEOPLE: 'none' });
/** Sessions with a second factor. */
const session: Record<'admin' | 'second', string> = { admin: '', second: '' };

async function mutate(token: string | undefined, name: string, input: object, selection: string) {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const answer = await console.call(token, `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`, {
    input,
  });
  return { codes: codesOf(answer), data: answer.body.data?.[name] };
}

async function enrolled(token: string): Promise<string> {
  const started = await mutate(token, 'startTotp', { currentPassword: PASSWORD }, '{ secret }');
  return (await mutate(token, 'confirmTotp', { code: codeOf(started.data.secret) }, '{ token }')).data.token;
}

const invite = (email: string, role: string) =>
  mutate(session.admin, 'inviteUser', { email, name: 'Somebody', role }, '{ user { id } }');
const accept = async (email: string) => {
  const [mail] = await mailsTo(mailboxOf(console.test.db.url), email, 1);
  const [, token] = /accept-invitation#token=([0-9a-f]{64})/.exec(mail!)!;
  return mutate(undefined, 'acceptInvitation', { token, password: PASSWORD }, '{ viewer { user { id role } } }');
};
const setRole = (userId: string, role: string) =>
  mutate(session.admin, 'setUserRole', { userId, role }, '{ proposal { id state } }');
const takesTwo = async () =>
  (await console.call(session.admin, '{ defaults { twoPeople } }')).body.data.defaults.twoPeople;

/** Joined as support before there was a second admin. */
let supporter: string;

beforeAll(async () => {
  session.admin = await enrolled(console.staff.admin);
});

it('one admin with a second factor, and one without, change roles alone', async () => {
  expect(await takesTwo()).toEqual([]);
  expect((await invite('support-one@test.example', 'SUPPORT')).codes).toEqual([]);
  supporter = (await accept('support-one@test.example')).data.viewer.user.id;
  expect((await setRole(supporter, 'REVIEWER')).data).toEqual({ proposal: null });
  expect((await invite('early@test.example', 'ADMIN')).codes).toEqual([]);
});

it('once a second one has a factor no admin makes another one alone: not by a role, an invitation or an earlier link', async () => {
  session.second = await enrolled(console.staff.second);
  expect(await takesTwo()).toEqual(['ROLES']);
  for (const role of ['ADMIN', 'FINANCE', 'REVIEWER'])
    expect([role, (await invite(`own-${role}@test.example`, role)).codes]).toEqual([role, ['CONFLICT']]);
  expect((await invite('support-two@test.example', 'SUPPORT')).codes).toEqual([]);
  expect((await accept('early@test.example')).codes).toEqual(['VALIDATION_FAILED']);
  expect((await setRole(supporter, 'ADMIN')).data.proposal.state).toBe('WAITING');
});

it('and it stays so for good, also for who is alone afterwards', async () => {
  const [second] = await console.test.db.query(`select 'usr_' || id as id from app_user where name = 'second'`);
  const input = { userId: second!.id, reason: 'Has left' };
  expect((await mutate(session.admin, 'suspendUser', input, '{ user { id } }')).codes).toEqual([]);
  expect(await takesTwo()).toEqual(['ROLES']);
  const { proposal } = (await setRole(supporter, 'FINANCE')).data;
  const approval = await mutate(
    session.admin,
    'approveProposal',
    { proposalId: proposal.id },
    '{ outcome { __typename } }',
  );
  expect(approval.codes).toEqual(['FORBIDDEN']);
});
