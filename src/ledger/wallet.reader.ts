import type { Environment } from '../core/environment.js';
import { type Paise, paise, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import type { WalletState } from './postings.js';

export interface WalletKey {
  developerId: DeveloperId;
  environment: Environment;
}

interface WalletRow {
  developer_id: DeveloperId;
  environment: Environment;
  balance: string;
  version: string;
}

const idOf = (developerId: DeveloperId, environment: Environment): string => `${developerId} ${environment}`;

/** Returns the wallets in the order of the keys, read with one statement. The entry is undefined for a missing wallet. */
export async function walletStates(db: Queryable, keys: readonly WalletKey[]): Promise<(WalletState | undefined)[]> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-by-key',
    // each wallet is looked up by its key, so that outdated statistics cannot cause a sequential scan
    text: `select w.developer_id, w.environment, w.balance_paise::text as balance, w.version::text
      from unnest($1::uuid[], $2::text[]) k(owner, world)
      cross join lateral (select * from wallet x where x.developer_id = k.owner and x.environment = k.world limit 1) w`,
    values: [keys.map(({ developerId }) => developerId), keys.map(({ environment }) => environment)],
  });
  const found = new Map(
    rows.map(({ developer_id, environment, balance, version }) => [
      idOf(developer_id, environment),
      { balancePaise: paise(balance), version: Number(version) },
    ]),
  );
  return keys.map(({ developerId, environment }) => found.get(idOf(developerId, environment)));
}

/** Returns the amounts held for orders without a final status, in the order of the keys. Such orders are in two small tables. */
export async function heldAmounts(db: Queryable, keys: readonly WalletKey[]): Promise<Paise[]> {
  const { rows } = await db.query<{ developer_id: DeveloperId; environment: Environment; held: string }>({
    name: 'wallets-held',
    text: `select o.developer_id, o.environment, sum(o.amount_paise)::text as held
      from (select q.developer_id, q.order_id from order_due q where q.developer_id = any($1) and q.waited_for
        union select v.developer_id, v.order_id from order_review v where v.developer_id = any($1)) u
      cross join lateral (
        select x.developer_id, x.environment, x.amount_paise, x.state from orders x
        where x.developer_id = u.developer_id and x.id = u.order_id limit 1) o
      where o.state in ('open', 'review') group by 1, 2`,
    values: [[...new Set(keys.map(({ developerId }) => developerId))]],
  });
  const found = new Map(rows.map((row) => [idOf(row.developer_id, row.environment), paise(row.held)]));
  return keys.map(({ developerId, environment }) => found.get(idOf(developerId, environment)) ?? ZERO);
}

export interface WalletView extends WalletKey, WalletState {}

/** Returns the wallets of several developers, UAT first, read with one statement. A developer has no wallet before approval. */
export async function walletsOf(db: Queryable, developerIds: readonly DeveloperId[]): Promise<WalletView[]> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-of',
    text: `select developer_id, environment, balance_paise::text as balance, version::text from wallet
      where developer_id = any($1) order by developer_id, environment desc`,
    values: [developerIds],
  });
  return rows.map(({ developer_id, environment, balance, version }) => ({
    developerId: developer_id,
    environment,
    balancePaise: paise(balance),
    version: Number(version),
  }));
}
