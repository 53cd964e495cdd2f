import type { Environment } from '../../core/environment.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Queryable } from '../../db/pool.js';
import type { Operation } from '../../ledger/ledger.service.js';

export interface Account {
  developerId: DeveloperId;
  environment: Environment;
}

/** Account, and the version of its wallet that was last read. The version is text because it is a bigint. */
export interface FeedPosition extends Account {
  version: string;
}

/** Posting that changed the wallet. */
export interface Posting {
  orderId: string;
  /** Kind of the transfer. `refund` means that a pending order has failed. */
  kind: string;
  operation: Operation | null;
  version: string;
}

/** Reads order changes of accounts in the sequence of wallet versions, which have no gaps and are committed in sequence. */
export class OrderFeedStore {
  constructor(private readonly db: Queryable) {}

  /** Returns the current position of an account: the version of its wallet, and its pending payments. */
  async positionOf({ developerId, environment }: Account): Promise<{ version: string; open: string[] }> {
    const { rows } = await this.db.query<{ version: string; id: string | null }>({
      name: 'order-feed-standing',
      text: `select v.version::text, o.id
        from (select coalesce((select w.version from wallet w where w.developer_id = $1 and w.environment = $2), 0) as version) v
        left join (
          select x.id from (
            select order_id from order_due where developer_id = $1 and waited_for
            union select order_id from order_review where developer_id = $1 and reason = 'review') q
          cross join lateral (
            select * from orders y where y.developer_id = $1 and y.id = q.order_id limit 1) x
          where x.settled_at is null and x.environment = $2 and x.operation in ('recharge', 'card_payment')) o on true`,
      values: [developerId, environment],
    });
    return { version: rows[0]!.version, open: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
  }

  /**
   * Returns the next postings of each account whose wallet has changed, in sequence. Settlements are not included, because
   * they do not change the wallet.
   */
  async postingsAfter(positions: readonly FeedPosition[], limit: number): Promise<Posting[][]> {
    const { rows } = await this.db.query<Posting & { n: number }>({
      name: 'order-feed-postings',
      // forces the index of statements: based on its statistics, the planner might choose a scan
      text: `select watched.n::integer, t.subject_id as "orderId", t.kind, t.operation, t.wallet_version::text as version
        from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality watched(developer, in_environment, seen, n)
        cross join lateral (
          select * from transfer x where x.developer_id = watched.developer and x.environment = watched.in_environment and x.wallet_version > watched.seen
          order by x.wallet_version limit $4) t
        order by watched.n, t.wallet_version`,
      values: [
        positions.map(({ developerId }) => developerId),
        positions.map(({ environment }) => environment),
        positions.map(({ version }) => version),
        limit,
      ],
    });
    const found: Posting[][] = positions.map(() => []);
    for (const { n, ...posting } of rows) found[n - 1]!.push(posting);
    return found;
  }
}
