import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lane } from '../faults/support/lane.js';
import { startOwnPostgres } from '../faults/support/own-postgres.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { Balancer } from './support/balancer.js';
import { print, violationsOf } from './support/books.js';
import { fire, summary } from './support/load.js';

const FULL_MS = 9_000;
/** Mounting a small disk requires root. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

let lane: Lane;
let balancer: Balancer;
let disk: string;
beforeAll(async () => {
  if (!canMount) return print('disk full: skipped, because mounting a small disk requires root');
  disk = temporaryDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=711', 'tmpfs', disk]);
  chmodSync(disk, 0o711);
  const server = await startOwnPostgres({ max_wal_size: '48MB', min_wal_size: '32MB' }, disk);
  lane = await Lane.open({
    ownServer: server,
    accounts: 20,
    settings: {
      PROVIDER_TIMEOUT_MS: '5000',
      SYNC_WINDOW_MS: '8000',
      LEASE_MARGIN_MS: '3000',
      VISIBILITY_DELAY_MS: '10s',
    },
  });
  balancer = await Balancer.open([lane.victim.baseUrl, lane.survivor.baseUrl]);
});
afterAll(async () => {
  if (!canMount) return;
  balancer?.close();
  await lane?.close();
  execFileSync('umount', ['-l', disk]);
});

/** Writes until the disk is full; returns the file. */
function fill(): string {
  const file = path.join(disk, 'filler');
  const handle = openSync(file, 'w');
  try {
    for (const block of [1 << 20, 1 << 12]) {
      const bytes = Buffer.alloc(block, 1);
      try {
        for (;;) if (writeSync(handle, bytes) < block) break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
  return file;
}

it.runIf(canMount)('a full database disk causes rejected calls, but no lost ones', async () => {
  const load = { perSecond: 100, seconds: 22 };
  const questions: string[] = [];
  const [shots] = await Promise.all([
    fire({ accounts: lane.accounts, baseUrl: balancer.url, ...load }),
    (async () => {
      await sleep(6_000);
      const file = fill();
      const end = performance.now() + FULL_MS;
      while (performance.now() < end) {
        const [response, ready] = await Promise.all([
          fetch(`${lane.survivor.baseUrl}/api/v1/wallet/balance`, {
            headers: { authorization: `Bearer ${lane.accounts[0]!.token}` },
          }),
          fetch(`${lane.survivor.baseUrl}/readyz`),
        ]);
        questions.push(`${response.status} ${ready.status}`);
        await Promise.all([response.arrayBuffer(), ready.arrayBuffer(), sleep(250)]);
      }
      rmSync(file);
      // a server that could not write its log has exited, and a supervisor restarts it
      await lane.db.query('select 1').catch(() => lane.server!.start());
    })(),
  ]);
  await lane.waitUntilSettled(60_000);
  print(`disk full for ${FULL_MS / 1_000} s, ${load.perSecond}/s: ${summary(shots)}`);
  const counted = Object.entries(Object.groupBy(questions, (question) => question)).map(
    ([question, all]) => `${all!.length} × ${question}`,
  );
  print(`queries and /readyz in this time: ${counted.join(', ')}`);
  expect(questions).toContain('200 200');
  expect(await violationsOf(lane, shots)).toEqual([]);
  expect(shots.some(({ result }) => result.startsWith('503'))).toBe(true);
});
