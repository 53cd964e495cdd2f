import { auditTitles } from '../../src/audit/audit-titles.js';
import type { AuditAction } from './generated/documents.js';

/** Titles of audit log actions, from the table of the service, so that every action has a title. */
export const auditWords = Object.fromEntries(
  Object.entries(auditTitles).map(([name, title]) => [name.replaceAll('.', '_').toUpperCase(), title]),
) as Record<AuditAction, string>;
export const actions = Object.keys(auditWords).toSorted() as AuditAction[];
