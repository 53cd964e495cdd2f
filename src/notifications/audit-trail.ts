import type { EntityManager } from '../db/orm.js';

/** Who acts: `user:<id>`, or `system:…` for the service itself. */
export interface Actor {
  actor: string;
  requestId: string;
}

/** What this module needs of the audit trail, which may not be imported here: app.ts hands it in. */
export interface AuditTrail {
  /** Adds an entry in the transaction of `em`: the change and its trace commit together. */
  record(
    by: Actor,
    entry: { action: string; subject: string; before: object | null; after: object | null },
    em: EntityManager,
  ): Promise<void>;
}
