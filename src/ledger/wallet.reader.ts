import type { Environment } from '../core/environment.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';

export interface WalletBalance {
  developerId: DeveloperId;
  environment: Environment;
  balancePaise: Paise;
}

/** The wallets of many developers in one statement, UAT first. A developer has none before approval. */
export async function walletsOf(db: Queryable, developerIds: readonly DeveloperId[]): Promise<WalletBalance[]> {
  const { rows } = await db.query<{ developer_id: DeveloperId; environment: Environment; balance: string }>({
    name: 'wallets-of',
    text: `select developer_id, environment, balance_paise::text as balance from wallet
      where developer_id = any($1) order by developer_id, environment desc`,
    values: [developerIds],
  });
  return rows.map(({ developer_id, environment, balance }) => ({
    developerId: developer_id,
    environment,
    balancePaise: paise(balance),
  }));
}
