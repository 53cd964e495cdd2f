import { auditActions } from '../audit/audit-actions.js';
import { code, table } from '../http/docs/tables.js';
import { withSection } from './generated-file.js';

/** The page with every action that the audit trail may name between its marks: the table that the code writes with. */
export const withActions = (page: string): string =>
  withSection(
    page,
    'actions',
    table(
      ['action', 'says'],
      Object.entries(auditActions).map(([action, says]) => [code(action), says]),
    ),
  );
