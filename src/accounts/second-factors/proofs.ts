import { AppError, fieldError } from '../../core/errors.js';
import type { FieldEncryption } from '../../core/field-encryption.js';
import type { RowKeys } from '../../core/row-keys.js';
import type { Secret } from '../../core/secret.js';
import type { Counters } from '../../db/counters/counters.js';
import { bytesOf, type EntityManager, type MikroORM } from '../../db/orm.js';
import { type Mails, mailing } from '../../mails/mails.room.js';
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
 * Wrong codes of one user in a day, from wherever: of a million codes three count at a time. Who gets so far knows the password, so a
 * stranger can lock nobody out; passkeys and recovery codes go on.
 */
export const WRONG_CODES_PER_DAY = 30;
/** So many say that it is somebody else who knows the password. */
export const WRONG_CODES_TOLD = 5;

/** What somebody shows beside the password. */
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
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  consoleUrl: string;
}

/** Whether what somebody shows is a second factor of a user. Each code and each answer of a passkey counts once. */
export class SecondFactorProofs {
  constructor(private readonly parts: ProofParts) {}

  /**
   * Whether the user has one. Recovery codes alone are none: they come and go with the others. A forged row counts: it proves
   * nothing, and a user whose factor somebody changed still needs one.
   */
  async has(userId: string, em: EntityManager = this.parts.orm.em.fork()): Promise<boolean> {
    return (await this.count(userId, em)) > 0;
  }

  /** How many the user has. */
  count(userId: string, em: EntityManager): Promise<number> {
    return em.count(SecondFactorEntity, { userId, ...COUNTS, kind: { $ne: 'recovery_codes' } });
  }

  /** The passkey of an answer and its user's number; undefined when it is unknown here. Errors: VALIDATION_FAILED. */
  async ownerOfPasskey(passkey: string): Promise<string | undefined> {
    const credentialId = credentialIdOf(passkey);
    const factor = await this.parts.orm.em.fork().findOne(SecondFactorEntity, { credentialId, ...COUNTS });
    return factor && this.#isAuthentic(factor) ? factor.userId : undefined;
  }

  /**
   * Work in a transaction that commits only with the proof: both or none. The work has to lock the user first. A one-time code
   * is counted before the transaction begins: within it, counting would take a second connection while this one is held.
   * Errors: FailedAttempt, TOO_MANY_FAILED_EXCHANGES, VALIDATION_FAILED, and those of the work.
   *
   * @param purpose what the challenge of a passkey was made for
   */
  async with<T>(
    user: UserRow,
    proof: Proof,
    purpose: string,
    work: (tx: EntityManager, prove: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    if ((proof.code === undefined) === (proof.passkey === undefined))
      throw fieldError('input.code', 'COMBINATION', 'Give exactly one of code and passkey.');
    const isOneTimeCode = proof.code !== undefined && oneTimeCode(proof.code) !== undefined;
    const giveBack = isOneTimeCode ? await this.#reserve(user.id) : async () => {};
    const result = await mailing(this.parts, (tx) => work(tx, () => this.#prove(user, proof, purpose, tx))).catch(
      async (error: unknown) => {
        if (error instanceof FailedAttempt && error.reason === WRONG_CODE) await this.#noteWrong(user);
        // no code was compared, or it was the right one
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

  /** Counts a code before it is looked at, so that many at once are no way around the limit; returns how that is taken back. */
  async #reserve(userId: string): Promise<() => Promise<unknown>> {
    const { counters } = this.parts;
    const key = `wrong-codes:${userId}`;
    const giveBack = () => counters.add(key, DAY_S, -1);
    const { count, msLeft } = await counters.add(key, DAY_S);
    if (count <= WRONG_CODES_PER_DAY) return giveBack;
    await giveBack();
    throw new AppError('TOO_MANY_FAILED_EXCHANGES', {
      message: 'Too many wrong codes for this user in a day. A passkey or a recovery code still counts.',
      retryAfterMs: msLeft,
    });
  }

  async #noteWrong({ id, email }: UserRow): Promise<void> {
    const { counters, mails, consoleUrl } = this.parts;
    const { count } = await counters.add(`told-codes:${id}`, DAY_S);
    if (count === WRONG_CODES_TOLD)
      await mailing(this.parts, (tx) => mails.queue(guessedCodesMail(email, consoleUrl), tx));
  }
}

const WRONG_CODE = 'wrong code';
const COUNTS = { confirmedAt: { $ne: null } };

/** Whether nobody has answered the challenge before. */
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
