import { auditActions, OTHER_ACTION } from '../../src/audit/audit-actions.js';
import type { AuditAction } from './generated/documents.js';
import { words } from './words.js';

const written = { ...auditActions, [OTHER_ACTION]: words.audit.other };

/** What the trail can say was done: the service's own table, so that nothing is written that has no words here. */
export const auditWords = Object.fromEntries(
  Object.entries(written).map(([name, text]) => [name.replaceAll('.', '_').toUpperCase(), text.replace(/\.$/, '')]),
) as Record<AuditAction, string>;
export const actions = Object.keys(auditWords).toSorted() as AuditAction[];
