import { setTimeout as sleep } from 'node:timers/promises';
import { isRefused } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { retryIfPortTaken } from '../support/station.js';
import type { Fault } from './cells.js';
import type { Scene } from './scene.js';

/** Time for which a server is stopped or a link is cut while the process continues. */
const OUTAGE_MS = 300;

/**
 * Injects the fault, releases everything that waits, and restarts a process or server that the fault stopped. Returns whether the
 * fault happened, as reported by its target.
 */
export async function inject(scene: Scene, fault: Fault): Promise<boolean> {
  const { victim, lane } = scene;
  switch (fault) {
    case 'SIGKILL': {
      const signal = await victim.api.kill();
      await scene.release();
      await victim.restart();
      return signal === 'SIGKILL';
    }
    case 'backend killed': {
      const ports = victim.database.serverSidePorts();
      const rows = await lane.db.query<{ pid: number; killed: boolean }>(
        `select pid, pg_terminate_backend(pid) as killed from pg_stat_activity where client_port = any($1::int[])`,
        [ports],
      );
      const haveExited = async () =>
        (await lane.db.query('select 1 from pg_stat_activity where pid = any($1::int[])', [rows.map(({ pid }) => pid)]))
          .length === 0;
      await until('the backends have exited', haveExited);
      await scene.release();
      // a connection that was not killed had closed by itself a moment before, as idle connections do
      return rows.some(({ killed }) => killed);
    }
    case 'server stopped': {
      await lane.server!.stopImmediately();
      const down = await lane.db
        .connect()
        .then(() => false)
        .catch(() => true);
      await scene.release();
      await sleep(OUTAGE_MS);
      await lane.server!.start();
      return down;
    }
    case 'provider cut': {
      const cut = await victim.provider.cut();
      const rejected = await isRefused(victim.provider.port);
      await scene.release();
      await sleep(OUTAGE_MS);
      await retryIfPortTaken(() => victim.provider.open());
      // a call in progress has its own connection; a call that has not been sent is rejected
      return rejected && (cut > 0 || scene.trialsAt('while sending').length === 0);
    }
  }
}
