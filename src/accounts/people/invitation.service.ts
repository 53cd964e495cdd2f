import { randomBytes } from 'node:crypto';
import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { APPROVAL_REQUEST_DAYS } from '../../approval-requests/approval-request.service.js';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { Origin } from '../../core/context.js';
import { AppError, fieldError } from '../../core/errors.js';
import { newId } from '../../core/ids.js';
import type { DeveloperId, Role, SessionPrincipal, TeamRole, UserId } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import type { EntityManager } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import { rolesTakeTwo, type TwoPeople, unlessTaken } from '../account.changes.js';
import {
  DeveloperEntity,
  InvitationEntity,
  type InvitationRow,
  UserEntity,
  type UserRow,
} from '../account.entities.js';
import {
  commandInvitationMail,
  invitationMail,
  invitedElsewhereMail,
  mailboxesOf,
  mailTeamChange,
} from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { holdOpen, lockDeveloper, requireOpen } from '../developers/developer.state.js';
import type { MailAllowance } from './mail-allowance.js';
import { requireGoodPassword } from './password-rules.js';
import type { Passwords } from './passwords.js';
import { MAX_LISTED, type UserService } from './user.service.js';
import {
  addressOf,
  hasActiveOwner,
  invites,
  isRestricted,
  lockUser,
  requireNoOwner,
  requireUnrestricted,
  userSubject,
} from './user.state.js';

const LINK_BYTES = 32;
export const INVITATION_TTL_MS = 72 * 3_600_000;
const DAY_MS = 86_400_000;
/** Lifetime of an invitation that needs a second administrator, equal to that of approval requests. */
const PENDING_TTL_MS = APPROVAL_REQUEST_DAYS * DAY_MS;

export interface Invited {
  email: string;
  name: string;
  role: Role;
  teamRole: TeamRole | undefined;
  /** Account that the user joins. Undefined for staff. */
  developerId: DeveloperId | undefined;
}

/** Invitation of a user to an account by staff, which requires two administrators. */
export type InvitedToAccount = Invited & { developerId: DeveloperId };

interface InvitationParts {
  orm: MikroORM;
  audit: AuditService;
  users: UserService;
  passwords: Passwords;
  rowKeys: RowKeys;
  attempts: Attempts;
  allowance: MailAllowance;
  twoPeople: TwoPeople;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

interface Sending {
  token: string | undefined;
  by: Actor;
  developerId: DeveloperId | undefined;
  /** Fields of the audit entry that name the two administrators. */
  approval?: object;
}

const linkRefused = (): AppError =>
  fieldError(
    'input.token',
    'REFERENCE',
    'This link is unknown, expired or already used. Ask the person who invited you for a new link.',
  );

/**
 * Invitations by email. There is no user or password until the link is used, and the address is not reserved. An invitation to
 * a wrong address therefore has no effect on its owner.
 */
export class InvitationService {
  constructor(private readonly parts: InvitationParts) {}

  /**
   * Emails an invitation link on behalf of staff or an owner. It replaces the link of an earlier invitation. If another
   * account uses the address, only the email says so, not the response to an owner. Throws RECORD_NOT_FOUND, FORBIDDEN if the
   * inviter can no longer invite, and RATE_LIMITED. Throws CONFLICT if the account is closed, the address is taken (for staff,
   * or in the same account), there are 200 users, or the role requires two people.
   */
  async invite(person: Invited, by: SessionPrincipal, { addressKey, requestId }: Origin): Promise<InvitationRow> {
    const { orm } = this.parts;
    const { developerId } = person;
    const email = addressOf(person.email);
    if (developerId) {
      const developer = await orm.em.fork().findOne(DeveloperEntity, { id: developerId });
      if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
      requireOpen(developer);
    }
    // otherwise one administrator could act as two people
    if (await this.#takesTwo(person.role, orm.em.fork() as EntityManager))
      throw new AppError('CONFLICT', {
        message:
          'Staff roles require a second person. Invite the user as SUPPORT, then change the role with `setUserRole`.',
      });
    await this.allow(email, addressKey);
    return withEmails(this.parts, async (tx) => {
      const inviter = await lockUser(by.userId, tx);
      // the principal of the request may be outdated
      if (!canInvite(inviter, developerId)) throw new AppError('FORBIDDEN');
      await requireUnrestricted(inviter.id, tx);
      const owner = await tx.findOne(UserEntity, { email });
      if (owner && (inviter.role === 'admin' || owner.developerId === developerId))
        throw new AppError('CONFLICT', { message: 'A user with this email address already exists.' });
      await requireRoom(developerId, email, tx);
      const { row, token } = await this.#store({ ...person, email }, inviter.id, INVITATION_TTL_MS, tx);
      const inviting = { actor: userSubject(inviter.id), requestId, address: addressKey };
      return this.#send(row, { token: owner ? undefined : token, by: inviting, developerId }, tx);
    });
  }

  /** Counts an email to an address. Throws RATE_LIMITED. */
  async allow(email: string, addressKey: string): Promise<void> {
    if (!(await this.parts.allowance.request('invitation', addressOf(email), addressKey)))
      throw new AppError('RATE_LIMITED', { retryAfterMs: DAY_MS });
  }

  /**
   * Stores an invitation of a user to an account by staff. Its link is created only when a second administrator approves it.
   * Throws RECORD_NOT_FOUND, FORBIDDEN if the inviter can no longer invite, and CONFLICT if the account is closed or has an
   * active owner, the address is taken, or there are 200 users.
   */
  async prepare(person: InvitedToAccount, by: UserId, tx: EntityManager): Promise<InvitationRow> {
    await this.#holdOwnerless(person, tx);
    const inviter = await lockUser(by, tx);
    if (!canInvite(inviter, person.developerId)) throw new AppError('FORBIDDEN');
    const { row } = await this.#store(person, inviter.id, PENDING_TTL_MS, tx);
    return row;
  }

  /**
   * Locks an invitation stored by `prepare`, with its account. Throws CONFLICT if it was withdrawn, its inviter can no longer
   * invite, or the account is closed or has an active owner.
   */
  async holdPrepared(id: string, tx: EntityManager): Promise<InvitationRow & { developerId: DeveloperId }> {
    const row = await tx.findOne(InvitationEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const inviter = row?.invitedBy && (await tx.findOne(UserEntity, { id: row.invitedBy }));
    if (!row || !inviter || !canInvite(inviter, row.developerId) || !this.parts.rowKeys.verify('invitation', row))
      throw new AppError('CONFLICT', { message: 'This invitation no longer exists. Invite the user again.' });
    await requireOpenAndOwnerless(row.developerId!, tx);
    return row as InvitationRow & { developerId: DeveloperId };
  }

  /** Emails the link of an invitation that two administrators approved. */
  async sendPrepared(id: string, by: Actor, approval: object, tx: EntityManager): Promise<void> {
    const prepared = await this.holdPrepared(id, tx);
    const { row, token } = await this.#store(prepared as InvitedToAccount, prepared.invitedBy!, INVITATION_TTL_MS, tx);
    await this.#send(row, { token, by, developerId: prepared.developerId, approval }, tx);
  }

  /**
   * Invites a user from the command line to an account without an active owner, for installations with one administrator. All
   * administrators receive an email. Throws the errors of `prepare`, and CONFLICT if two administrators are active.
   */
  async inviteByCommand(person: InvitedToAccount, by: Actor): Promise<void> {
    const { mails, consoleUrl } = this.parts;
    await withEmails(this.parts, async (tx) => {
      await this.#holdOwnerless(person, tx);
      const admins = await tx.find(UserEntity, { role: 'admin', disabledAt: null }, { orderBy: { id: 'asc' } });
      if (admins.length > 1)
        throw new AppError('CONFLICT', {
          message:
            'There are two active administrators. Invite the user in the console. The other administrator must approve the invitation.',
        });
      const { row, token } = await this.#store(person, null, INVITATION_TTL_MS, tx);
      await this.#send(row, { token, by, developerId: person.developerId }, tx);
      for (const { email } of admins)
        await mails.queue(commandInvitationMail(email, person.developerId, consoleUrl), tx);
    });
  }

  async #holdOwnerless({ developerId, email }: InvitedToAccount, tx: EntityManager): Promise<void> {
    await requireOpenAndOwnerless(developerId, tx);
    if (await tx.findOne(UserEntity, { email: addressOf(email) }))
      throw new AppError('CONFLICT', { message: 'A user with this email address already exists.' });
    await requireRoom(developerId, addressOf(email), tx);
  }

  /**
   * Uses a link and creates the user. Only one of two parallel calls succeeds. Throws VALIDATION_FAILED for `input.token` and
   * `input.password`, TOO_MANY_FAILED_EXCHANGES and OVERLOADED.
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
      // the role may require two people by now, unlike when the invitation was created
      if (!found || (await this.#takesTwo(found.role, em))) throw new FailedAttempt('unknown link', linkRefused());
      return found;
    });
    const { id, developerId: accountId } = invited;
    const account = accountId ? await orm.em.fork().findOne(DeveloperEntity, { id: accountId }) : null;
    await requireGoodPassword('input.password', password, [name, invited.name, invited.email, account?.name]);
    const passwordHash = await passwords.hash(password, id);
    try {
      return await withEmails(this.parts, async (tx) => {
        // locks the account before its users
        if (accountId) await holdOpen(accountId as DeveloperId, tx);
        const invitation = await this.#open(token, tx, { held: true });
        if (!invitation || (await tx.nativeDelete(InvitationEntity, this.#usable(token))) === 0) throw linkRefused();
        const { email, role } = invitation;
        const joined = { id, email, role, passwordHash, name: name ?? invitation.name };
        const developerId = (invitation.developerId ?? undefined) as DeveloperId | undefined;
        const teamRole = invitation.teamRole ?? undefined;
        const mailboxes = developerId ? await mailboxesOf(developerId, tx) : [];
        await users.add(
          { ...joined, developerId, teamRole },
          { actor: userSubject(id), requestId, address: addressKey },
          tx,
        );
        await mailTeamChange(this.parts, mailboxes, { what: 'joined', email, teamRole }, tx);
        return tx.findOneOrFail(UserEntity, { id });
      });
    } catch (error) {
      // another user took the address in the meantime
      if (error instanceof AppError && error.code === 'CONFLICT') throw linkRefused();
      throw error;
    }
  }

  async #takesTwo(role: Role, em: EntityManager): Promise<boolean> {
    return role !== 'developer' && role !== 'support' && rolesTakeTwo(this.parts.twoPeople, em);
  }

  /** Withdraws an invitation. Returns false if there is none with this ID. */
  async withdraw(id: string, reason: string, by: Actor): Promise<boolean> {
    return withEmails(this.parts, async (tx) => {
      const invitation = await tx.findOne(InvitationEntity, { id }, { disableIdentityMap: true });
      if (!invitation || (await tx.nativeDelete(InvitationEntity, { id })) === 0) return false;
      const { developerId, email } = invitation;
      const mailboxes = developerId ? await mailboxesOf(developerId, tx) : [];
      await mailTeamChange(this.parts, mailboxes, { what: 'withdrawn', email, teamRole: null }, tx);
      const record = { action: 'user.remove', before: { invited: true }, after: { invited: false }, reason } as const;
      await this.parts.audit.record(by, { ...record, subject: userSubject(id) }, tx);
      return true;
    });
  }

  /** Stores an invitation with a new token, which replaces the token of an earlier invitation to the same account or to staff. */
  async #store(
    { email: given, name, role, ...person }: Invited,
    invitedBy: string | null,
    ttlMs: number,
    tx: EntityManager,
  ): Promise<{ row: InvitationRow; token: string }> {
    const { rowKeys } = this.parts;
    // hexadecimal text is used, because some email programs cut a trailing "-" off a link
    const token = randomBytes(LINK_BYTES).toString('hex');
    const now = new Date();
    const email = addressOf(given);
    const [teamRole, developerId] = [person.teamRole ?? null, person.developerId ?? null];
    const link = {
      tokenHash: rowKeys.lookup('invitation', token),
      invitedBy,
      createdAt: now,
      expiresAt: new Date(now.getTime() + ttlMs),
    };
    const earlier = await tx.findOne(InvitationEntity, { email, developerId });
    const row = { id: earlier?.id ?? newId(), email, developerId, name, role, teamRole, ...link };
    const words = { ...row, mac: rowKeys.mac('invitation', row) };
    const invitation = earlier ? Object.assign(earlier, words) : tx.create(InvitationEntity, words);
    await unlessTaken('This address was invited a moment ago. Try again.', tx.persist(invitation).flush());
    return { row: invitation, token };
  }

  /**
   * Emails an invitation, writes its audit entry, and notifies the owners. Without a token, the address belongs to a user of
   * another account.
   */
  async #send(
    row: InvitationRow,
    { token, by, developerId, approval }: Sending,
    tx: EntityManager,
  ): Promise<InvitationRow> {
    const { audit, mails, consoleUrl } = this.parts;
    const { id, email, role, teamRole, expiresAt } = row;
    const after = { role, teamRole: teamRole ?? null, developerId: developerId ?? null, ...approval };
    await audit.record(by, { action: 'user.invite', subject: userSubject(id), before: null, after }, tx);
    const mail =
      token === undefined
        ? invitedElsewhereMail(email, consoleUrl)
        : // in the fragment, which is neither sent to servers nor logged
          {
            ...invitationMail(email, `${consoleUrl}/accept-invitation#token=${token}`),
            linkExpiresAt: expiresAt.toISOString(),
          };
    await mails.queue(mail, tx);
    const mailboxes = developerId ? await mailboxesOf(developerId, tx) : [];
    await mailTeamChange(this.parts, mailboxes, { what: 'invited', email, teamRole }, tx);
    return row;
  }

  /**
   * Returns the invitation of a valid link whose inviter can still invite, otherwise undefined.
   *
   * @param held whether to lock the inviter against suspension and removal until the transaction ends
   */
  async #open(token: string, em: EntityManager, { held = false } = {}): Promise<InvitationRow | undefined> {
    const invitation = await em.findOne(InvitationEntity, this.#usable(token));
    if (!invitation || !this.parts.rowKeys.verify('invitation', invitation)) return undefined;
    const lock = held ? { lockMode: LockMode.PESSIMISTIC_READ } : {};
    const { invitedBy, developerId } = invitation;
    const inviter = invitedBy ? await em.findOne(UserEntity, { id: invitedBy }, lock) : null;
    if (invitedBy && !(inviter && canInvite(inviter, developerId))) return undefined;
    if (inviter && (await isRestricted(inviter.id, em))) return undefined;
    // staff and commands invite to accounts without an owner, but the account may have one by now
    const isOfStaff = inviter?.role !== 'developer';
    if (isOfStaff && developerId && (await (held ? hasActiveOwner : seemsOwned)(developerId, em))) return undefined;
    return invitation;
  }

  #usable(token: string) {
    return { tokenHash: this.parts.rowKeys.lookup('invitation', token), expiresAt: { $gt: new Date() } };
  }
}

const canInvite = (inviter: UserRow, developerId: string | null | undefined): boolean =>
  !inviter.disabledAt && invites(inviter) && (inviter.role === 'admin' || inviter.developerId === developerId);

/** Whether the account has an active owner. Same as `hasActiveOwner`, but takes no lock. */
const seemsOwned = async (developerId: string, em: EntityManager): Promise<boolean> =>
  (await em.count(UserEntity, { developerId, teamRole: 'owner', disabledAt: null })) > 0;

/** Locks the account. Throws RECORD_NOT_FOUND, and CONFLICT if it is closed or has an active owner. */
async function requireOpenAndOwnerless(developerId: string, tx: EntityManager): Promise<void> {
  requireOpen(await lockDeveloper(developerId as DeveloperId, tx));
  await requireNoOwner(developerId, tx);
}

/** Limits the number of users to what lists show. Throws CONFLICT. */
async function requireRoom(developerId: DeveloperId | undefined, email: string, tx: EntityManager): Promise<void> {
  const account = { developerId: developerId ?? null };
  const users = await tx.count(UserEntity, account);
  const others = await tx.count(InvitationEntity, { ...account, email: { $ne: email } });
  if (users + others >= MAX_LISTED)
    throw new AppError('CONFLICT', { message: `There are already ${MAX_LISTED} users. Remove a user first.` });
}
