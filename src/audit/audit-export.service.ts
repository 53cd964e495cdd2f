import type { MikroORM } from '@mikro-orm/postgresql';
import { inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { Actor, AuditService } from './audit.service.js';
import { exportLines, type Period } from './audit-export.js';
import type { AuditKeys } from './audit-keys.js';

/** Export of the audit log, which is itself recorded in the audit log. */
export class AuditExport {
  constructor(private readonly parts: { db: Queryable; orm: MikroORM; audit: AuditService; keys: AuditKeys }) {}

  /** Records the export and its period. Must be called before the first line is sent. */
  async record(days: { from: string | null; to: string | null }, by: Actor): Promise<void> {
    const { orm, audit } = this.parts;
    const entry = { action: 'audit.export' as const, subject: 'audit', before: null, after: days };
    await inTransaction(orm, (tx) => audit.record(by, entry, tx));
  }

  lines(period: Period): AsyncGenerator<string> {
    return exportLines(this.parts.db, this.parts.keys, period);
  }
}
