import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ApiProcess } from '../faults/support/api-process.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';

/** Numbers of idle processes whose statements the database counts. */
const PROCESSES = [1, 2, 4];
/** PostgreSQL sessions report their statistics up to half a minute later. */
const SETTLE_MS = 35_000;
const WINDOW_S = 60;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

it('database load of idle processes', async () => {
  const db = await createTestDatabase();
  const commits = async (): Promise<number> =>
    Number(
      (
        await db.query<{ n: string }>(
          'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
        )
      )[0]!.n,
    );
  const processes: ApiProcess[] = [];
  try {
    for (const count of PROCESSES) {
      while (processes.length < count) {
        const ports = [await freePort(), await freePort(), await freePort()];
        // no provider is reachable and none is called; all other settings have their usual values
        const { POLL_INTERVAL_MS: _, ...env } = testEnvironment(db.url, 'http://127.0.0.1:9', ports);
        processes.push(await ApiProcess.start(env));
      }
      await sleep(SETTLE_MS);
      const initialCommits = await commits();
      await sleep(WINDOW_S * 1_000);
      const perSecond = ((await commits()) - initialCommits - 1) / WINDOW_S;
      print(`${count} idle processes: ${perSecond.toFixed(2)} transactions/s`);
      expect(perSecond).toBeGreaterThan(0);
    }
  } finally {
    for (const process of processes) await process.kill();
    await db.drop();
  }
}, 600_000);
