import { beforeAll, describe, expect, it } from 'vitest';
import { requireGoodPassword } from '../../src/accounts/people/password-rules.js';
import type { AppError } from '../../src/core/errors.js';
import { codesOf, fieldsOf, PASSWORD, useConsole } from '../console/console.fixture.js';
import { mailboxOf, type TestDeveloper } from '../support/app.js';
import { emailsTo } from '../support/mailbox.js';

const resultOf = (password: string, ...words: string[]): Promise<string> =>
  requireGoodPassword('input.password', password, words).then(
    () => 'accepted',
    ({ code, details }: AppError) => `${code} ${details.fields?.map(({ path }) => path).join()}`,
  );
const REJECTED = 'VALIDATION_FAILED input.password';

describe('a new password', () => {
  it.each([
    'aaaaaaaaaaaa',
    '123456789012',
    '210987654321',
    'password1234',
    'Password2026!',
    'P@ssw0rd2026!',
    '!!Iloveyou2026',
    'qwertyuiop12',
    'abcdefghijkl',
    'passwordpassword',
    'abababababab',
    'ｐａｓｓｗｏｒｄ1234',
  ])('is rejected if it is common: %s', async (password) => expect(await resultOf(password)).toBe(REJECTED));

  it.each([
    'Asha.Verma.2026',
    'asha@telecom.example',
    '4cmeTelecom!!',
    'acmetelecom#1',
    'recharge-gateway',
    'Recharge2026!!',
    'vermaverma99x',
  ])('is rejected if it consists of known facts about its user: %s', async (password) =>
    expect(await resultOf(password, 'Asha Verma', 'asha@telecom.example', 'Acme Telecom')).toBe(REJECTED),
  );

  it.each([
    'correct horse battery',
    'a long enough password',
    'dragon928374610293',
    'xk3J9-qqPz-71Lm',
    'asha likes long walks',
    'प्रिय नीला आकाश और नदी',
  ])('is accepted otherwise: %s', async (password) =>
    expect(await resultOf(password, 'Asha Verma', 'asha@telecom.example', 'Acme Telecom')).toBe('accepted'),
  );
});

describe('on the console', () => {
  const on = useConsole();
  let developer: TestDeveloper;
  let session: string;
  beforeAll(async () => {
    developer = await on.test.developer();
    session = await on.userOf(developer.id, 'rules@test.example');
  });

  it('is checked with the names of the user and the account when it is changed', async () => {
    const change = (newPassword: string) =>
      on.call(session, 'mutation($in: ChangePasswordInput!) { changePassword(input: $in) { revokedSessions } }', {
        in: { currentPassword: PASSWORD, newPassword },
      });
    for (const newPassword of ['password1234', 'Someone-someone', 'rules@test.example', 'Developer-2026']) {
      const response = await change(newPassword);
      expect([newPassword, codesOf(response), fieldsOf(response)]).toEqual([
        newPassword,
        ['VALIDATION_FAILED'],
        ['input.newPassword'],
      ]);
    }
    expect(codesOf(await change('seven green parrots'))).toEqual([]);
  });

  it('is rejected if it is common, wherever it is set, and the link can still be used', async () => {
    const linkTo = async (email: string, page: string) => {
      const [message] = await emailsTo(mailboxOf(on.test.db.url), email, 1);
      return new RegExp(`/${page}#token=([0-9a-f]{64})`).exec(message!)![1]!;
    };
    await on.userOf(developer.id, 'forgetful@test.example');
    const REQUEST = 'mutation($in: RequestPasswordResetInput!) { requestPasswordReset(input: $in) { accepted } }';
    await on.call(undefined, REQUEST, { in: { email: 'forgetful@test.example' } });
    const reset = await linkTo('forgetful@test.example', 'reset-password');
    const INVITE = 'mutation($in: InviteUserInput!) { inviteUser(input: $in) { user { id } } }';
    const person = { email: 'new@test.example', name: 'New', role: 'DEVELOPER', teamRole: 'READER' };
    expect(codesOf(await on.call(session, INVITE, { in: person }))).toEqual([]);
    const invited = await linkTo('new@test.example', 'accept-invitation');
    const operations: Record<string, (password: string) => ReturnType<typeof on.call>> = {
      'input.password of signUp': (password) =>
        on.call(undefined, 'mutation($in: SignUpInput!) { signUp(input: $in) { __typename } }', {
          in: { name: 'Somebody', email: 'nobody@test.example', mobile: '9876543210', password },
        }),
      'input.newPassword of changePassword': (newPassword) =>
        on.call(session, 'mutation($in: ChangePasswordInput!) { changePassword(input: $in) { revokedSessions } }', {
          in: { currentPassword: 'seven green parrots', newPassword },
        }),
      'input.newPassword of resetPassword': (newPassword) =>
        on.call(undefined, 'mutation($in: ResetPasswordInput!) { resetPassword(input: $in) { __typename } }', {
          in: { token: reset, newPassword },
        }),
      'input.password of acceptInvitation': (password) =>
        on.call(undefined, 'mutation($in: AcceptInvitationInput!) { acceptInvitation(input: $in) { __typename } }', {
          in: { token: invited, password },
        }),
    };
    for (const [operation, set] of Object.entries(operations)) {
      const [field] = operation.split(' ');
      for (const password of ['password1234', 'aaaaaaaaaaaa', '123456789012', 'Password2026!']) {
        const response = await set(password);
        expect([operation, password, codesOf(response), fieldsOf(response)]).toEqual([
          operation,
          password,
          ['VALIDATION_FAILED'],
          [field],
        ]);
      }
      expect([operation, codesOf(await set('nine purple elephants'))]).toEqual([operation, []]);
    }
  });

  it('is checked at sign-up, whether the address has an account or not', async () => {
    for (const email of ['rules@test.example', 'unknown@test.example']) {
      const input = { name: 'Acme Telecom', email, mobile: '9876543210', password: 'acme-telecom-1' };
      const response = await on.call(undefined, 'mutation($in: SignUpInput!) { signUp(input: $in) { __typename } }', {
        in: input,
      });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.password']]);
    }
  });
});
