import type { PeopleReader } from '../accounts/people/people.reader.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import { DifferenceResolver } from './difference.resolver.js';
import { DifferenceStore } from './difference.store.js';

/** Creates the module for the differences that `gateway reconcile` found, which staff list, resolve and download. */
export function createReconcile({ pool, orm }: Base, services: { audit: AuditService; people: PeopleReader }) {
  const differences = new DifferenceStore(pool);
  return {
    differences,
    room: { resolvers: { console: [new DifferenceResolver({ orm, differences, ...services })] } } satisfies Room,
  };
}
