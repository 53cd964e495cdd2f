import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { wideNetworkOf } from '../../core/addresses.js';
import type { Origin } from '../../core/context.js';
import { AppError, fieldError } from '../../core/errors.js';
import type { SessionPrincipal, UserId } from '../../core/principal.js';
import { keyedHash, randomToken } from '../../core/secret.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import type { Queryable, RowOf } from '../../db/pool.js';
import { withEmails } from '../../mails/emails.room.js';
import { KnownDeviceEntity, SessionEntity, type SessionRow, UserEntity, type UserRow } from '../account.entities.js';
import { newDeviceMail, type SessionsRevokedBy, sessionsRevokedMail } from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { idleMinutesOf, sessionIsOpen } from '../principal.reader.js';
import { credentialIdOf } from '../second-factors/passkeys.js';
import type { Proof, ProofParts, SecondFactorProofs } from '../second-factors/proofs.js';
import type { FactorRequirements } from '../second-factors/requirement.js';
import type { Passwords } from './passwords.js';
import { addressOf, lockUser, lockVerified, revokeSessions, userSubject } from './user.state.js';

export const SESSION_TTL_MS = 12 * 3_600_000;
export const SESSION_PREFIX = 'ses_';
/** Maximum number of listed sessions. */
const MAX_LISTED = 200;
/** Purpose of a passkey challenge for signing in. */
export const SIGN_IN = 'sign-in';

/** Credentials: email address and password, with a code or passkey if the user has a second factor; or only a passkey. */
export interface Credentials extends Proof {
  email?: string | undefined;
  password?: string | undefined;
}

/** Opened session. Its token is shown once. */
export interface OpenedSession {
  token: string;
  expiresAt: Date;
  user: UserRow;
  /** Whether the session can only be used to add a second factor, because the user must have one but has none. */
  mustEnroll: boolean;
}

interface SessionParts extends Pick<ProofParts, 'orm' | 'mails' | 'pepper' | 'rowKeys' | 'consoleUrl'> {
  audit: AuditService;
  attempts: Attempts;
  passwords: Passwords;
  proofs: SecondFactorProofs;
  requirements: FactorRequirements;
  db: Queryable;
  staffIdleMinutes: number;
}

/** Open session with its user. */
export type OpenSession = Pick<
  SessionRow,
  'id' | 'userId' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'address' | 'agent' | 'sessionHash'
>;

const OPEN = `select s.id, s.user_id as "userId", s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
    s.address, s.agent, s.session_hash as "sessionHash"
  from session s join app_user u on u.id = s.user_id left join developer d on d.id = u.developer_id
  where ${sessionIsOpen(idleMinutesOf('$2'))}`;
const BY_ID = `${OPEN} and s.id = any($1)`;
const OF_USERS = `select o.* from (select distinct unnest($1::uuid[]) as id) a cross join lateral
  (${OPEN} and s.user_id = a.id order by s.id desc limit ${MAX_LISTED}) o`;

export class SessionService {
  readonly #ofUser: Loader<string, OpenSession[]>;

  constructor(private readonly parts: SessionParts) {
    this.#ofUser = batchedLoader(async (ids) => {
      const found = Map.groupBy(await this.#read(OF_USERS, ids), ({ userId }) => userId);
      return ids.map((id) => found.get(id) ?? []);
    });
  }

  /**
   * Opens a session with the right password, and the right second factor if the user has one, or with only a passkey. Throws
   * TOO_MANY_FAILED_EXCHANGES, INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED, VALIDATION_FAILED or OVERLOADED.
   */
  async signIn({ email, password, ...proof }: Credentials, from: Origin): Promise<OpenedSession> {
    if (email === undefined && password === undefined && proof.passkey !== undefined)
      return this.#byPasskey(proof.passkey, from);
    if (email === undefined) throw fieldError('input.email', 'REQUIRED', 'Required unless you sign in with a passkey.');
    if (password === undefined) throw fieldError('input.password', 'REQUIRED', 'Required with an email address.');
    const { orm, attempts, passwords, proofs } = this.parts;
    const identifier = addressOf(email);
    return attempts.guard(attemptOf(identifier, from), async () => {
      const user = await orm.em.fork().findOne(UserEntity, { email: identifier });
      const isKnown = await this.#isKnownDevice(user?.id ?? NOBODY, from);
      const matches = await passwords.verify(user, password, { isKnown });
      if (!user || !matches || user.disabledAt) throw new FailedAttempt(reasonOf(user, matches), undefined, user?.id);
      if (!(await proofs.has(user.id)))
        return withEmails(this.parts, async (tx) => {
          await lockVerified(user, tx);
          return this.open(user, from, tx, undefined);
        });
      if (proof.code === undefined && proof.passkey === undefined) throw new AppError('SECOND_FACTOR_REQUIRED');
      return proofs.with(user, proof, SIGN_IN, async (tx, prove) => {
        await lockVerified(user, tx);
        await prove();
        return this.open(user, from, tx, new Date());
      });
    });
  }

  async #byPasskey(passkey: string, from: Origin): Promise<OpenedSession> {
    const { orm, attempts, proofs } = this.parts;
    return attempts.guard(attemptOf(credentialIdOf(passkey), from), async () => {
      const id = await proofs.ownerOfPasskey(passkey);
      const user = id === undefined ? null : await orm.em.fork().findOne(UserEntity, { id, disabledAt: null });
      if (!user) throw new FailedAttempt('unknown passkey', undefined, id);
      return proofs.with(user, { passkey }, SIGN_IN, async (tx, prove) => {
        if ((await lockUser(user.id, tx)).disabledAt)
          throw new FailedAttempt('suspended since the password was verified', undefined, user.id);
        await prove();
        return this.open(user, from, tx, new Date());
      });
    });
  }

  /**
   * Opens a session for an authenticated user, in the caller's transaction, which must allow emails.
   *
   * @param confirmedAt time the second factor was verified. Undefined if the user has none.
   */
  async open(user: UserRow, from: Origin, tx: EntityManager, confirmedAt: Date | undefined): Promise<OpenedSession> {
    const { rowKeys } = this.parts;
    const token = randomToken(SESSION_PREFIX);
    const expiresAt = new Date(Date.now() + SESSION_TTL_MS);
    const { addressKey: address, agent, requestId } = from;
    const session = { sessionHash: rowKeys.lookup('session', token), userId: user.id, expiresAt, confirmedAt };
    tx.create(SessionEntity, { ...session, address, agent, mac: rowKeys.mac('session', session) });
    await tx.flush();
    await this.#meetDevice(user, from, tx);
    await this.#record({ actor: userSubject(user.id), requestId, address }, 'user.sign_in', user.id, tx, null);
    const mustEnroll = !confirmedAt && (await this.parts.requirements.isForUser(user, tx));
    return { token, expiresAt, user, mustEnroll };
  }

  /** Records a step-up verification in a session. Throws UNAUTHENTICATED if the row of the session was forged. */
  async confirm({ sessionHash }: SessionPrincipal, at: Date, tx: EntityManager): Promise<void> {
    const { rowKeys } = this.parts;
    const session = await tx.findOne(SessionEntity, { sessionHash, revokedAt: null });
    if (!session) return;
    // a new MAC must not make a forged row valid
    if (!rowKeys.verify('session', session)) throw new AppError('UNAUTHENTICATED');
    const mac = rowKeys.mac('session', { ...session, confirmedAt: at });
    await tx.nativeUpdate(SessionEntity, { sessionHash, revokedAt: null }, { confirmedAt: at, mac });
  }

  /** Returns the open sessions of a user, newest first, at most 200. */
  list(userId: string): Promise<OpenSession[]> {
    return this.#ofUser.load(userId);
  }

  /** Returns an open session, or undefined if it does not exist, has expired or was revoked. */
  async find(id: string): Promise<OpenSession | undefined> {
    return (await this.#read(BY_ID, [id]))[0];
  }

  /** Revokes one session. Other sessions of the user remain open. */
  async signOut({ sessionHash, userId }: SessionPrincipal, by: Actor): Promise<void> {
    await inTransaction(this.parts.orm, async (tx) => {
      await tx.nativeUpdate(SessionEntity, { sessionHash, revokedAt: null }, { revokedAt: new Date() });
      await this.#record(by, 'user.sign_out', userId, tx, null);
    });
  }

  /**
   * Revokes one of the user's sessions by its ID. Throws RECORD_NOT_FOUND if it has expired, was revoked, or belongs to
   * another user.
   */
  async revoke(userId: UserId, id: string, by: Actor): Promise<void> {
    await inTransaction(this.parts.orm, async (tx) => {
      const revoked = await tx.nativeUpdate(SessionEntity, { userId, id, ...LIVE() }, { revokedAt: new Date() });
      if (revoked === 0) throw new AppError('RECORD_NOT_FOUND', { message: 'You have no open session with this ID.' });
      await this.#record(by, 'user.revoke_sessions', userId, tx, { revoked });
    });
  }

  /** Revokes the sessions of a user, except the session of `keep`. Returns the number of revoked sessions. */
  async revokeAll(userId: UserId, keep: Buffer | undefined, by: Actor): Promise<number> {
    return inTransaction(this.parts.orm, async (tx) => {
      const revoked = await revokeSessions(userId, tx, keep);
      await this.#record(by, 'user.revoke_sessions', userId, tx, { revoked });
      return revoked;
    });
  }

  /**
   * Revokes one or all sessions of another user, and emails the user. Returns the number of revoked sessions. Throws
   * RECORD_NOT_FOUND if the session has expired, was revoked, or belongs to another user.
   */
  async revokeOf(
    { userId, sessionId, reason }: { userId: string; sessionId?: string | undefined; reason?: string | undefined },
    by: Actor & { who: SessionsRevokedBy },
  ): Promise<number> {
    const { audit, mails, consoleUrl } = this.parts;
    return withEmails(this.parts, async (tx) => {
      const { email } = await lockUser(userId, tx);
      const revoked =
        sessionId === undefined
          ? await revokeSessions(userId, tx)
          : await tx.nativeUpdate(SessionEntity, { userId, id: sessionId, ...LIVE() }, { revokedAt: new Date() });
      if (revoked === 0 && sessionId !== undefined)
        throw new AppError('RECORD_NOT_FOUND', { message: 'This user has no open session with this ID.' });
      if (revoked === 0) return 0;
      const record = { action: 'user.revoke_sessions', before: null, after: { revoked }, reason } as const;
      await audit.record(by, { ...record, subject: userSubject(userId) }, tx);
      await mails.queue(sessionsRevokedMail(email, by.who, sessionId === undefined ? 'all' : 'one', consoleUrl), tx);
      return revoked;
    });
  }

  async #read(text: string, ids: readonly string[]): Promise<OpenSession[]> {
    const { db, staffIdleMinutes } = this.parts;
    const { rows } = await db.query<RowOf<OpenSession>>({ text, values: [ids, staffIdleMinutes] });
    return rows.map(({ createdAt, lastUsedAt, expiresAt, ...row }) => ({
      ...row,
      createdAt: new Date(createdAt),
      lastUsedAt: new Date(lastUsedAt),
      expiresAt: new Date(expiresAt),
    }));
  }

  /**
   * Emails the user about a sign-in with a new client or from a new network, except the first sign-in. Networks are compared by
   * wide prefixes, because the address of a phone changes constantly.
   */
  async #meetDevice({ id: userId, email }: UserRow, { addressKey, agent }: Origin, tx: EntityManager): Promise<void> {
    const { mails, consoleUrl } = this.parts;
    const deviceHash = this.#deviceHash(userId, { addressKey, agent });
    const known = await tx.count(KnownDeviceEntity, { userId });
    const isKnown = (await tx.nativeUpdate(KnownDeviceEntity, { userId, deviceHash }, { lastSeenAt: new Date() })) > 0;
    if (isKnown) return;
    tx.create(KnownDeviceEntity, { userId, deviceHash });
    await tx.flush();
    if (known > 0) await mails.queue(newDeviceMail(email, addressKey, consoleUrl), tx);
  }

  /**
   * Whether the user has signed in from this device before. Also reads for unknown users, so that the response time reveals
   * nothing.
   */
  async #isKnownDevice(userId: string, from: Origin): Promise<boolean> {
    const deviceHash = this.#deviceHash(userId, from);
    return (await this.parts.orm.em.fork().count(KnownDeviceEntity, { userId, deviceHash })) > 0;
  }

  #deviceHash(userId: string, { addressKey, agent }: Pick<Origin, 'addressKey' | 'agent'>): Buffer {
    return keyedHash(this.parts.pepper, 'device', `${userId}\0${agent ?? ''}\0${networkOf(addressKey)}`);
  }

  #record(by: Actor, action: AuditAction, id: string, tx: EntityManager, after: object | null): Promise<void> {
    return this.parts.audit.record(by, { action, subject: userSubject(id), before: null, after }, tx);
  }
}

const attemptOf = (identifier: string, { addressKey, requestId }: Origin) =>
  ({ kind: 'sign-in', identifier, addressKey, requestId }) as const;
/** ID that no user has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const LIVE = () => ({ revokedAt: null, expiresAt: { $gt: new Date() } });

/** Returns the first half of an IPv4 address, or the /48 network of an IPv6 address. */
const networkOf = (addressKey: string): string =>
  wideNetworkOf(addressKey) ?? (addressKey.includes('.') ? addressKey.split('.', 2).join('.') : addressKey);

function reasonOf(user: UserRow | null, matches: boolean): string {
  if (!user) return 'unknown user';
  return matches ? 'disabled user' : 'wrong password';
}
