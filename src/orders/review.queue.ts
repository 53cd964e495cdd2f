import { decodeCursor, type Page, pageOf, pageSize } from '../core/connection.js';
import { isUuid, UUID } from '../core/ids.js';
import type { Paise } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import type { OrderStore } from './order.store.js';
import { orderView } from './order.view.js';
import type { Resolution, ReviewOrder } from './review.types.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from './stored-order.js';

interface ReviewRow extends OrderRow {
  developer_name: string;
  in_review_since: string | null;
  proposal: { outcome: Resolution; by: string; reason: string; at: string } | null;
}

const PAGE = `
  select ${ORDER_COLUMNS},
    (select d.name from developer d where d.id = orders.developer_id) as developer_name,
    (select max(e.at) from order_event e
      where e.developer_id = orders.developer_id and e.order_id = orders.id and e.kind = 'review') as in_review_since,
    (select jsonb_build_object('outcome', case when p.success then 'success' else 'failed' end, 'by', u.name, 'reason', p.reason, 'at', p.at)
      from order_proposal p join app_user u on u.id = p.user_id
      where p.developer_id = orders.developer_id and p.order_id = orders.id) as proposal
  from (select * from orders o where o.state = 'review' and o.operation in ('recharge', 'card_payment') and o.id > $1
        order by o.id limit $2) orders
  order by orders.id`;

/** Orders that nobody could decide, oldest first (ids are ordered by time), with what is known of them. */
export class ReviewQueue {
  readonly #db: Queryable;
  readonly #store: OrderStore;
  readonly #alonePaise: Paise;

  /** @param alonePaise up to this amount one admin decides */
  constructor(db: Queryable, store: OrderStore, alonePaise: Paise) {
    this.#db = db;
    this.#store = store;
    this.#alonePaise = alonePaise;
  }

  /** Errors: VALIDATION_FAILED for a page size or cursor that is none. */
  async page(first: number, after?: string | null): Promise<Page<ReviewOrder>> {
    const size = pageSize(first);
    const from = decodeCursor(after, UUID) ?? '00000000-0000-0000-0000-000000000000';
    const { rows } = await this.#db.query<ReviewRow>({
      name: 'review-page',
      text: PAGE,
      values: [from, size + 1],
    });
    return pageOf(
      rows,
      size,
      (row) => row.id,
      (row) => this.#entryOf(row),
    );
  }

  /** Whatever state it is in; undefined when there is no such recharge or card payment. */
  async find(orderId: string): Promise<StoredOrder | undefined> {
    if (!isUuid(orderId)) return undefined;
    const { rows } = await this.#db.query<OrderRow>({
      text: `select ${ORDER_COLUMNS} from orders where id = $1 and operation in ('recharge', 'card_payment')`,
      values: [orderId],
    });
    return rows[0] && orderOf(rows[0]);
  }

  #entryOf(row: ReviewRow): ReviewOrder {
    const order = orderOf(row);
    return {
      order: orderView(order, this.#store, { walletBalance: null, masked: true }),
      developerId: String(order.developerId),
      developerName: row.developer_name,
      environment: order.environment,
      provider: order.provider,
      inReviewSince: new Date(row.in_review_since ?? row.created_at),
      needsSecondAdmin: order.amountPaise > this.#alonePaise,
      proposal: row.proposal && { ...row.proposal, at: new Date(row.proposal.at) },
    };
  }
}
