import type { Pool, PoolClient } from 'pg';
import type { TestDatabase } from '../support/database.js';

const DEVELOPERS = 40;
/** The id of the developer with a number, as SQL: ids of their own, above those of `developerNumber`. */
const idOf = (n: string): string => `('00000000-0000-7000-8001-' || lpad((${n})::text, 12, '0'))::uuid`;

/**
 * Adds so many settled recharges of other developers, as fast as the database takes them, with ids that say that they were placed
 * so long ago. The books are right afterwards.
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
  // versions go up per wallet: 1 is a top-up of what the recharges will cost, every recharge is one more
  await db.query(
    `with made as (
       select ${idOf('n % $1::integer')} as developer_id, n, uuidv7(-$4::interval) as id, 1 + n / $1::integer as nth from generate_series($2::integer, $2::integer + $3::integer - 1) n),
     o as (
       insert into orders (developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise, provider, state, request, account_hash, settled_at)
       select developer_id, id, lpad(n::text, 25, '0'), 'production', 'recharge', 'key ' || n, decode(repeat('00', 32), 'hex'), 1, 'ROUNDPAY', 'success', '\\x00', decode(repeat('00', 32), 'hex'), now()
       from made),
     k as (
       insert into order_key (developer_id, environment, operation, client_key, order_id)
       select developer_id, 'production', 'recharge', 'key ' || n, id from made),
     r as (
       insert into order_reference (reference, developer_id, order_id) select lpad(n::text, 25, '0'), developer_id, id from made),
     t as (
       insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
       select developer_id, id, 1, 'hold', 'recharge', 'production', 1, 1 + nth, 1000000 - nth, lpad(n::text, 25, '0') from made
       union all
       select developer_id, id, 2, 'settle', 'recharge', 'production', 1, null, null, null from made),
     f as (
       insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
       select developer_id, uuidv7(), 1, 'top_up', 'top_up', 'production', 1000000, 1, 1000000, 'opening' from made where nth = 1
       returning developer_id, environment, kind, reference_key(reference), subject_id),
     known as (insert into ledger_reference select * from f)
     update wallet w set balance_paise = 1000000 - m.nth, version = 1 + m.nth
     from (select developer_id, max(nth) as nth from made group by 1) m where w.developer_id = m.developer_id and w.environment = 'production'`,
    [DEVELOPERS, had, count, age],
  );
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

/** A statement as the server ran it, also one inside a function. */
export interface RanPlan {
  text: string;
  /** Every node that reads a table as a whole, which an empty partition is for nothing. */
  scans: string[];
  /** Pages that were looked at. */
  blocks: number;
  /** The nodes, indented, with the rows that each gave. */
  tree: string[];
}

const blocksOf = (node: PlanNode): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function treeOf(node: PlanNode, depth = 0): string[] {
  const what = [node['Node Type'], node['Index Name'] ?? node['Relation Name'] ?? ''].join(' ').trim();
  const below = (node.Plans ?? []).flatMap((child) => treeOf(child, depth + 1));
  return [`${'  '.repeat(depth)}${what}, ${node['Actual Rows'] ?? 0} rows`, ...below];
}

/**
 * The plans of everything that `work` runs on the pool's one connection, as they were run: plans that the connection cached
 * earlier included, which EXPLAIN would not show. Needs a pool of one.
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
