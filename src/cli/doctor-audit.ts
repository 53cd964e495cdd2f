import { readAnchors } from '../audit/anchor.js';
import { checkAuditLog } from '../audit/audit-check.js';
import type { AuditKeys } from '../audit/audit-keys.js';
import { compareAll } from '../audit/comparison.js';
import { comparedKinds } from '../audit/comparison.table.js';
import type { Queryable } from '../db/pool.js';
import { type Finding, firstLines } from './finding.js';

interface AnchorFiles {
  /** Anchor file of the settings, which may not exist yet. */
  ownFile: string;
  /** Anchor files from the command line, which must exist. */
  named: readonly string[];
}

/** Top-ups, debits and corrections without an audit entry. Only the owner of the tables can create such rows. */
const UNAUDITED = `
  select t.developer_id as "developerId", t.environment, t.reference, t.kind from transfer t
  where t.kind in ('top_up', 'debit', 'correction') and not exists (
    select from audit_entry a where a.posting_id = t.subject_id and a.amount_paise = t.amount_paise
      and a.subject = format('developer:%s/%s', t.developer_id, t.environment))
  order by 1, 2, 3`;

/** Verifies the chain, compares it with the anchors, and checks that each credit, debit and correction has an entry. */
export async function checkAuditLogChain(
  db: Queryable,
  keys: AuditKeys,
  { ownFile, named }: AnchorFiles,
): Promise<Finding> {
  const files = named.length > 0 ? named : [ownFile];
  const problems: string[] = [];
  const anchors = [];
  for (const file of files) {
    try {
      const read = await readAnchors(file, keys);
      anchors.push(...read.found);
      problems.push(...read.problems);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (named.length > 0 || code !== 'ENOENT') problems.push(`${file} cannot be read: ${code}`);
    }
  }
  const auditLog = await checkAuditLog(db, keys, anchors);
  const { rows } = await db.query<{ developerId: string; environment: string; reference: string; kind: string }>({
    text: UNAUDITED,
  });
  const unaudited = rows.map(
    ({ developerId, environment, reference, kind }) =>
      `developer ${developerId}, ${environment}: the ${kind.replace('_', '-')} "${reference}" has no audit entry`,
  );
  const [worst, ...others] = [...auditLog.problems, ...problems, ...unaudited];
  if (worst !== undefined) return { ok: false, summary: worst, details: firstLines(others) };
  const details = [...auditLog.keys].map(([id, { from, to }]) => `key "${id}": entries ${from} to ${to}`);
  const summary = `the chain of ${auditLog.lastId} entries is complete`;
  const last = anchors.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  return last
    ? { ok: true, summary: `${summary} and matches ${anchors.length} anchors, the last of ${last.at}`, details }
    : {
        ok: true,
        incomplete: true,
        summary: `${summary}, but there is no anchor to compare it with in ${files.join(', ')}`,
        details,
      };
}

/**
 * Checks that entries were only added, as the role of the application allows. PostgreSQL counts updates and deletions of a table;
 * only a superuser, a server crash or a restore resets these counters.
 */
export async function checkAuditTable(db: Queryable): Promise<Finding> {
  const { rows } = await db.query<{ changed: string; deleted: string; since: Date | null }>({
    text: `select s.n_tup_upd::text as changed, s.n_tup_del::text as deleted, d.stats_reset as since
      from pg_stat_all_tables s join pg_stat_database d on d.datname = current_database()
      where s.relid = 'audit_entry'::regclass`,
  });
  const { changed, deleted, since } = rows[0]!;
  const time = since ? ` since ${new Date(since).toISOString()}` : '';
  if (changed === '0' && deleted === '0') return { ok: true, summary: `no entry was changed or deleted${time}` };
  return {
    ok: false,
    summary: `${deleted} entries were deleted and ${changed} changed${time}, by the owner of the tables`,
  };
}

/** Compares account rows with the audit log: a change without the service has no entry. */
export async function checkRowsExplained(db: Queryable, keys: AuditKeys): Promise<Finding> {
  const lines: string[] = [];
  for await (const { text } of compareAll(db, keys)) lines.push(text);
  if (lines.length === 0)
    return {
      ok: true,
      summary: `the audit log explains every row of ${comparedKinds.join(', ').replaceAll('_', ' ')}`,
    };
  return { ok: false, summary: `the audit log does not explain ${lines.length} values`, details: firstLines(lines) };
}
