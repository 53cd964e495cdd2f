import { setTimeout as sleep } from 'node:timers/promises';
import { isRefused } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { unlessTaken } from '../support/station.js';
import type { Fault } from './cells.js';
import type { Scene } from './scene.js';

/** Time for which a server is stopped or a link is cut while the process continues. */
const AWAY_MS = 300;

/**
 * Does it, lets everything go on, and makes good what a fault of the world leaves behind: a process or a server is started
 * again. Returns whether it happened, as what it happened to reports.
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
      const gone = async () =>
        (await lane.db.query('select 1 from pg_stat_activity where pid = any($1::int[])', [rows.map(({ pid }) => pid)]))
          .length === 0;
      await until('the backends are gone', gone);
      await scene.release();
      // one that was not killed had ended by itself a moment before, as idle connections do
      return rows.some(({ killed }) => killed);
    }
    case 'server stopped': {
      await lane.server!.stopImmediately();
      const down = await lane.db
        .connect()
        .then(() => false)
        .catch(() => true);
      await scene.release();
      await sleep(AWAY_MS);
      await lane.server!.start();
      return down;
    }
    case 'provider cut': {
      const cut = await victim.provider.cut();
      const refused = await isRefused(victim.provider.port);
      await scene.release();
      await sleep(AWAY_MS);
      await unlessTaken(() => victim.provider.open());
      // a call under way is on a connection of its own; one that is not is refused
      return refused && (cut > 0 || scene.having('while sending').length === 0);
    }
  }
}
