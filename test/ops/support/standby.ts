import type { OwnPostgres } from '../../faults/support/own-postgres.js';
import { takeBaseBackup } from './base-backup.js';

/** The name that the primary waits for. */
export const STANDBY = 'standby';

/** A copy of a server that follows it by streaming replication, read-only until it is promoted. */
export interface Standby {
  readonly port: number;
  /** Ends the replication; resolves when it takes writes. */
  promote(): Promise<void>;
  /** Receives nothing, as if the network were cut, until `resume`; under a minute, or the primary gives the connection up. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Copies a running server in the way of a base backup, and lets the copy follow it. */
export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const backup = await takeBaseBackup(primary);
  backup.put('standby.signal', '');
  const { username, password } = new URL(primary.urlThrough(primary.port, 'postgres'));
  const { port, query, stop } = await backup.start({
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${username} password=${decodeURIComponent(password)} application_name=${STANDBY}`,
    hot_standby: 'on',
    // once it is the primary nobody follows it
    synchronous_standby_names: '',
  });
  let receiver = 0;
  return {
    port,
    promote: async () => void (await query('select pg_promote(true, 30)')),
    async pause() {
      receiver = Number((await query('select pid from pg_stat_wal_receiver'))[0]!.pid);
      process.kill(receiver, 'SIGSTOP');
    },
    resume: () => void process.kill(receiver, 'SIGCONT'),
    stop,
  };
}
