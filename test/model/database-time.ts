import type { Queryable } from '../../src/db/pool.js';

/** Columns with the times of past and due events of an order. */
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  orders: ['created_at', 'quiet_until', 'unknown_since', 'doubted_since', 'settled_at'],
  order_due: ['due_at'],
  lookup_answer: ['settled_at'],
};
const EARLIER = Object.entries(INSTANTS).map(([table, columns]) => ({
  name: `model-time-${table}`,
  text: `update ${table} set ${columns.map((name) => `${name} = ${name} - $2 * interval '1 ms'`).join(', ')} where developer_id = $1`,
}));

/**
 * Lets time pass for the orders of one developer by moving their times into the past. The only place in which the model knows
 * these columns.
 */
export async function advanceTime(owner: Queryable, developerId: string, ms: number): Promise<void> {
  for (const statement of EARLIER) await owner.query({ ...statement, values: [developerId, ms] });
}
