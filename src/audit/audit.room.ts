import type { Room, Task } from '../core/room.js';
import type { Base } from '../db/database.js';
import { AnchorWriter } from './anchor.writer.js';
import { AuditResolver } from './audit.resolver.js';
import { AuditService } from './audit.service.js';
import { AuditKeys } from './audit-keys.js';

/** The audit trail: its entries, and the writer that anchors it outside its table. */
export function createAudit({ config, log, pool, reads }: Base) {
  const keys = new AuditKeys(config.audit.keys);
  const { anchorFile: file, anchorIntervalMs: intervalMs } = config.audit;
  const anchors = new AnchorWriter(pool, keys, { file, intervalMs }, log);
  return {
    audit: new AuditService(keys),
    room: {
      resolvers: { console: [new AuditResolver(reads)] },
      tasks: (workers): Readonly<Record<string, Task>> => (workers.has('anchors') ? { anchor: anchors } : {}),
      start: (workers) => {
        if (workers.has('anchors')) anchors.start();
      },
      // not before: the last requests write entries
      close: () => anchors.stop(),
    } satisfies Room,
  };
}
