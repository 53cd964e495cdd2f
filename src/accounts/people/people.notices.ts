import type { Actor } from '../../audit/audit.service.js';
import { type AuditAction, auditActions } from '../../audit/audit-actions.js';
import type { EntityManager } from '../../db/orm.js';
import type { Emails } from '../../mails/emails.room.js';
import type { EmailMessage } from '../../mails/mailer.port.js';
import { UserEntity, type UserRow } from '../account.entities.js';
import { emergencyMail, factorResetMail, operatorCommandMail } from '../account.mails.js';

/** Actor of the command `gateway user`. */
export const USER_COMMAND = 'system:cli';

export interface NoticeParts {
  mails: Pick<Emails, 'queue'>;
  consoleUrl: string;
}

const ACTIVE_ADMINS = { role: 'admin', disabledAt: null } as const;

/** Emails that notify others of user changes. They are queued in the caller's transaction. */
export class PeopleNotices {
  constructor(private readonly parts: NoticeParts) {}

  /** Notifies all active administrators and the affected administrator of an emergency suspension and its end. */
  async emergency(
    user: UserRow,
    { step, by, reason }: { step: 'suspended' | 'confirmed' | 'undone'; by: Actor; reason: string },
    tx: EntityManager,
  ): Promise<void> {
    const id = /^user:(.+)$/.exec(by.actor)?.[1];
    const actor = id === undefined ? null : await tx.findOne(UserEntity, { id });
    const names = { user: user.name, actor: actor?.name ?? 'The gateway user command' };
    await this.#send(
      await this.#withAdmins(user, tx),
      (to, console) => emergencyMail({ to, console }, step, { ...names, reason }),
      tx,
    );
  }

  /** Notifies the user and the owners of the account, or all administrators for staff. */
  async factorReset(user: UserRow, step: 'requested' | 'done', reason: string, tx: EntityManager): Promise<void> {
    const { id, developerId, email: own, name } = user;
    const owners = { developerId: developerId ?? null, teamRole: 'owner' as const, disabledAt: null, id: { $ne: id } };
    const others = developerId ? (await tx.find(UserEntity, owners)).map(({ email }) => email) : [];
    const to = developerId ? [own, ...others] : await this.#withAdmins(user, tx);
    await this.#send(
      to,
      (email, console) => factorResetMail({ to: email, console }, step, { name, reason, isOwn: email === own }),
      tx,
    );
  }

  /** Notifies all administrators of a `gateway user` command. */
  async command(action: AuditAction, user: UserRow, tx: EntityManager): Promise<void> {
    const { name, email, role } = user;
    const about = { what: auditActions[action], name, email, role };
    // the first administrator, who created themselves, is not notified
    const to = (await this.#withAdmins(user, tx)).filter((address) => action !== 'user.create' || address !== email);
    await this.#send(to, (address, console) => operatorCommandMail({ to: address, console }, about), tx);
  }

  async #withAdmins({ email, role }: UserRow, tx: EntityManager): Promise<string[]> {
    const admins = await tx.find(UserEntity, ACTIVE_ADMINS, { orderBy: { id: 'asc' } });
    return [...new Set([...(role === 'developer' ? [] : [email]), ...admins.map((admin) => admin.email)])];
  }

  async #send(
    addresses: readonly string[],
    write: (to: string, console: string) => Omit<EmailMessage, 'id'>,
    tx: EntityManager,
  ): Promise<void> {
    const { mails, consoleUrl } = this.parts;
    for (const to of addresses) await mails.queue(write(to, consoleUrl), tx);
  }
}
