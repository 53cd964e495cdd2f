import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { it } from 'vitest';
import { withSection } from '../../src/cli/generated-file.js';
import { documentOf, machineLine, printTable, type Table } from './support/report.js';
import { median } from './support/statistics.js';
import { startWorld } from './support/world.js';
import { chargedPlans } from './tables/charged-plans.js';
import { planQuery } from './tables/plan-query.js';
import { processes } from './tables/processes.js';
import { recharge } from './tables/recharge.js';
import { screen } from './tables/screen.js';
import { start } from './tables/start.js';

/** `TABLES=A1,B npm run bench` measures only these tables and does not change the document. */
const chosen = process.env.TABLES?.split(',');
/** One hot wallet and fifty others. */
const WALLETS = 51;
const DOCUMENT = new URL('../../docs/benchmarks.md', import.meta.url);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

it('the headline tables', async () => {
  const startedAt = performance.now();
  const initialLoad = loadavg()[0]!;
  const world = await startWorld(WALLETS);
  const tables: Table[] = [];
  /** Merges tables with the same name. */
  const add = (more: readonly Table[]): void => {
    for (const table of more) {
      const same = tables.findIndex(({ id }) => id === table.id);
      if (same < 0) tables.push(table);
      else {
        const { rows, goals = [], notes, ...rest } = tables[same]!;
        tables[same] = {
          ...rest,
          rows: [...rows, ...table.rows],
          goals: [...goals, ...(table.goals ?? [])],
          notes: [...notes, ...table.notes],
        };
      }
    }
  };
  try {
    const commitMs = await commitTime(world.query);
    const service = await world.service();
    const parts = { A1: planQuery, A2: chargedPlans, B: recharge, C: screen, E: start, Processes: processes } as const;
    for (const [name, measure] of Object.entries(parts)) {
      if (chosen && !chosen.includes(name)) continue;
      const partStartedAt = performance.now();
      const measured = await measure(world, service);
      add(measured);
      if (chosen) measured.forEach(printTable);
      print(`${name} took ${Math.round((performance.now() - partStartedAt) / 1_000)} s`);
    }
    const machine = machineLine(world.postgresVersion, initialLoad);
    const minutes = (performance.now() - startedAt) / 60_000;
    const ordered = tables.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    ordered.forEach(printTable);
    print(`\n${machine} It took ${minutes.toFixed(1)} minutes.`);
    if (!chosen) {
      const text = documentOf(ordered, { machine, minutes, commitMs });
      writeFileSync(DOCUMENT, withSection(readFileSync(DOCUMENT, 'utf8'), 'bench', text, 'npm run bench'));
    }
  } finally {
    await world.close();
  }
}, 1_800_000);

/** Milliseconds of one durable commit without other load. */
async function commitTime(query: (sql: string, values?: unknown[]) => Promise<unknown>): Promise<number> {
  await query('create table durable (n integer)');
  const times: number[] = [];
  for (let n = 0; n < 100; n++) {
    const startedAt = performance.now();
    await query('insert into durable values ($1)', [n]);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
