import { decodeCursor, type Page, pageOf, pageSize } from '../core/connection.js';
import { isUuid, UUID } from '../core/ids.js';
import { type Paise, ZERO } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import { proposalView } from '../proposals/proposal.view.js';
import type { OrderStore } from './order.store.js';
import { orderView } from './order.view.js';
import { needsSecondAdmin } from './review.service.js';
import type { ReviewOrder } from './review.types.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from './stored-order.js';

interface ReviewRow extends OrderRow {
  developer_name: string;
  in_review_since: string | null;
}

const PAGE = `
  select ${ORDER_COLUMNS},
    (select d.name from developer d where d.id = orders.developer_id) as developer_name,
    (select max(e.at) from order_event e
      where e.developer_id = orders.developer_id and e.order_id = orders.id and e.kind = 'review') as in_review_since
  from (
    (select * from orders o where o.state = 'review' and o.operation in ('recharge', 'card_payment') and o.id > $1 order by o.id limit $2)
    union all
    (select * from orders o where o.contradicted_at is not null and o.id > $1 order by o.id limit $2)) orders
  order by orders.id limit $2`;

/** Orders that nobody could decide or whose provider contradicts us, oldest first (ids are ordered by time), with what is known of them. */
export class ReviewQueue {
  readonly #db: Queryable;
  readonly #store: OrderStore;
  readonly #proposals: ProposalStore;
  readonly #alonePaise: Paise;

  /** @param alonePaise up to this amount one admin decides */
  constructor(db: Queryable, store: OrderStore, proposals: ProposalStore, alonePaise: Paise) {
    this.#db = db;
    this.#store = store;
    this.#proposals = proposals;
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
    const proposals = await this.#proposals.waitingFor(rows.map(({ id }) => id));
    return pageOf(
      rows,
      size,
      (row) => row.id,
      (row) => this.#entryOf(row, proposals.get(row.id)),
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

  #entryOf(row: ReviewRow, proposal: StoredProposal | undefined): ReviewOrder {
    const order = orderOf(row);
    return {
      order: orderView(order, this.#store, { walletBalance: null, masked: true }),
      developerId: String(order.developerId),
      developerName: row.developer_name,
      environment: order.environment,
      provider: order.provider,
      inReviewSince: order.contradictedAt ?? new Date(row.in_review_since ?? row.created_at),
      contradictedAt: order.contradictedAt,
      // what was decided before takes two to undo
      needsSecondAdmin: needsSecondAdmin(order, order.contradictedAt ? ZERO : this.#alonePaise),
      proposal: proposal ? proposalView(proposal) : null,
    };
  }
}
