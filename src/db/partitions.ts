import type { Queryable } from './pool.js';

/** Makes the months of orders that are missing, this one and the next two; returns how many tables. Safe to repeat, also at the same time. */
export async function makePartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>({ text: 'select order_partitions_ahead() as made' });
  return rows[0]!.made;
}

/** How the partitions are. */
export interface PartitionFigures {
  /** Newest months first. */
  months: string[];
  /** Nobody has made next month's yet. */
  nextMissing: boolean;
  /** Recent orders that belong to no month that was made: so many, or a thousand at least. Older ones stayed when their month was archived. */
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

/** Reads the catalogue, and of the default partition a thousand rows at most. */
export async function partitionFigures(db: Queryable): Promise<PartitionFigures> {
  const { rows } = await db.query<PartitionFigures>({ text: FIGURES });
  return rows[0]!;
}
