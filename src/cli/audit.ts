import { once } from 'node:events';
import { AuditService } from '../audit/audit.service.js';
import { verifyExport } from '../audit/audit-export.js';
import { AuditExport } from '../audit/audit-export.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { namedKeys } from '../config/kinds.js';
import { withSecretFiles } from '../config.js';
import { startOfIndianDay } from '../core/clock.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { newId } from '../core/ids.js';
import { closeOrm, openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import { failToStart, requireNode } from '../process-life.js';

const USAGE: Usage = {
  command: 'audit',
  synopsis: 'export [--from YYYY-MM-DD] [--to YYYY-MM-DD] | verify FILE',
  description: `export writes the audit log of a period (IST, both days included; without days, the whole log) as JSON lines with hashes and a signed last
line. Each export is recorded in the audit log.
verify checks that an exported file is unchanged. It requires AUDIT_KEYS and no database. Exits with 1 if the file was changed.`,
  options: `  --from YYYY-MM-DD     first day
  --to YYYY-MM-DD       last day`,
  example: 'gateway audit export --from 2026-03-01 --to 2026-03-31 >march.jsonl',
};

function dayOf(text: string, option: string): string {
  try {
    return CalendarDate.parseValue(text) as string;
  } catch {
    throw wrongUsage(USAGE, `--${option} must be a date such as 2026-03-01.`);
  }
}

type Environment = Record<string, string | undefined>;

function keysOf({ AUDIT_KEYS }: Environment): AuditKeys {
  if (!AUDIT_KEYS) throw new Error('Set AUDIT_KEYS to the keys that the audit log is signed with.');
  const { data, error } = namedKeys.schema.safeParse(AUDIT_KEYS);
  if (error) throw new Error(`AUDIT_KEYS ${error.issues[0]!.message}.`);
  return new AuditKeys(data);
}

/** Writes the export to standard output. */
async function write(days: { from?: string; to?: string }, env: Environment): Promise<void> {
  const period = {
    from: days.from === undefined ? undefined : startOfIndianDay(dayOf(days.from, 'from')),
    before: days.to === undefined ? undefined : startOfIndianDay(dayOf(days.to, 'to'), 1),
  };
  const { DATABASE_URL: url, DATABASE_STARTUP_OPTIONS: startupOptions = 'true' } = env;
  if (!url) throw new Error('Set DATABASE_URL to the database whose audit log is exported.');
  const keys = keysOf(env);
  const pool = createPool(url, { max: 1, withStartupOptions: !['false', '0'].includes(startupOptions) });
  const orm = openOrm(pool, []);
  const auditLog = new AuditExport({ db: pool, orm, audit: new AuditService(keys), keys });
  try {
    await auditLog.record(
      { from: days.from ?? null, to: days.to ?? null },
      { actor: 'system:audit', requestId: newId() },
    );
    for await (const line of auditLog.lines(period))
      if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  } finally {
    await closeOrm(orm, pool);
  }
}

async function verify(file: string, env: Environment): Promise<void> {
  const { entries, signed, problems } = await verifyExport(file, keysOf(env));
  if (problems.length > 0) {
    process.exitCode = 1;
    process.stdout.write(`${problems.join('\n')}\nThe file was changed.\n`);
    return;
  }
  const span = signed?.first == null ? '' : `, ${signed.first} to ${signed.last}`;
  process.stdout.write(`The file is unchanged since it was written at ${signed!.at}: ${entries} entries${span}.\n`);
}

/** Runs `gateway audit`, which exports the audit log of a period, or verifies an export. */
async function main(): Promise<void> {
  requireNode();
  const { values, positionals } = commandLine(
    USAGE,
    process.argv.slice(2),
    { from: { type: 'string' }, to: { type: 'string' } },
    'some',
  );
  const [command, file, ...more] = positionals;
  const env = withSecretFiles(process.env);
  if (command === 'verify' && file !== undefined && more.length === 0) return verify(file, env);
  if (command !== 'export' || file !== undefined)
    throw wrongUsage(USAGE, 'Enter a subcommand: export, or verify with a file.');
  await write(values, env);
}

main().catch(failToStart);
