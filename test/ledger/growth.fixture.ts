import type { Pool, PoolClient } from 'pg';
import type { TestDatabase } from '../support/database.js';

const DEVELOPERS = 40;
/** ID of the developer with the given number, as SQL. These IDs are above those of `developerNumber`. */
const idOf = (n: string): string => `('00000000-0000-7000-8001-' || lpad((${n})::text, 12, '0'))::uuid`;

/** Random bytes of the given length, as SQL, because encrypted and hashed data cannot be compressed. */
const randomBytes = (length: number): string =>
  `substring(${Array.from({ length: Math.ceil(length / 16) }, () => 'uuid_send(gen_random_uuid())').join(' || ')} for ${length})`;

/** Bytes per order and table that a payment adds until its month is archived. */
export async function rowBytes(db: TestDatabase, developers: readonly string[]): Promise<Record<string, number>> {
  const tables = {
    orders: 'id',
    order_event: 'order_id',
    order_key: 'order_id',
    order_reference: 'order_id',
    order_search: 'order_id',
    transfer: 'subject_id',
  };
  const rows = await db.query<{ name: string; bytes: number }>(
    Object.entries(tables)
      .map(
        ([name, id]) => `
          select '${name}' as name, sum(pg_column_size(t.*))::float8 / count(distinct o.id) as bytes
          from orders o join ${name} t on t.${id} = o.id where o.developer_id = any($1)`,
      )
      .join(' union all '),
    [developers],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Orders whose hold and resolution are written one after the other. With fewer, more pages contain both versions of an order. */
const AT_ONCE = 10;

/**
 * Adds settled recharges of other developers in bulk, with IDs and transfers of the given age. Their rows are as long as those of recharges
 * over the API, which growth.test.ts compares. The ledger balances afterwards.
 */
export async function growOrders(db: TestDatabase, count: number, age = '0 s'): Promise<void> {
  const [{ had }] = (await db.query<{ had: number }>(
    `select count(*)::integer as had from orders where developer_id between ${idOf('0')} and ${idOf('$1')}`,
    [DEVELOPERS],
  )) as [{ had: number }];
  await db.query(
    `insert into wallet (developer_id, environment) select ${idOf('d')}, 'production' from generate_series(0, $1::integer - 1) d on conflict do nothing`,
    [DEVELOPERS],
  );
  // Each row in the order of its commit: an order is held, then resolved.
  await db.query(`
    do $do$
    declare v_from integer; v_to integer;
    begin
      create temporary table grown on commit drop as
        select ${idOf(`n % ${DEVELOPERS}`)} as developer_id, n, uuidv7(-interval '${age}') as id, 1 + n / ${DEVELOPERS} as nth, lpad(n::text, 25, '0') as reference
        from generate_series(${had}, ${had + count - 1}) n;
      create index on grown (n);
      analyze grown;
      for v_from in select generate_series(${had}, ${had + count - 1}, ${AT_ONCE}) loop
        v_to := v_from + ${AT_ONCE - 1};
        insert into orders (developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise, provider, request, account_hash, operator_sp_key)
          select developer_id, id, reference, 'production', 'recharge', 'order key ' || n, ${randomBytes(32)}, 1, 'ROUNDPAY', ${randomBytes(110)}, ${randomBytes(32)}, 116
          from grown where n between v_from and v_to order by n;
        update orders o set state = 'success', settled_at = now(), answer = ${randomBytes(114)}, provider_txn_id = 'S' || lpad(g.n::text, 20, '0')
          from grown g where g.n between v_from and v_to and o.developer_id = g.developer_id and o.id = g.id;
      end loop;
      insert into order_key (developer_id, environment, operation, client_key, order_id)
        select developer_id, 'production', 'recharge', 'order key ' || n, id from grown order by n;
      insert into order_reference (reference, developer_id, order_id) select reference, developer_id, id from grown order by n;
      insert into order_search (hash, order_id) select gen_random_uuid(), id from grown cross join generate_series(1, 3) order by n;
      insert into order_event (developer_id, order_id, kind, detail)
        select developer_id, id, 'response', jsonb_build_object('reason', 'provider_success', 'elapsedMs', 64, 'httpStatus', 200, 'providerCode', '200',
          'providerTxnId', 'S' || lpad(n::text, 20, '0'), 'providerStatus', '2') from grown order by n;
      -- versions go up per wallet: 1 is a top-up of what the recharges will cost, every recharge is one more
      insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference, created_at)
        select developer_id, id, step, kind, 'recharge', 'production', 1, case step when 1 then 1 + nth end, case step when 1 then 1000000 - nth end,
          case step when 1 then reference end, now() - interval '${age}'
        from grown cross join (values (1, 'hold'), (2, 'settle')) posted(step, kind) order by n, step;
      with credited as (
        insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference, created_at)
          select developer_id, uuidv7(), 1, 'top_up', 'top_up', 'production', 1000000, 1, 1000000, 'opening', now() - interval '${age}' from grown where nth = 1
          returning developer_id, environment, kind, reference_key(reference), subject_id)
      insert into ledger_reference select * from credited;
      update wallet w set balance_paise = 1000000 - m.nth, version = 1 + m.nth
        from (select developer_id, max(nth) as nth from grown group by 1) m where w.developer_id = m.developer_id and w.environment = 'production';
    end $do$`);
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** A statement with the plan that the server used, also inside a function. */
export interface RanPlan {
  text: string;
  /** Every node that scans a complete table, except empty partitions. */
  scans: string[];
  /** Pages that were read. */
  blocks: number;
  /** The plan nodes, indented, with the number of rows. */
  tree: string[];
}

const blocksOf = (node: PlanNode): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function treeOf(node: PlanNode, depth = 0): string[] {
  const label = [node['Node Type'], node['Index Name'] ?? node['Relation Name'] ?? ''].join(' ').trim();
  const children = (node.Plans ?? []).flatMap((child) => treeOf(child, depth + 1));
  return [`${'  '.repeat(depth)}${label}, ${node['Actual Rows'] ?? 0} rows`, ...children];
}

/**
 * The actual plans of all statements of `work` on the only connection of the pool, including cached plans, which EXPLAIN would
 * not show.
 */
export async function plansOf(pool: Pool, work: () => Promise<unknown>): Promise<RanPlan[]> {
  const plans: RanPlan[] = [];
  const onNotice = ({ message = '' }: { message?: string }): void => {
    const json = /^duration: .*plan:\s*(\{.*)$/s.exec(message)?.[1];
    if (!json) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
    const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan' && blocksOf(node) > 0);
    plans.push({
      text: text.trim().replace(/\s+/g, ' '),
      scans: scans.map((node) => node['Relation Name']!),
      blocks: blocksOf(plan),
      tree: treeOf(plan),
    });
  };
  const once = async (sql: string, use: (client: PoolClient) => void): Promise<void> => {
    const client = await pool.connect();
    use(client);
    try {
      await client.query(sql);
    } finally {
      client.release();
    }
  };
  await once(
    `set role none; load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on;
     set auto_explain.log_buffers = on; set auto_explain.log_timing = off; set auto_explain.log_format = json; set client_min_messages = log; set role gateway_app`,
    (client) => client.on('notice', onNotice),
  );
  try {
    await work();
  } finally {
    await once(
      `set role none; set auto_explain.log_min_duration = -1; set client_min_messages = notice; set role gateway_app`,
      (client) => client.off('notice', onNotice),
    );
  }
  return plans;
}
