import { auditTitles } from '../../src/audit/audit-titles.js';
import type { AuditAction } from './generated/documents.js';

/** Titles of what the audit log holds: the service's own table, so that nothing is written that has no words here. */
export const auditWords = Object.fromEntries(
  Object.entries(auditTitles).map(([name, title]) => [name.replaceAll('.', '_').toUpperCase(), title]),
) as Record<AuditAction, string>;
export const actions = Object.keys(auditWords).toSorted() as AuditAction[];
