import type { MikroORM } from '@mikro-orm/postgresql';
import { inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { Actor, AuditService } from './audit.service.js';
import { exportLines, type Period } from './audit-export.js';
import type { AuditKeys } from './audit-keys.js';

/** The audit log for people who take it away. That they did stands in it. */
export class AuditExport {
  constructor(private readonly parts: { db: Queryable; orm: MikroORM; audit: AuditService; keys: AuditKeys }) {}

  /** Writes down who takes which days, before the first line leaves. */
  async note(days: { from: string | null; to: string | null }, by: Actor): Promise<void> {
    const { orm, audit } = this.parts;
    const entry = { action: 'audit.export' as const, subject: 'audit', before: null, after: days };
    await inTransaction(orm, (tx) => audit.record(by, entry, tx));
  }

  lines(period: Period): AsyncGenerator<string> {
    return exportLines(this.parts.db, this.parts.keys, period);
  }
}
