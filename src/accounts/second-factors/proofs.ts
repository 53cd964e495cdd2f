import { AppError, fieldError } from '../../core/errors.js';
import type { FieldEncryption } from '../../core/field-encryption.js';
import type { RowKeys } from '../../core/row-keys.js';
import type { Secret } from '../../core/secret.js';
import type { Counters } from '../../db/counters/counters.js';
import { bytesOf, type EntityManager, type MikroORM } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import {
  AnsweredChallengeEntity,
  RecoveryCodeEntity,
  SecondFactorEntity,
  type SecondFactorRow,
  type UserRow,
} from '../account.entities.js';
import { guessedCodesMail, recoveryCodeUsedMail } from '../account.mails.js';
import { FailedAttempt } from '../attempts.js';
import { CHALLENGE_TTL_MS, credentialIdOf, type Passkeys } from './passkeys.js';
import { recoveryCodeHash, recoveryCodesName } from './recovery-codes.js';
import { totpContext } from './second-factor.store.js';
import { oneTimeCode, periodOfCode } from './totp.js';

const DAY_S = 86_400;
/**
 * Maximum number of wrong codes per user and day, from all addresses. At any time, 3 of a million codes are valid. Attempts
 * require the password, so others cannot lock the user out; passkeys and recovery codes are not limited.
 */
export const WRONG_CODES_PER_DAY = 30;
/** Number of wrong codes after which the user is warned that the password may be compromised. */
export const WRONG_CODES_TOLD = 5;

/** Second factor of a sign-in or step-up verification. */
export interface Proof {
  code?: string | undefined;
  passkey?: string | undefined;
}

export interface ProofParts {
  orm: MikroORM;
  passkeys: Passkeys;
  encryption: FieldEncryption;
  counters: Counters;
  pepper: Secret;
  rowKeys: RowKeys;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  consoleUrl: string;
}

/** Verifies second factors. Each code and each passkey response is valid only once. */
export class SecondFactorProofs {
  constructor(private readonly parts: ProofParts) {}

  /**
   * Whether the user has a second factor. Recovery codes do not count, because they depend on the others. A forged row counts:
   * it verifies nothing, but sign-in must still require a factor.
   */
  async has(userId: string, em: EntityManager = this.parts.orm.em.fork()): Promise<boolean> {
    return (await this.count(userId, em)) > 0;
  }

  count(userId: string, em: EntityManager): Promise<number> {
    return em.count(SecondFactorEntity, { userId, ...COUNTS, kind: { $ne: 'recovery_codes' } });
  }

  /**
   * Returns the ID of the user of the passkey in a response, or undefined if the passkey is unknown. Throws VALIDATION_FAILED.
   */
  async ownerOfPasskey(passkey: string): Promise<string | undefined> {
    const credentialId = credentialIdOf(passkey);
    const factor = await this.parts.orm.em.fork().findOne(SecondFactorEntity, { credentialId, ...COUNTS });
    return factor && this.#isAuthentic(factor) ? factor.userId : undefined;
  }

  /**
   * Runs work and verifies the second factor in one transaction. The work must first lock the user. A one-time code is counted
   * before the transaction, because counting needs a second connection. Throws FailedAttempt, TOO_MANY_FAILED_EXCHANGES,
   * VALIDATION_FAILED, and the errors of the work.
   *
   * @param purpose reason for which the passkey challenge was created
   */
  async with<T>(
    user: UserRow,
    proof: Proof,
    purpose: string,
    work: (tx: EntityManager, prove: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    if ((proof.code === undefined) === (proof.passkey === undefined))
      throw fieldError('input.code', 'COMBINATION', 'Set exactly one of `code` and `passkey`.');
    const isOneTimeCode = proof.code !== undefined && oneTimeCode(proof.code) !== undefined;
    const giveBack = isOneTimeCode ? await this.#reserve(user.id) : async () => {};
    const result = await withEmails(this.parts, (tx) => work(tx, () => this.#prove(user, proof, purpose, tx))).catch(
      async (error: unknown) => {
        if (error instanceof FailedAttempt && error.reason === WRONG_CODE) await this.#noteWrong(user);
        // no code was compared, or the code was right
        else await giveBack();
        throw error;
      },
    );
    await giveBack();
    return result;
  }

  async #prove(user: UserRow, { code, passkey }: Proof, purpose: string, tx: EntityManager): Promise<void> {
    const right =
      passkey === undefined
        ? await this.#proveCode(user, code!, tx)
        : await this.#provePasskey(user, passkey, purpose, tx);
    if (!right) throw new FailedAttempt(passkey === undefined ? WRONG_CODE : 'wrong passkey', undefined, user.id);
  }

  async #proveCode(user: UserRow, text: string, tx: EntityManager): Promise<boolean> {
    const digits = oneTimeCode(text);
    if (digits === undefined) return this.#useRecoveryCode(user, text, tx);
    const factors = await tx.find(SecondFactorEntity, { userId: user.id, kind: 'totp', ...COUNTS });
    if (!factors.some((factor) => this.#isAuthentic(factor) && this.#takeCode(factor, digits))) return false;
    await tx.flush();
    return true;
  }

  #takeCode(factor: SecondFactorRow, digits: string): boolean {
    const secret = this.parts.encryption.decrypt<string>(totpContext(factor.id), bytesOf(factor.secret!));
    const period = periodOfCode(secret, digits, factor.lastPeriod);
    if (period === undefined) return false;
    factor.lastPeriod = period;
    factor.lastUsedAt = new Date();
    return true;
  }

  async #useRecoveryCode(user: UserRow, text: string, tx: EntityManager): Promise<boolean> {
    const factors = await tx.find(SecondFactorEntity, { userId: user.id, kind: 'recovery_codes', ...COUNTS });
    const factor = factors.find((found) => this.#isAuthentic(found));
    const codeHash = factor && recoveryCodeHash(this.parts.pepper, factor.id, text);
    if (!codeHash || (await tx.nativeDelete(RecoveryCodeEntity, { factorId: factor.id, codeHash })) === 0) return false;
    const left = await tx.count(RecoveryCodeEntity, { factorId: factor.id });
    factor.lastUsedAt = new Date();
    factor.name = recoveryCodesName(left);
    await tx.flush();
    await this.parts.mails.queue(recoveryCodeUsedMail(user.email, left, this.parts.consoleUrl), tx);
    return true;
  }

  async #provePasskey(user: UserRow, text: string, purpose: string, tx: EntityManager): Promise<boolean> {
    const credentialId = credentialIdOf(text);
    const factor = await tx.findOne(SecondFactorEntity, { userId: user.id, credentialId, ...COUNTS });
    if (!factor || !this.#isAuthentic(factor)) return false;
    const known = { credentialId, publicKey: bytesOf(factor.publicKey!), signCount: factor.signCount! };
    const shown = await this.parts.passkeys.shown(text, known, purpose);
    if (!shown || !(await answeredFirst(shown.challenge, tx))) return false;
    factor.signCount = shown.signCount;
    factor.lastUsedAt = new Date();
    await tx.flush();
    return true;
  }

  #isAuthentic(factor: SecondFactorRow): boolean {
    return this.parts.rowKeys.verify('second_factor', factor);
  }

  /**
   * Counts a code before it is checked, so that parallel attempts cannot exceed the limit. Returns a function that undoes the
   * count.
   */
  async #reserve(userId: string): Promise<() => Promise<unknown>> {
    const { counters } = this.parts;
    const key = `wrong-codes:${userId}`;
    const giveBack = () => counters.add(key, DAY_S, -1);
    const { count, msLeft } = await counters.add(key, DAY_S);
    if (count <= WRONG_CODES_PER_DAY) return giveBack;
    await giveBack();
    throw new AppError('TOO_MANY_FAILED_EXCHANGES', {
      message: 'Too many wrong codes for this user today. Use a passkey or a recovery code.',
      retryAfterMs: msLeft,
    });
  }

  async #noteWrong({ id, email }: UserRow): Promise<void> {
    const { counters, mails, consoleUrl } = this.parts;
    const { count } = await counters.add(`told-codes:${id}`, DAY_S);
    if (count === WRONG_CODES_TOLD)
      await withEmails(this.parts, (tx) => mails.queue(guessedCodesMail(email, consoleUrl), tx));
  }
}

const WRONG_CODE = 'wrong code';
const COUNTS = { confirmedAt: { $ne: null } };

/** Whether the challenge was not used before. */
export async function answeredFirst(challenge: string, tx: EntityManager): Promise<boolean> {
  const expiresAt = new Date(Date.now() + CHALLENGE_TTL_MS);
  const written = await tx
    .createQueryBuilder(AnsweredChallengeEntity)
    .insert({ challenge, expiresAt })
    .onConflict('challenge')
    .ignore()
    .execute();
  return written.affectedRows === 1;
}
