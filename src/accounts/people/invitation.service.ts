import { randomBytes } from 'node:crypto';
import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { Origin } from '../../core/context.js';
import { AppError, fieldError } from '../../core/errors.js';
import { newId } from '../../core/ids.js';
import type { DeveloperId, Role, SessionPrincipal, TeamRole } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import { type Mails, mailing } from '../../mails/mails.room.js';
import { rolesTakeTwo, type TwoPeople, unlessTaken } from '../account.changes.js';
import {
  DeveloperEntity,
  InvitationEntity,
  type InvitationRow,
  UserEntity,
  type UserRow,
} from '../account.entities.js';
import { invitationMail, invitedElsewhereMail } from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { requireOpen } from '../developers/developer.state.js';
import type { MailAllowance } from './mail-allowance.js';
import { requireGoodPassword } from './password-rules.js';
import type { Passwords } from './passwords.js';
import { MAX_LISTED, type UserService } from './user.service.js';
import { addressOf, invites, isRestricted, lockUser, requireUnrestricted, userSubject } from './user.state.js';

const LINK_BYTES = 32;
export const INVITATION_TTL_MS = 72 * 3_600_000;
const DAY_MS = 86_400_000;

/** Who is asked to join, and as what. */
interface Invited {
  email: string;
  name: string;
  role: Role;
  teamRole: TeamRole | undefined;
  /** Whose people they join; undefined for staff. */
  developerId: DeveloperId | undefined;
}

interface InvitationParts {
  orm: MikroORM;
  audit: AuditService;
  users: UserService;
  passwords: Passwords;
  rowKeys: RowKeys;
  attempts: Attempts;
  allowance: MailAllowance;
  twoPeople: TwoPeople;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a slash at its end. */
  consoleUrl: string;
}

const linkRefused = (): AppError =>
  fieldError(
    'input.token',
    'REFERENCE',
    'This link is unknown, expired or was used before. Ask the person who invited you for a new one.',
  );

/**
 * People who are asked to join by mail. Until the link is used nobody has a user, a password or the address: an account that invites a
 * stranger's address keeps nobody from anything.
 */
export class InvitationService {
  constructor(private readonly parts: InvitationParts) {}

  /**
   * Mails a link; the one of an earlier invitation to the same people is good no more. Where somebody else's user has the address, an
   * owner of an account is not told: the mail says so to whoever reads it.
   * Errors: RECORD_NOT_FOUND, FORBIDDEN when the inviter may invite no more, RATE_LIMITED, CONFLICT when the account is closed, when the address is taken (for staff,
   * or by one of the same account), when there are 200 people, or when the role takes two people.
   */
  async invite(person: Invited, by: SessionPrincipal, { addressKey, requestId }: Origin): Promise<InvitationRow> {
    const { orm, allowance } = this.parts;
    const { developerId } = person;
    const email = addressOf(person.email);
    if (developerId) {
      const developer = await orm.em.fork().findOne(DeveloperEntity, { id: developerId });
      if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
      requireOpen(developer);
    }
    // else one admin would be two people
    if (await this.#takesTwo(person.role, orm.em.fork() as EntityManager))
      throw new AppError('CONFLICT', {
        message: 'Roles take two people here: invite them as SUPPORT, then use setUserRole.',
      });
    if (!(await allowance.request('invitation', email, addressKey)))
      throw new AppError('RATE_LIMITED', { retryAfterMs: DAY_MS });
    return mailing(this.parts, async (tx) => {
      const inviter = await lockUser(by.userId, tx);
      // what the request began with may be of yesterday
      if (!mayInvite(inviter, developerId)) throw new AppError('FORBIDDEN');
      await requireUnrestricted(inviter.id, tx);
      const owner = await tx.findOne(UserEntity, { email });
      if (owner && (inviter.role === 'admin' || owner.developerId === developerId))
        throw new AppError('CONFLICT', { message: 'There is a user with this e-mail address.' });
      await requireRoom(developerId, email, tx);
      return this.#send({ ...person, email }, { isTaken: owner !== null, inviter, requestId }, tx);
    });
  }

  /**
   * Uses a link up and makes the user. Of two at once, one gets it.
   * Errors: VALIDATION_FAILED on `input.token` and `input.password`, TOO_MANY_FAILED_EXCHANGES, OVERLOADED.
   */
  async accept(
    { token, password, name }: { token: string; password: string; name?: string | undefined },
    { addressKey, requestId }: Origin,
  ): Promise<UserRow> {
    const { orm, attempts, passwords, users } = this.parts;
    const attempt = { kind: 'accept-invitation', identifier: token, addressKey, requestId } as const;
    const invited = await attempts.guard(attempt, async () => {
      const em = orm.em.fork() as EntityManager;
      const found = await this.#open(token, em);
      // made before roles took two people
      if (!found || (await this.#takesTwo(found.role, em))) throw new FailedAttempt('unknown link', linkRefused());
      return found;
    });
    const { id, developerId: accountId } = invited;
    const account = accountId ? await orm.em.fork().findOne(DeveloperEntity, { id: accountId }) : null;
    await requireGoodPassword('input.password', password, [name, invited.name, invited.email, account?.name]);
    const passwordHash = await passwords.hash(password, id);
    try {
      return await inTransaction(orm, async (tx) => {
        const invitation = await this.#open(token, tx, { held: true });
        if (!invitation || (await tx.nativeDelete(InvitationEntity, this.#usable(token))) === 0) throw linkRefused();
        const { email, role } = invitation;
        const joined = { id, email, role, passwordHash, name: name ?? invitation.name };
        const developerId = (invitation.developerId ?? undefined) as DeveloperId | undefined;
        const teamRole = invitation.teamRole ?? undefined;
        await users.add(
          { ...joined, developerId, teamRole },
          { actor: userSubject(id), requestId, address: addressKey },
          tx,
        );
        return tx.findOneOrFail(UserEntity, { id });
      });
    } catch (error) {
      // somebody else has got a user with the address meanwhile
      if (error instanceof AppError && error.code === 'CONFLICT') throw linkRefused();
      throw error;
    }
  }

  async #takesTwo(role: Role, em: EntityManager): Promise<boolean> {
    return role !== 'developer' && role !== 'support' && rolesTakeTwo(this.parts.twoPeople, em);
  }

  /** Takes an invitation back; false when there is none with this id. */
  async withdraw(id: string, reason: string, by: Actor): Promise<boolean> {
    return inTransaction(this.parts.orm, async (tx) => {
      if ((await tx.nativeDelete(InvitationEntity, { id })) === 0) return false;
      const record = { action: 'user.remove', before: { invited: true }, after: { invited: false }, reason } as const;
      await this.parts.audit.record(by, { ...record, subject: userSubject(id) }, tx);
      return true;
    });
  }

  async #send(
    person: Invited,
    { isTaken, inviter, requestId }: { isTaken: boolean; inviter: UserRow; requestId: string },
    tx: EntityManager,
  ): Promise<InvitationRow> {
    const { audit, rowKeys, mails, consoleUrl } = this.parts;
    // hexadecimal, because programs that make links of text leave out a "-" at the end
    const token = randomBytes(LINK_BYTES).toString('hex');
    const now = new Date();
    const { email, name, role } = person;
    const [teamRole, developerId] = [person.teamRole ?? null, person.developerId ?? null];
    const link = {
      tokenHash: rowKeys.lookup('invitation', token),
      invitedBy: inviter.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + INVITATION_TTL_MS),
    };
    const earlier = await tx.findOne(InvitationEntity, { email, developerId });
    const row = { id: earlier?.id ?? newId(), email, developerId, name, role, teamRole, ...link };
    const words = { ...row, mac: rowKeys.mac('invitation', row) };
    const invitation = earlier ? Object.assign(earlier, words) : tx.create(InvitationEntity, words);
    await unlessTaken('Somebody has invited this address a moment ago.', tx.persist(invitation).flush());
    const by = { actor: userSubject(inviter.id), requestId };
    const after = { role, teamRole, developerId };
    await audit.record(by, { action: 'user.invite', subject: userSubject(invitation.id), before: null, after }, tx);
    const mail = isTaken
      ? invitedElsewhereMail(email, consoleUrl)
      : // behind the "#", where no server and no log sees it
        {
          ...invitationMail(email, `${consoleUrl}/accept-invitation#token=${token}`),
          linkEndsAt: link.expiresAt.toISOString(),
        };
    await mails.queue(mail, tx);
    return invitation;
  }

  /**
   * The invitation of a link that is good, and whose inviter may still invite; undefined otherwise.
   *
   * @param held locks the inviter, so that nobody can suspend or remove them before the transaction ends
   */
  async #open(token: string, em: EntityManager, { held = false } = {}): Promise<InvitationRow | undefined> {
    const invitation = await em.findOne(InvitationEntity, this.#usable(token));
    if (!invitation || !this.parts.rowKeys.verify('invitation', invitation)) return undefined;
    const lock = held ? { lockMode: LockMode.PESSIMISTIC_READ } : {};
    const inviter = await em.findOne(UserEntity, { id: invitation.invitedBy }, lock);
    if (!inviter || !mayInvite(inviter, invitation.developerId)) return undefined;
    return (await isRestricted(inviter.id, em)) ? undefined : invitation;
  }

  #usable(token: string) {
    return { tokenHash: this.parts.rowKeys.lookup('invitation', token), expiresAt: { $gt: new Date() } };
  }
}

const mayInvite = (inviter: UserRow, developerId: string | null | undefined): boolean =>
  !inviter.disabledAt && invites(inviter) && (inviter.role === 'admin' || inviter.developerId === developerId);

/** Lists show so many. Errors: CONFLICT. */
async function requireRoom(developerId: DeveloperId | undefined, email: string, tx: EntityManager): Promise<void> {
  const account = { developerId: developerId ?? null };
  const users = await tx.count(UserEntity, account);
  const others = await tx.count(InvitationEntity, { ...account, email: { $ne: email } });
  if (users + others >= MAX_LISTED)
    throw new AppError('CONFLICT', { message: `There are ${MAX_LISTED} people already: remove somebody first.` });
}
