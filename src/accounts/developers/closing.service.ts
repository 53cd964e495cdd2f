import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditRecord, AuditService } from '../../audit/audit.service.js';
import type { DeveloperId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { type Mails, mailing } from '../../mails/mails.room.js';
import { ServiceAccessEntity } from '../account.entities.js';
import { closedMail } from '../account.mails.js';
import type { CredentialService } from '../keys/credential.service.js';
import type { UserService } from '../people/user.service.js';
import { obstaclesOf } from './closing.obstacles.js';
import { close, lockDeveloper, stateOf, subjectOf } from './developer.state.js';
import { switchService } from './developer.verbs.js';

/** Webhook endpoints of an account that is closed go with what belongs to them. Part of the caller's transaction. */
export interface EndpointsOfAccounts {
  /** Returns the entries that the caller has to write. */
  removeAll(developerId: DeveloperId, tx: EntityManager): Promise<AuditRecord[]>;
}

interface ClosingParts {
  orm: MikroORM;
  audit: AuditService;
  users: UserService;
  credentials: CredentialService;
  endpoints: EndpointsOfAccounts;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
}

/** What became of an account. */
export type Closing =
  | { outcome: 'closed_before'; at: Date }
  | { outcome: 'refused'; obstacles: string[] }
  | { outcome: 'closed'; ended: Record<string, number>; erased: Record<string, number> };

/** Takes a transaction back whose result is wanted all the same. */
class OnlyTried extends Error {
  constructor(readonly closing: Closing) {
    super('only tried');
  }
}

/** Ends accounts for good. */
export class ClosingService {
  constructor(private readonly parts: ClosingParts) {}

  /**
   * Ends an account with all that lets somebody in, and erases what no law wants kept; or nothing of it, where something stands in the
   * way. `tries`: says what would happen, and takes it back. Errors: RECORD_NOT_FOUND.
   */
  async close(developerId: DeveloperId, reason: string, by: Actor, { tries = false } = {}): Promise<Closing> {
    try {
      return await mailing(this.parts, async (tx) => {
        const closing = await this.#close(developerId, reason, by, tx);
        if (tries) throw new OnlyTried(closing);
        return closing;
      });
    } catch (error) {
      if (error instanceof OnlyTried) return error.closing;
      throw error;
    }
  }

  async #close(developerId: DeveloperId, reason: string, by: Actor, tx: EntityManager): Promise<Closing> {
    const { audit, users, credentials, endpoints, mails } = this.parts;
    // locks come in one order: the account, its people, keys and endpoints, then the trail
    const developer = await lockDeveloper(developerId, tx);
    if (developer.closedAt) return { outcome: 'closed_before', at: developer.closedAt };
    const obstacles = await obstaclesOf(developerId, tx);
    if (obstacles.length > 0) return { outcome: 'refused', obstacles };
    const before = stateOf(developer);
    const removed = {
      people: await users.removeAll(developerId, reason, tx),
      keys: await credentials.endAll(developerId, reason, tx),
      'webhook endpoints': await endpoints.removeAll(developerId, tx),
      services: await this.#switchOff(developerId, by, tx),
    };
    close(developer, reason);
    await tx.flush();
    const erased = await eraseClosed(developerId, tx);
    const ended = Object.fromEntries(Object.entries(removed).map(([what, records]) => [what, records.length]));
    const after = { ...stateOf(developer), ended, erased };
    const entry: AuditRecord = { action: 'developer.close', subject: subjectOf(developerId), before, after, reason };
    await audit.recordAll(by, [...Object.values(removed).flat(), entry], tx);
    await mails.queue(closedMail(developer.email), tx);
    return { outcome: 'closed', ended, erased };
  }

  async #switchOff(developerId: DeveloperId, by: Actor, tx: EntityManager): Promise<AuditRecord[]> {
    const records: AuditRecord[] = [];
    for (const { service } of await tx.find(ServiceAccessEntity, { developerId, enabled: true }))
      records.push({
        action: 'service_access.set',
        ...(await switchService(developerId, { service, enabled: false }, by, tx)),
      });
    return records;
  }
}

async function eraseClosed(developerId: DeveloperId, tx: EntityManager): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; erased: string }>`select * from erase_closed(${developerId})`.execute(
    tx.getKysely(),
  );
  return Object.fromEntries(rows.map(({ kind, erased }) => [kind, Number(erased)]));
}
