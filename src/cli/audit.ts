import { once } from 'node:events';
import { readTrail } from '../audit/trail.reader.js';
import { withSecretFiles } from '../config.js';
import { startOfIndianDay } from '../core/clock.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { canonicalJson } from '../core/secret.js';
import { createPool } from '../db/pool.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import { failToStart, requireNode } from '../process-life.js';

const USAGE: Usage = {
  command: 'audit',
  takes: 'export [--from YYYY-MM-DD] [--to YYYY-MM-DD]',
  does: 'Writes the audit trail of a period (Indian days, both included; all of it without them) as JSON lines, with the hashes.',
  options: `  --from YYYY-MM-DD     the first day
  --to YYYY-MM-DD       the last day`,
  example: 'gateway audit export --from 2026-03-01 --to 2026-03-31 >march.jsonl',
};

function dayOf(text: string, option: string): string {
  try {
    return CalendarDate.parseValue(text) as string;
  } catch {
    throw wrongUsage(USAGE, `--${option} must be a day such as 2026-03-01.`);
  }
}

/** `gateway audit export`: for an archive, or for somebody who is to verify it with the keys. */
async function main(): Promise<void> {
  requireNode();
  const { values, positionals } = commandLine(
    USAGE,
    process.argv.slice(2),
    { from: { type: 'string' }, to: { type: 'string' } },
    'some',
  );
  if (positionals.join(' ') !== 'export') throw wrongUsage(USAGE, 'Say what to do with the trail: export.');
  const from = values.from === undefined ? undefined : startOfIndianDay(dayOf(values.from, 'from'));
  const before = values.to === undefined ? undefined : startOfIndianDay(dayOf(values.to, 'to'), 1);

  const { DATABASE_URL: url, DATABASE_STARTUP_OPTIONS: asks = 'true' } = withSecretFiles(process.env);
  if (!url) throw new Error('Set DATABASE_URL to the database whose trail is to be written.');
  const pool = createPool(url, { max: 1, withStartupOptions: !['false', '0'].includes(asks) });
  try {
    for await (const { previous_hash, hash, ...entry } of readTrail(pool, from, before)) {
      const line = canonicalJson({
        ...entry,
        previous_hash: previous_hash.toString('hex'),
        hash: hash.toString('hex'),
      });
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
    }
  } finally {
    await pool.end();
  }
}

main().catch(failToStart);
