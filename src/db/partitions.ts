import type { Queryable } from './pool.js';

/**
 * Creates missing monthly partitions of orders for this month and the next two. Returns the number of created tables. This
 * function is safe to repeat, even concurrently.
 */
export async function makePartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>({ text: 'select order_partitions_ahead() as made' });
  return rows[0]!.made;
}

/** State of the partitions. */
export interface PartitionFigures {
  /** Months of the partitions, newest first. */
  months: string[];
  /** Whether the partition of the next month is missing. */
  nextMissing: boolean;
  /**
   * Number of recent orders in the default partition, counted up to 1,000. Older orders were moved there when their month was
   * archived.
   */
  caught: number;
}

const COUNTED = 1_000;
const FIGURES = `
  select array(select right(c.relname, 7) from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'orders'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1 desc) as months,
    exists (select from unnest(array['orders', 'order_event', 'order_search']) p
      where to_regclass(p || to_char(now() at time zone 'Asia/Kolkata' + interval '1 month', '_YYYY_MM')) is null) as "nextMissing",
    (select count(*)::integer from (select from orders_default
      where id >= first_id_at(now() - interval '12 months') limit ${COUNTED}) d) as caught`;

/** Reads the system catalog, and at most 1,000 rows of the default partition. */
export async function partitionFigures(db: Queryable): Promise<PartitionFigures> {
  const { rows } = await db.query<PartitionFigures>({ text: FIGURES });
  return rows[0]!;
}
