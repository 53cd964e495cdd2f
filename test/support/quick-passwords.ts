import { hash, verify } from '@node-rs/argon2';
import type { PasswordHash, PasswordOwner, Passwords } from '../../src/accounts/people/passwords.js';
import type { RowKeys } from '../../src/core/row-keys.js';

/** The least that argon2id takes: a thousandth of what it costs in production. */
const LEAST = { memoryCost: 8, timeCost: 1 };

/**
 * Hashes at the least cost and without threads, for applications whose tests sign people in by the way. What the real work costs and
 * how it is admitted is shown by test/accounts/password-threads, attempts and passwords, and by every test that starts a process.
 */
export function makeQuick(passwords: Passwords, rowKeys: RowKeys): void {
  Object.assign(passwords, {
    hash: (password: string, userId: string) =>
      hash(password, { ...LEAST, secret: rowKeys.passwordSecret(userId) }) as Promise<PasswordHash>,
    verify: async (user: PasswordOwner | null | undefined, password: string, _device?: { isKnown?: boolean }) =>
      user != null && (await verify(user.passwordHash, password, { secret: rowKeys.passwordSecret(user.id) })),
  } satisfies Pick<Passwords, 'hash' | 'verify'>);
}

/** Undoes it. */
export function makeReal(passwords: Passwords): void {
  for (const name of ['hash', 'verify']) Reflect.deleteProperty(passwords, name);
}
