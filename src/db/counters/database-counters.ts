import { AppError } from '../../core/errors.js';
import { batchedLoader, type Loader } from '../batched-loader.js';
import type { Queryable } from '../pool.js';
import type { Count, Counters } from './counters.js';

interface Addition {
  key: string;
  windowMs: number;
  points: number;
}

/**
 * Statement that adds points. It uses the database clock, which is the same for all processes. Sorted keys prevent deadlocks
 * between processes.
 */
const ADD = `
  insert into rate_limit as r (key, points, expire)
  select t.key, t.points, c.ms + t.window_ms
  from (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint as ms) c,
    unnest($1::text[], $2::integer[], $3::bigint[]) t(key, points, window_ms) order by t.key
  on conflict (key) do update set
    points = excluded.points + case when r.expire <= extract(epoch from statement_timestamp()) * 1000 then 0 else r.points end,
    expire = case when r.expire <= extract(epoch from statement_timestamp()) * 1000 then excluded.expire else r.expire end
  returning key, points, (expire - extract(epoch from statement_timestamp()) * 1000)::float8 as "msLeft"`;

/** Counters in an unlogged table that all processes share. Queued additions are combined into one statement. */
export class DatabaseCounters implements Counters {
  readonly #additions: Loader<Addition, Count>;

  constructor(db: Queryable) {
    this.#additions = batchedLoader((additions) => addAll(db, additions));
  }

  async add(key: string, windowS: number, points = 1): Promise<Count> {
    try {
      return await this.#additions.load({ key, windowMs: windowS * 1_000, points });
    } catch (error) {
      throw new AppError('DEPENDENCY_DOWN', { cause: error, retryAfterMs: 1_000 });
    }
  }
}

/** Returns the count after each addition, as if the additions were applied one by one. */
async function addAll(db: Queryable, additions: readonly Addition[]): Promise<Count[]> {
  const sums = new Map<string, Addition>();
  const earlierPoints = additions.map((addition) => {
    const sum = sums.get(addition.key);
    sums.set(addition.key, sum ? { ...sum, points: sum.points + addition.points } : addition);
    return sum?.points ?? 0;
  });
  const all = [...sums.values()];
  const { rows } = await db.query<{ key: string; points: number; msLeft: number }>({
    name: 'counters-add',
    text: ADD,
    values: [all.map(({ key }) => key), all.map(({ points }) => points), all.map(({ windowMs }) => windowMs)],
  });
  const counted = new Map(rows.map((row) => [row.key, row]));
  return additions.map(({ key, points }, index) => {
    const row = counted.get(key)!;
    const laterPoints = sums.get(key)!.points - earlierPoints[index]! - points;
    return { count: row.points - laterPoints, msLeft: Math.max(row.msLeft, 0) };
  });
}
