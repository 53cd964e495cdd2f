import type { Logger } from '../core/log.js';
import type { Queryable } from '../db/pool.js';
import { Poller } from '../notifications/poller.js';

const HOUR_MS = 3_600_000;

/** Makes the months of orders that are missing, this one and the next two; returns how many tables. Safe to repeat, also at the same time. */
export async function makePartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>({ text: 'select order_partitions_ahead() as made' });
  return rows[0]!.made;
}

/** Every hour, so that a month is there two months before its first order; until it is, the default partition takes its rows. */
export const createPartitionMaker = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => {
      const made = await makePartitions(db);
      if (made > 0) log.info({ made }, 'made the partitions of the months to come');
      return false;
    },
    HOUR_MS,
    (err) => log.warn({ err }, 'the partitions of the months to come could not be made, the next round tries again'),
  );

/** How the partitions are. */
export interface PartitionFigures {
  /** Newest months first. */
  months: string[];
  /** Nobody has made next month's yet. */
  nextMissing: boolean;
  /** Rows that belong to no month that was made. */
  caught: number;
}

const COUNTED = 1_000;
const FIGURES = `
  select array(select right(c.relname, 7) from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'orders'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1 desc) as months,
    to_regclass('orders' || to_char(now() at time zone 'Asia/Kolkata' + interval '1 month', '_YYYY_MM')) is null
      or to_regclass('order_event' || to_char(now() at time zone 'Asia/Kolkata' + interval '1 month', '_YYYY_MM')) is null as "nextMissing",
    ((select count(*) from (select from orders_default limit ${COUNTED}) d)
      + (select count(*) from (select from order_event_default limit ${COUNTED}) d))::integer as caught`;

/** Reads the catalogue, and of the default partitions a thousand rows at most. */
export async function partitionFigures(db: Queryable): Promise<PartitionFigures> {
  const { rows } = await db.query<PartitionFigures>({ text: FIGURES });
  return rows[0]!;
}
