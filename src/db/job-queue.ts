import type { Pool } from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import type { Logger } from '../core/log.js';
import type { PatientQuery } from './patience.js';

/** SQL: whether a job of the queue can be taken now. The name is ours, never input. */
export const jobsDue = (queue: string, more = ''): string =>
  `exists (select from pgboss.job where name = '${queue}' ${more} and state < 'active' and not blocked and start_after <= pgboss.job_now())`;

export interface JobQueueOptions {
  /** Takes part in what keeps all queues in order: jobs of processes that died come back, old ones go. */
  supervise?: boolean;
  superviseIntervalS?: number;
}

/** pg-boss on the application's own pool and role: the migrations installed its schema, and it changes none at run time. */
export function openJobQueue(
  pool: Pool,
  log: Logger,
  { supervise = true, superviseIntervalS = 60 }: JobQueueOptions = {},
): PgBoss {
  const queue = new PgBoss({
    db: onPool(pool),
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    // neither timetables nor dependent jobs are used here, and repairing indexes is the owner's business
    schedule: false,
    supervise,
    flowIntervalSeconds: 86_400,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: superviseIntervalS,
    monitorIntervalSeconds: superviseIntervalS,
    // it deletes what is over with one statement: an hour's jobs, where a day's could take longer than a statement may
    maintenanceIntervalSeconds: 3_600,
  });
  // its timers go on by themselves; without a listener an error event would end the process
  queue.on('error', (error) => log.warn({ err: error }, 'job queue: the database was away or refused'));
  queue.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'));
  return queue;
}

/** Some of its statements are whole transactions: one that fails must not go back to the pool in the middle of it. */
function onPool(pool: Pool): Db {
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

/** Jobs of one queue. */
export interface JobFigures {
  queue: string;
  /** Their time is still to come, such as the next attempt's. */
  deferred: number;
  ready: number;
  active: number;
  failed: number;
}

/** As pg-boss itself counted them last, within the last minutes: nothing is counted here. */
export const jobFigures = (query: PatientQuery): Promise<JobFigures[]> =>
  query<JobFigures>({
    text: `select name as queue, deferred_count as deferred, ready_count as ready, active_count as active, failed_count as failed
      from pgboss.queue where name not like '\\_\\_%' order by name`,
  });
