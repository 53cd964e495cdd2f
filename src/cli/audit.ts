import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { readTrail } from '../audit/trail.reader.js';
import { withSecretFiles } from '../config.js';
import { canonicalJson } from '../core/canonical-json.js';
import { startOfIndianDay } from '../core/clock.js';
import { createPool } from '../db/pool.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import { failToStart, requireNode } from '../process-life.js';

const USAGE = `npm run --silent audit -- export [--from YYYY-MM-DD] [--to YYYY-MM-DD]
Writes the audit trail of a period (Indian days, both included; all of it without them) as JSON lines, with the hashes.`;

function dayOf(text: string, option: string): string {
  try {
    return CalendarDate.parseValue(text) as string;
  } catch {
    throw new Error(`--${option} must be a day such as 2026-03-01.\n${USAGE}`);
  }
}

/** `npm run audit -- export`: for an archive, or for somebody who is to verify it with the keys. */
async function main(): Promise<void> {
  requireNode();
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  if (positionals.join(' ') !== 'export') throw new Error(USAGE);
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
