import type { Paise } from '../core/money.js';
import type { PatientQuery } from '../db/patience.js';

/**
 * Returns the number of used Production wallets with a lower balance. Reads all wallets, because an index on balances would slow
 * down every posting.
 */
export async function countLowWallets(query: PatientQuery, belowPaise: Paise): Promise<number> {
  const [row] = await query<{ low: number }>({
    text: `select count(*)::integer as low from wallet where environment = 'production' and version > 0 and balance_paise < $1::bigint`,
    values: [String(belowPaise)],
  });
  return row!.low;
}
