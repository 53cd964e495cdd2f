import type { OwnPostgres } from '../../faults/support/own-postgres.js';
import { takeBaseBackup } from './base-backup.js';

/** Name of the standby for which the primary waits. */
export const STANDBY = 'standby';

/** A copy of a server that follows it by streaming replication and is read-only until it is promoted. */
export interface Standby {
  readonly port: number;
  /** Ends the replication; resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Stops receiving data until `resume`, as if the network were cut. After a minute the primary would close the connection. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Copies a running server by base backup, and starts the copy as its standby. */
export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const backup = await takeBaseBackup(primary);
  backup.put('standby.signal', '');
  const { username, password } = new URL(primary.urlThrough(primary.port, 'postgres'));
  const { port, query, stop } = await backup.start({
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${username} password=${decodeURIComponent(password)} application_name=${STANDBY}`,
    hot_standby: 'on',
    // after its promotion it has no standby
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
