import type { Actor } from '../audit/audit.service.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Mail } from '../mails/mailer.port.js';
import type { Mails } from '../mails/mails.room.js';
import { DeveloperEntity } from './account.entities.js';

/** Who does something that may outlive a session or a key. */
export interface Doer {
  /** As the audit trail names them. */
  by: Actor;
  /** The key of a token; null on the console. */
  clientId: string | null;
}

/** What a mail about an account needs to be written. */
export interface Notice {
  to: string;
  /** Where and with what it was done, as the end of a sentence. */
  how: string;
  /** Where the reader can undo it. */
  console: string;
}

/**
 * Queues a mail to the owner of an account, part of the caller's transaction. Whoever did it: who has stolen a session or a token
 * cannot do it in silence. What a command of the operator makes (the accounts of a demo) is no news to anybody.
 */
export async function tellOwner(
  { mails, consoleUrl }: { mails: Pick<Mails, 'queue'>; consoleUrl: string },
  developerId: DeveloperId,
  { by, clientId }: Doer,
  write: (notice: Notice) => Omit<Mail, 'id'>,
  tx: EntityManager,
): Promise<void> {
  if (by.actor.startsWith('system:')) return;
  const { email } = await tx.findOneOrFail(DeveloperEntity, { id: developerId });
  const how = clientId === null ? 'on the console' : `with a token of the key ${clientId}`;
  await mails.queue(write({ to: email, how, console: consoleUrl }), tx);
}
