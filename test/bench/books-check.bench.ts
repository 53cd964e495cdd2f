import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { startTestLedger } from '../ledger/ledger.fixture.js';
import { familyMs, parentOf } from './support/processor-time.js';
import { machineLine, runText } from './support/report.js';

/** Number of orders. Set it with `CHECKED=100000 npm run bench:checks`. */
const ORDERS = Number(process.env.CHECKED ?? 1_000_000);
const BATCH_SIZE = 50_000;
const WORKERS = [1, 2];
const A_DAY_MS = 86_400_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

it(`checks ${ORDERS} orders with one worker and with two workers`, async () => {
  const runStartedAt = performance.now();
  const initialLoad = loadavg()[0]!;
  const test = await startTestLedger();
  const pool = createPool(test.db.url, { max: 4 });
  const ledger = new LedgerService(pool);
  const [backend] = await test.db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = parentOf(backend!.pid);
  const measured = async (name: string, work: () => Promise<void>): Promise<void> => {
    const [startedAt, initialProcessorMs] = [performance.now(), familyMs(server)];
    await work();
    const perMillion = (ms: number): string => ((ms / 60_000 / ORDERS) * 1_000_000).toFixed(2);
    const [elapsed, processor] = [performance.now() - startedAt, familyMs(server) - initialProcessorMs].map(perMillion);
    print(
      `${name}: ${elapsed} minutes per million orders, ${processor} minutes of a core, load ${loadavg()[0]!.toFixed(1)}`,
    );
  };
  /** Runs the weekly check without pauses. */
  const weekly = async (workers: number): Promise<void> => {
    await test.db.query('update ledger_full_check set next_step_at = now()');
    expect((await ledger.checkStep({ workers })).outcome).toBe('begun');
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver) {
        const { outcome, violations } = await ledger.checkStep({ workers });
        expect(violations).toEqual([]);
        // all parts are in use by the other worker
        if (outcome === 'busy') return;
        isOver ||= outcome === 'complete';
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    await test.db.query(`update ledger_full_worker set next_step_at = '-infinity'`);
    while (!isOver) isOver = (await ledger.checkStep()).outcome === 'complete';
  };
  try {
    for (let placed = 0; placed < ORDERS; placed += BATCH_SIZE)
      await growOrders(test.db, Math.min(BATCH_SIZE, ORDERS - placed), '1 day');
    for (const table of ['orders', 'transfer', 'wallet']) await test.db.query(`vacuum (analyze) ${table}`);
    await measured('check of what is new, all of it', async () => expect(await ledger.checkNew(A_DAY_MS)).toEqual([]));
    for (const workers of WORKERS) {
      await measured(`full check, ${workers} workers`, async () =>
        expect(await ledger.check(A_DAY_MS, workers)).toEqual([]),
      );
      await measured(`weekly check without rest, ${workers} workers`, () => weekly(workers));
    }
    const [is] = await test.db.query<{ version: string }>(`select current_setting('server_version') as version`);
    print(
      runText({
        machine: machineLine(is!.version, initialLoad),
        minutes: (performance.now() - runStartedAt) / 60_000,
      }),
    );
  } finally {
    await pool.end();
    await test.close();
  }
}, 3_600_000);
