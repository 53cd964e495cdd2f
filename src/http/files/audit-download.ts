import { Readable } from 'node:stream';
import { actorOf } from '../../accounts/account.changes.js';
import type { AuditExport } from '../../audit/audit-export.service.js';
import { startOfIndianDay } from '../../core/clock.js';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { hasRole, type PolicyRow } from '../../graphql/schema/policy.js';
import { dayFields } from '../../rest/list-file.js';
import { attachment, type Download, daysOf } from './download.js';

/**
 * Policy of the download. The file contains the actions of all users, so only admins can download it. It has a separate rate
 * limit.
 */
const ROW: PolicyRow = { access: hasRole('admin'), endpoint: 'audit.jsonl' };

/**
 * `GET /audit.jsonl?from=YYYY-MM-DD&to=YYYY-MM-DD` of the console. Streams the audit log of these calendar days (IST), with a
 * signed last line.
 */
export const auditDownload = (auditLog: AuditExport, limits: RateLimits): Download => ({
  path: '/audit.jsonl',
  fields: dayFields({ inFilter: false }),
  async open(query, context) {
    const { from, to } = await daysOf(query, ROW, context, limits);
    const period = { from: startOfIndianDay(from), before: startOfIndianDay(to, 1) };
    await auditLog.record({ from, to }, actorOf(context));
    return {
      headers: attachment(`audit-${from}-${to}`, 'jsonl'),
      body: Readable.from(asConsoleReads(auditLog.lines(period))),
    };
  },
});
