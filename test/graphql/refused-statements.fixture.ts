import type { TestApp } from '../support/app.js';

/** Runs the work while the database rejects the statements with these names. */
export async function whileRefused<T>({ app: { pool } }: TestApp, names: string[], work: () => Promise<T>): Promise<T> {
  const { query } = pool;
  pool.query = ((statement: { name?: string }, ...more: unknown[]) =>
    names.includes(statement.name ?? '')
      ? Promise.reject(new Error('refused'))
      : Reflect.apply(query, pool, [statement, ...more])) as typeof query;
  try {
    return await work();
  } finally {
    pool.query = query;
  }
}
