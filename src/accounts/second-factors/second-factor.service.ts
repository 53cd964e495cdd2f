import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { Origin } from '../../core/context.js';
import { AppError, fieldError } from '../../core/errors.js';
import { newId } from '../../core/ids.js';
import type { SessionPrincipal } from '../../core/principal.js';
import { bytesOf, type EntityManager } from '../../db/orm.js';
import { withEmails } from '../../mails/emails.room.js';
import {
  RecoveryCodeEntity,
  SecondFactorEntity,
  type SecondFactorRow,
  UserEntity,
  type UserRow,
} from '../account.entities.js';
import { secondFactorMail } from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import type { Passwords } from '../people/passwords.js';
import type { OpenedSession, SessionService } from '../people/session.service.js';
import { lockUser, lockVerified, revokeSessions, userSubject } from '../people/user.state.js';
import { answeredFirst, type Proof, type ProofParts, type SecondFactorProofs } from './proofs.js';
import { newRecoveryCodes, RECOVERY_CODES, recoveryCodeHash, recoveryCodesName } from './recovery-codes.js';
import type { FactorRequirements } from './requirement.js';
import { totpContext } from './second-factor.store.js';
import { newTotpSecret, oneTimeCode, periodOfCode, totpUri } from './totp.js';

/** Maximum number of factors per user, not counting recovery codes. */
export const MAX_FACTORS = 10;

interface SecondFactorParts extends ProofParts {
  audit: AuditService;
  attempts: Attempts;
  passwords: Passwords;
  proofs: SecondFactorProofs;
  sessions: SessionService;
  requirements: FactorRequirements;
}

/** Added factor. The first one also returns recovery codes and a session that replaces all others. */
export interface AddedFactor {
  opened: OpenedSession | undefined;
  recoveryCodes: string[];
}

/** Enrolls, verifies and removes the second factors of users. */
export class SecondFactorService {
  constructor(private readonly parts: SecondFactorParts) {}

  /**
   * Starts adding an authenticator app, which replaces an unconfirmed one. Throws INVALID_CREDENTIALS, CONFLICT if the user
   * has ten factors, and the errors of attempts.
   */
  async startTotp(session: SessionPrincipal, password: string, from: Origin): Promise<{ secret: string; uri: string }> {
    const secret = newTotpSecret();
    return this.#withPassword(session, password, from, async (user, tx) => {
      await tx.nativeDelete(SecondFactorEntity, { userId: user.id, kind: 'totp', confirmedAt: null });
      const id = newId();
      const stored = this.parts.encryption.encrypt(totpContext(id), secret);
      this.#create({ id, userId: user.id, kind: 'totp', name: 'Authenticator', secret: stored }, tx);
      await tx.flush();
      return { secret, uri: totpUri(secret, user.email) };
    });
  }

  /**
   * Adds the authenticator app. Throws VALIDATION_FAILED for `input.code`, CONFLICT if none was started, and the errors of
   * attempts.
   */
  async confirmTotp(
    session: SessionPrincipal,
    code: string,
    name: string | undefined,
    from: Origin,
  ): Promise<AddedFactor> {
    return this.#guarded(session, from, async (tx, user) => {
      const factor = await tx.findOne(SecondFactorEntity, { userId: user.id, kind: 'totp', confirmedAt: null });
      if (!factor || !this.parts.rowKeys.verify('second_factor', factor))
        throw new AppError('CONFLICT', { message: 'No authenticator app is being added. Start with `startTotp`.' });
      const secret = this.parts.encryption.decrypt<string>(totpContext(factor.id), bytesOf(factor.secret!));
      const digits = oneTimeCode(code);
      const period = digits === undefined ? undefined : periodOfCode(secret, digits, undefined);
      if (period === undefined) throw new FailedAttempt('wrong code of a new authenticator', wrongCode(), user.id);
      factor.lastPeriod = period;
      return this.#add(factor, name, user, from, tx);
    });
  }

  /**
   * Starts adding a passkey. Throws INVALID_CREDENTIALS, CONFLICT if the user has ten factors or the host is an IP address,
   * and the errors of attempts.
   */
  async startPasskey(session: SessionPrincipal, password: string, from: Origin): Promise<string> {
    return this.#withPassword(session, password, from, async (user, tx) => {
      const known = await tx.find(SecondFactorEntity, { userId: user.id, kind: 'passkey' });
      const ids = known.map(({ credentialId }) => credentialId!);
      return this.parts.passkeys.toCreate(user, ids, toAdd(session));
    });
  }

  /**
   * Adds a passkey. Throws VALIDATION_FAILED for `input.passkey`, CONFLICT if it is already in use, and the errors of
   * attempts.
   */
  async confirmPasskey(
    session: SessionPrincipal,
    passkey: string,
    name: string | undefined,
    from: Origin,
  ): Promise<AddedFactor> {
    return this.#guarded(session, from, async (tx, user) => {
      const created = await this.parts.passkeys.created(passkey, toAdd(session));
      if (!created || !(await answeredFirst(created.challenge, tx)))
        throw new FailedAttempt('wrong new passkey', wrongPasskey(), user.id);
      const { credentialId, publicKey, signCount } = created;
      if ((await tx.count(SecondFactorEntity, { credentialId })) > 0)
        throw new AppError('CONFLICT', { message: 'This passkey is already registered.' });
      await requireRoom(user.id, tx);
      const passkeyOf = {
        userId: user.id,
        kind: 'passkey',
        name: 'Passkey',
        credentialId,
        publicKey,
        signCount,
      } as const;
      const factor = this.#create({ id: newId(), ...passkeyOf }, tx);
      return this.#add(factor, name, user, from, tx);
    });
  }

  /** Returns passkey options for a sign-in or for this session. Throws CONFLICT if the host is an IP address. */
  toShow(purpose: string): Promise<string> {
    return this.parts.passkeys.toShow(purpose);
  }

  /**
   * Verifies a factor for a step-up. Returns the time, and new recovery codes if requested. Throws INVALID_CREDENTIALS,
   * CONFLICT if the user has no factor, and the errors of attempts.
   */
  async confirm(
    session: SessionPrincipal,
    proof: Proof,
    withNewCodes: boolean,
    from: Origin,
  ): Promise<{ at: Date; recoveryCodes: string[] }> {
    const { orm, attempts, proofs, sessions } = this.parts;
    const { userId } = session;
    if (!(await proofs.has(userId))) throw new AppError('CONFLICT', { message: 'You have no second factor.' });
    const user = await orm.em.fork().findOneOrFail(UserEntity, { id: userId });
    return attempts.guard(attemptOf(userId, from), () =>
      proofs.with(user, proof, toConfirm(session), async (tx, prove) => {
        await lockUser(userId, tx);
        await prove();
        const at = new Date();
        await sessions.confirm(session, at, tx);
        if (!withNewCodes) return { at, recoveryCodes: [] };
        await this.#record(by(user, from), 'user.create_recovery_codes', user.id, tx);
        return { at, recoveryCodes: await this.#newCodes(user.id, tx) };
      }),
    );
  }

  /**
   * Removes a factor of the user, and the recovery codes with the last one. Throws RECORD_NOT_FOUND, and CONFLICT for a
   * required last factor.
   */
  async remove({ userId }: SessionPrincipal, id: string, from: Origin): Promise<void> {
    await withEmails(this.parts, async (tx) => {
      const user = await lockUser(userId, tx);
      const factors = await tx.find(SecondFactorEntity, { userId, confirmedAt: { $ne: null } });
      const factor = factors.find((one) => one.id === id);
      if (!factor) throw new AppError('RECORD_NOT_FOUND', { message: 'You have no second factor with this ID.' });
      const others = factors.filter((one) => one.id !== id && one.kind !== 'recovery_codes');
      if (others.length === 0 && (await this.parts.requirements.isForUser(user, tx)))
        throw new AppError('CONFLICT', { message: 'You must have a second factor. Add another one first.' });
      const ends = others.length === 0 ? factors : [factor];
      await tx.nativeDelete(SecondFactorEntity, { id: { $in: ends.map((one) => one.id) } });
      const about = { before: { kind: factor.kind }, after: { secondFactors: others.length } };
      await this.#record(by(user, from), 'user.remove_factor', userId, tx, about);
      await this.#mail(user, 'removed', tx);
    });
  }

  /**
   * Confirms a factor. The first one ends all sessions that were opened without one, so that a stolen session token becomes
   * useless.
   */
  async #add(
    factor: SecondFactorRow,
    name: string | undefined,
    user: UserRow,
    from: Origin,
    tx: EntityManager,
  ): Promise<AddedFactor> {
    const others = await this.parts.proofs.count(user.id, tx);
    factor.confirmedAt = new Date();
    factor.mac = this.parts.rowKeys.mac('second_factor', factor);
    if (name !== undefined) factor.name = name;
    await tx.flush();
    await this.#record(by(user, from), 'user.add_factor', user.id, tx, {
      after: { kind: factor.kind, factorId: factor.id, secondFactors: others + 1 },
    });
    await this.#mail(user, 'added', tx);
    if (others > 0) return { opened: undefined, recoveryCodes: [] };
    await revokeSessions(user.id, tx);
    const recoveryCodes = await this.#newCodes(user.id, tx);
    return { opened: await this.parts.sessions.open(user, from, tx, new Date()), recoveryCodes };
  }

  async #newCodes(userId: string, tx: EntityManager): Promise<string[]> {
    await tx.nativeDelete(SecondFactorEntity, { userId, kind: 'recovery_codes' });
    const name = recoveryCodesName(RECOVERY_CODES);
    const confirmedAt = new Date();
    const factor = this.#create({ id: newId(), userId, kind: 'recovery_codes', name, confirmedAt }, tx);
    await tx.flush();
    const codes = newRecoveryCodes();
    for (const code of codes)
      tx.create(RecoveryCodeEntity, {
        factorId: factor.id,
        codeHash: recoveryCodeHash(this.parts.pepper, factor.id, code)!,
      });
    await tx.flush();
    return codes;
  }

  #create(
    factor: Pick<SecondFactorRow, 'id' | 'userId' | 'kind' | 'name'> & Partial<SecondFactorRow>,
    tx: EntityManager,
  ): SecondFactorRow {
    const row = { confirmedAt: null, credentialId: null, publicKey: null, ...factor };
    return tx.create(SecondFactorEntity, { ...row, mac: this.parts.rowKeys.mac('second_factor', row) });
  }

  async #withPassword<T>(
    { userId }: SessionPrincipal,
    password: string,
    from: Origin,
    work: (user: UserRow, tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const { orm, attempts, passwords } = this.parts;
    const { addressKey, requestId } = from;
    const attempt = { kind: 'change-password', identifier: userSubject(userId), addressKey, requestId } as const;
    return attempts.guard(attempt, async () => {
      const user = await orm.em.fork().findOneOrFail(UserEntity, { id: userId });
      if (!(await passwords.verify(user, password, { isKnown: true })))
        throw new FailedAttempt('wrong password', undefined, userId);
      return withEmails(this.parts, async (tx) => {
        await lockVerified(user, tx);
        await requireRoom(userId, tx);
        return work(user, tx);
      });
    });
  }

  async #guarded<T>(
    { userId }: SessionPrincipal,
    from: Origin,
    work: (tx: EntityManager, user: UserRow) => Promise<T>,
  ): Promise<T> {
    return this.parts.attempts.guard(attemptOf(userId, from), () =>
      withEmails(this.parts, async (tx) => work(tx, await lockUser(userId, tx))),
    );
  }

  #record(
    actor: Actor,
    action: 'user.add_factor' | 'user.remove_factor' | 'user.create_recovery_codes',
    id: string,
    tx: EntityManager,
    about: { before?: object; after?: object } = {},
  ): Promise<void> {
    const entry = { action, subject: userSubject(id), before: null, after: null, ...about };
    return this.parts.audit.record(actor, entry, tx);
  }

  #mail({ email }: UserRow, what: Parameters<typeof secondFactorMail>[1], tx: EntityManager): Promise<void> {
    return this.parts.mails.queue(secondFactorMail(email, what, this.parts.consoleUrl), tx);
  }
}

/** Purposes of passkey challenges. A response is valid only for its purpose. */
const toAdd = ({ userId }: SessionPrincipal): string => `add:${userId}`;
export const toConfirm = ({ sessionHash }: SessionPrincipal): string => `confirm:${sessionHash.toString('base64url')}`;

const by = ({ id }: UserRow, { requestId, addressKey }: Origin): Actor => ({
  actor: userSubject(id),
  requestId,
  address: addressKey,
});
const attemptOf = (userId: string, { addressKey, requestId }: Origin) =>
  ({ kind: 'second-factor', identifier: userSubject(userId), addressKey, requestId }) as const;
const wrongCode = () => fieldError('input.code', 'REFERENCE', 'Must be the current code of the authenticator app.');
const wrongPasskey = () =>
  fieldError(
    'input.passkey',
    'REFERENCE',
    'This is not a new passkey of this host, or its 5 minutes have expired. Start again.',
  );

async function requireRoom(userId: string, tx: EntityManager): Promise<void> {
  const confirmed = { userId, kind: { $ne: 'recovery_codes' as const }, confirmedAt: { $ne: null } };
  if ((await tx.count(SecondFactorEntity, confirmed)) >= MAX_FACTORS)
    throw new AppError('CONFLICT', {
      message: `You have ${MAX_FACTORS} second factors, which is the maximum. Remove one first.`,
    });
}
