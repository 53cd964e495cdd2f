import type { ApprovalRequestStore, StoredApprovalRequest } from '../approval-requests/approval-request.store.js';
import { approvalRequestView } from '../approval-requests/approval-request.types.js';
import { instantOrNull } from '../core/clock.js';
import { UUID } from '../core/ids.js';
import { paise, ZERO } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { OrderStore } from '../orders/order.store.js';
import { ORDER_COLUMNS, ORDERS_TO_REVIEW, type OrderRow, orderOf } from '../orders/stored-order.js';
import { type Masking, orderView } from '../orders/views/order.view.js';
import type { DecisionParts } from './money-decision.js';
import { requiresApproval } from './review.decision.js';
import type { ReviewOrder, ReviewSelection, ReviewTotal } from './review.types.js';

interface ReviewRow extends OrderRow {
  developer_name: string;
  since: string;
  sent_recently_until: string | null;
}

const CONDITIONS = `($1::text is null or o.provider = $1) and ($2::uuid is null or o.developer_id = $2)
  and ($3::text is null or o.environment = $3) and ($4::bigint is null or o.amount_paise >= $4)
  and ($5::bigint is null or o.amount_paise <= $5) and ($6::timestamptz is null or o.created_at < $6)`;
/** SQL condition with the parameters from `valuesOf`. It reads along a small table, so that other filters cost little. */
const MATCHING = `
  from ${ORDERS_TO_REVIEW}
  where o.operation in ('recharge', 'card_payment') and ($7::boolean is null or $7 = (v.reason = 'status_conflict'))
    and ($8::uuid is null or v.order_id = $8) and ${CONDITIONS}`;

/** SQL: time until which the provider may not list a payment in review, as in `remainingVisibilityDelay`. Null after that time. */
const SENT_RECENTLY_UNTIL = `case when o.state = 'review' and o.unknown_since + $12 * interval '1 ms' > now()
  then o.unknown_since + $12 * interval '1 ms' end as sent_recently_until`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// these statements have no names, so that each is planned for its parameters
const TOTALS = `
  select o.provider, count(*)::integer as count, sum(o.amount_paise)::text as amount_paise ${MATCHING} group by 1 order by 1`;

const COUNT = `select count(*)::integer as n ${MATCHING}`;

const valuesOf = (selection: ReviewSelection): (string | number | boolean | null)[] => [
  selection.provider ?? null,
  selection.developerId ?? null,
  selection.environment ?? null,
  selection.minAmountPaise?.toString() ?? null,
  selection.maxAmountPaise?.toString() ?? null,
  selection.placedBefore?.toISOString() ?? null,
  selection.conflicting ?? null,
  selection.orderId ?? null,
];

type QueueLimits = Pick<DecisionParts, 'resolveAlone' | 'visibilityDelayMs'>;

/**
 * Queue of orders without a final status or with a conflicting provider status, with their evidence. The oldest order comes
 * first, because IDs are ordered by time.
 */
export class ReviewQueue {
  constructor(
    private readonly db: Queryable,
    private readonly store: OrderStore,
    private readonly approvalRequests: ApprovalRequestStore,
    private readonly limits: QueueLimits,
  ) {}

  /** Returns a page of the queue. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(selection: ReviewSelection, request: PageRequest, masking: Masking): Promise<Page<ReviewOrder>> {
    const slice = sliceOf('review', request, UUID);
    const direction = slice.backwards ? 'desc' : 'asc';
    const { rows } = await this.db.query<ReviewRow>({
      text: `select ${ORDER_COLUMNS}, since, sent_recently_until,
          (select d.name from developer d where d.id = orders.developer_id) as developer_name
        from (select o.*, v.since, ${SENT_RECENTLY_UNTIL} ${MATCHING} and v.order_id > $9 and ($10::uuid is null or v.order_id < $10)
          order by v.order_id ${direction} limit $11) orders order by id ${direction}`,
      values: [
        ...valuesOf(selection),
        slice.after ?? FIRST_ID,
        slice.before ?? null,
        slice.size + 1,
        this.limits.visibilityDelayMs,
      ],
    });
    const approvalRequests = await this.approvalRequests.pendingFor(rows.map(({ id }) => id));
    return pageOf(
      rows,
      slice,
      (row) => row.id,
      (row) => this.#entryOf(row, approvalRequests.get(row.id), masking),
    );
  }

  /** Returns the totals of the queue by provider, over all pages. */
  async totals(selection: ReviewSelection): Promise<ReviewTotal[]> {
    const { rows } = await this.db.query<{ provider: string; count: number; amount_paise: string }>({
      text: TOTALS,
      values: valuesOf(selection),
    });
    return rows.map(({ provider, count, amount_paise }) => ({ provider, count, amount: paise(amount_paise) }));
  }

  /** Returns the number of orders on all pages. */
  async count(selection: ReviewSelection): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>({ text: COUNT, values: valuesOf(selection) });
    return rows[0]!.n;
  }

  #entryOf(row: ReviewRow, approvalRequest: StoredApprovalRequest | undefined, masking: Masking): ReviewOrder {
    const order = orderOf(row);
    return {
      order: orderView(order, this.store, masking),
      developerId: `dev_${order.developerId}`,
      developerName: row.developer_name,
      environment: order.environment,
      provider: order.provider,
      inReviewSince: new Date(row.since),
      statusConflictAt: order.statusConflictAt,
      sentRecentlyUntil: instantOrNull(row.sent_recently_until),
      // undoing a final status requires two people
      requiresApproval: requiresApproval(order, order.statusConflictAt ? ZERO : this.limits.resolveAlone.atOncePaise),
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }
}
