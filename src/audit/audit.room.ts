import type { LoadNode, Room, Task } from '../core/room.js';
import type { Base } from '../db/database.js';
import { AnchorWriter } from './anchor.writer.js';
import { AuditReader } from './audit.reader.js';
import { AuditResolver, AuditSummaryResolver } from './audit.resolver.js';
import { AuditService } from './audit.service.js';
import { AuditExport } from './audit-export.service.js';
import { AuditKeys } from './audit-keys.js';
import { watchTail } from './audit-tail.js';
import { createComparison } from './comparison.look.js';

/** Assembles the audit log module: entries, and the writer that anchors them outside the database. */
export function createAudit({ config, log, pool, reads, orm }: Base) {
  const keys = new AuditKeys(config.audit.keys);
  const { anchorFile: file, anchorIntervalMs: intervalMs } = config.audit;
  const anchors = new AnchorWriter(pool, keys, { file, intervalMs }, log);
  const auditLog = new AuditReader(reads);
  const comparison = createComparison(pool, keys, log);
  const AuditEntry: LoadNode = async (key, { principal }) => {
    if (principal?.kind !== 'session' || !/^\d{1,18}$/.test(key)) return undefined;
    if (principal.role !== 'developer') return auditLog.find(key);
    return principal.developerId && auditLog.findOwn(key, principal.developerId);
  };
  const tail = watchTail(orm, anchors);
  const audit = new AuditService(keys, tail);
  return {
    auditLog,
    tail,
    audit,
    auditExport: new AuditExport({ db: pool, orm, audit, keys }),
    room: {
      resolvers: { console: [new AuditResolver(auditLog), new AuditSummaryResolver()] },
      nodes: { console: { AuditEntry } },
      tasks: (workers): Readonly<Record<string, Task>> => (workers.has('anchors') ? { anchor: anchors } : {}),
      duties: comparison.duties,
      start: (workers) => {
        comparison.start(workers);
        if (workers.has('anchors')) anchors.start();
      },
      stop: comparison.stop,
      // the audit log is closed last, because the last requests write entries
      close: () => anchors.stop(),
    } satisfies Room,
  };
}
