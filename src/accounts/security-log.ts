import type { MikroORM } from '@mikro-orm/postgresql';
import type { AuditService } from '../audit/audit.service.js';
import type { Logger } from '../core/log.js';
import { inTransaction } from '../db/orm.js';
import type { Attempt, AttemptLog } from './attempts.js';

interface SecurityLogParts {
  orm: MikroORM;
  audit: AuditService;
  log: Logger;
  /** Adds to the metric of failed attempts. */
  count: (kind: string, reason: string) => void;
}

/**
 * What an investigation needs of failed attempts: a log line and a metric for each, and an audit entry where the user exists. The
 * entry is written after the answer: waiting for it would tell by the time that there is such a user.
 */
export class SecurityLog implements AttemptLog {
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly parts: SecurityLogParts) {}

  failed(
    { kind, addressKey, requestId }: Attempt,
    identifierHash: string,
    { reason, userId }: { reason: string; userId: string | undefined },
  ): void {
    const { log, count } = this.parts;
    count(kind, reason);
    log.warn({ attempt: kind, addressKey, identifierHash, reason, requestId }, 'attempt failed');
    if (userId === undefined) return;
    const entry = this.#audit(kind, userId, reason, requestId)
      .catch((err: Error) => log.error({ err, requestId }, 'a failed attempt is missing in the audit trail'))
      .finally(() => this.#underWay.delete(entry));
    this.#underWay.add(entry);
  }

  /** Resolves when every entry is written. Before the database is closed. */
  async drain(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #audit(kind: string, userId: string, reason: string, requestId: string): Promise<void> {
    const { orm, audit } = this.parts;
    const record = {
      action: 'user.attempt_failed' as const,
      subject: `user:${userId}`,
      before: null,
      after: { kind, reason },
    };
    await inTransaction(orm, (tx) => audit.record({ actor: 'anonymous', requestId }, record, tx));
  }
}
