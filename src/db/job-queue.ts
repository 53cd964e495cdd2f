import type { Pool } from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import type { Logger } from '../core/log.js';
import type { PatientQuery } from './patience.js';

/** Returns the SQL condition for whether a job of the queue is due. The queue name must be a constant, never input. */
export const jobsDue = (queue: string, condition = ''): string =>
  `exists (select from pgboss.job where name = '${queue}' ${condition} and state < 'active' and not blocked and start_after <= pgboss.job_now())`;

export interface JobQueueOptions {
  /** Whether to take part in the maintenance of all queues, which requeues jobs of crashed processes and deletes old jobs. */
  supervise?: boolean;
  superviseIntervalS?: number;
}

/** Opens pg-boss with the pool and role of the application. Migrations install its schema; nothing is changed at run time. */
export function openJobQueue(
  pool: Pool,
  log: Logger,
  { supervise = true, superviseIntervalS = 60 }: JobQueueOptions = {},
): PgBoss {
  const queue = new PgBoss({
    db: poolAdapter(pool),
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    // schedules and dependent jobs are not used, and only the owner of the tables can rebuild indexes
    schedule: false,
    supervise,
    flowIntervalSeconds: 86_400,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: superviseIntervalS,
    monitorIntervalSeconds: superviseIntervalS,
    // maintenance runs hourly, because expired jobs are deleted with one statement, and the jobs of a day could exceed the
    // statement timeout
    maintenanceIntervalSeconds: 3_600,
  });
  // the queue continues after an error; without a listener, an error event would end the process
  queue.on('error', (error) => log.warn({ err: error }, 'job queue: database error'));
  queue.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'));
  return queue;
}

/**
 * Runs the statements of pg-boss. Some of them are whole transactions, so after an error the connection must not return to the
 * pool in the middle of a transaction.
 */
function poolAdapter(pool: Pool): Db {
  return {
    async executeSql(text, values) {
      const client = await pool.connect();
      try {
        const result = await client.query(text, values);
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
  };
}

/** Numbers of jobs in a queue. */
export interface JobFigures {
  queue: string;
  /** Jobs scheduled for later, such as those that wait for their next attempt. */
  deferred: number;
  ready: number;
  active: number;
  failed: number;
}

/** Returns the figures that pg-boss has counted within the last minutes. */
export const jobFigures = (query: PatientQuery): Promise<JobFigures[]> =>
  query<JobFigures>({
    text: `select name as queue, deferred_count as deferred, ready_count as ready, active_count as active, failed_count as failed
      from pgboss.queue where name not like '\\_\\_%' order by name`,
  });
