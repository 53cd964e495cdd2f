import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { WalletKey } from './wallet.reader.js';

export interface Instants extends WalletKey {
  first: Date;
  last: Date;
}

/** First versions of a wallet at or after two times. */
export interface Boundaries {
  first: bigint;
  end: bigint;
}

/** Reads several wallets. `n` is the index of each, starting at 1. */
const BOUNDARIES = `
  select k.n::integer, array_agg(v.version::text order by v.instant) as versions
  from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) with ordinality k(owner, world, first, last, n)
  cross join lateral wallet_boundaries(k.owner, k.world, array[k.first, k.last]) v group by k.n`;

/**
 * Returns the function that reads the first wallet version at or after the start of a period, and the first one at or after its
 * end. `first` must not be later than `last`. If the wallet does not exist, both versions are 1.
 */
export const boundariesOf = (db: Queryable): Loader<Instants, Boundaries> =>
  batchedLoader(async (keys) => {
    const { rows } = await db.query<{ n: number; versions: string[] }>({
      name: 'statement-boundaries',
      text: BOUNDARIES,
      values: [
        keys.map(({ developerId }) => developerId),
        keys.map(({ environment }) => environment),
        keys.map(({ first }) => first.toISOString()),
        keys.map(({ last }) => last.toISOString()),
      ],
    });
    const found = new Map(rows.map(({ n, versions }) => [n - 1, versions.map(BigInt)]));
    return keys.map((_key, index) => {
      const [first = 1n, end = first] = found.get(index) ?? [];
      return { first, end };
    });
  });
