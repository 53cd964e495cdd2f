import { hash, verify } from '@node-rs/argon2';
import type { PasswordHash, PasswordOwner, Passwords } from '../../src/accounts/people/passwords.js';
import type { RowKeys } from '../../src/core/row-keys.js';

/** Minimum parameters of argon2id, with a thousandth of the cost in production. */
const LEAST = { memoryCost: 8, timeCost: 1 };

/**
 * Hashes passwords with the minimum cost and without threads, for tests that only need signed-in users. The real cost and its
 * limits are covered by test/accounts/password-threads, attempts and passwords, and by every test that starts a process.
 */
export function makeQuick(passwords: Passwords, rowKeys: RowKeys): void {
  Object.assign(passwords, {
    hash: (password: string, userId: string) =>
      hash(password, { ...LEAST, secret: rowKeys.passwordSecret(userId) }) as Promise<PasswordHash>,
    verify: async (user: PasswordOwner | null | undefined, password: string, _device?: { isKnown?: boolean }) =>
      user != null && (await verify(user.passwordHash, password, { secret: rowKeys.passwordSecret(user.id) })),
  } satisfies Pick<Passwords, 'hash' | 'verify'>);
}

/** Restores the real parameters. */
export function makeReal(passwords: Passwords): void {
  for (const name of ['hash', 'verify']) Reflect.deleteProperty(passwords, name);
}
