import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Drawer } from '../drawer.js';
import { rupees } from '../format.js';
import type { EvidenceQuery, Provider } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Button, Copy, Empty, Timestamp } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import type { ReviewSearch } from '../review-search.js';
import { words } from '../words.js';
import { Corrections } from './order-actions.js';
import { CheckOrderStatus } from './order-status-check.js';
import { Timeline } from './order-story.js';
import { DecideWindow } from './review-decide.js';

const EVIDENCE = graphql(`
  query Evidence($id: ID!) {
    reviewOrders(first: 1, filter: { orderId: $id }) {
      edges {
        node {
          environment
          provider
          inReviewSince
          statusConflictAt
          sentRecentlyUntil
          developer {
            id
            name
          }
          approvalRequest {
            id
          }
          preview {
            resolution
            requiresApproval
            entries {
              kind
              from
              to
              amount
            }
          }
          order {
            id
            createdAt
            amount
            accountNumber
            card
            apiRequestId
            providerTxnId
            actions
            timeline {
              kind
              at
              summary
              detail
              amount
              httpStatus
              durationMs
              reference
            }
          }
        }
      }
    }
  }
`);
const said = words.review;
/** Who is told our request id with a payment, and finds it by that. */
const OUR_REFERENCE: ReadonlySet<Provider> = new Set(['ROUNDPAY', 'INSPAY', 'SANDBOX']);
type Entry = NonNullable<EvidenceQuery['reviewOrders']>['edges'][number]['node'];

/** Everything that is known of one order, and the decision about it. */
export function ReviewDrawer({
  asked: { order: id, after, before },
  alone,
  reload,
}: {
  asked: ReviewSearch;
  alone: number;
  reload: () => void;
}): ReactNode {
  const filter = useFilter();
  const [read, again] = useRead({ query: EVIDENCE, variables: { id: id ?? '' }, pause: id === undefined });
  const close = (): void => filter({ order: undefined, after, before });
  const entry = read.data?.reviewOrders?.edges[0]?.node;
  return (
    <Drawer
      title={entry ? (entry.order.accountNumber ?? entry.order.card) : said.title}
      open={id !== undefined}
      onClose={close}
    >
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {() =>
          entry ? (
            <Evidence
              key={entry.order.id}
              entry={entry}
              alone={alone}
              done={() => {
                close();
                reload();
              }}
            />
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </Drawer>
  );
}

function Evidence({ entry, alone, done }: { entry: Entry; alone: number; done: () => void }): ReactNode {
  const [isDeciding, setDeciding] = useState(false);
  const canDecide = usePermission('resolveOrder');
  const { order, developer, approvalRequest, statusConflictAt, sentRecentlyUntil } = entry;
  const txn = order.providerTxnId ?? order.timeline?.findLast(({ reference }) => reference)?.reference;
  return (
    <>
      <p className="sum">{rupees(order.amount)}</p>
      <span className="row">
        <Badge tone={entry.environment === 'PRODUCTION' ? 'live' : 'good'}>
          {words.environments[entry.environment]}
        </Badge>
        {statusConflictAt ? <Badge tone="bad">{said.conflicting}</Badge> : null}
        {approvalRequest ? (
          <Link to="/approval-requests" search={{ approvalRequest: approvalRequest.id }}>
            {said.requested}
          </Link>
        ) : null}
      </span>
      {sentRecentlyUntil ? (
        <p className="hint">
          {said.sentRecently} <Timestamp at={sentRecentlyUntil} />
        </p>
      ) : null}
      <dl className="facts">
        <dt>{said.developer}</dt>
        <dd>
          {developer ? (
            <Link to="/developers/$developerId" params={{ developerId: developer.id }}>
              {developer.name}
            </Link>
          ) : (
            '–'
          )}
        </dd>
        <dt>{said.provider}</dt>
        <dd>{words.providerNames[entry.provider]}</dd>
        <dt>{OUR_REFERENCE.has(entry.provider) ? said.reference : words.order.requestId}</dt>
        <dd className="row">
          <code>{order.apiRequestId}</code> <Copy text={order.apiRequestId} />
        </dd>
        {txn ? (
          <>
            <dt>{said.txn}</dt>
            <dd className="row">
              <code>{txn}</code> <Copy text={txn} />
            </dd>
          </>
        ) : null}
        <dt>{said.accepted}</dt>
        <dd>
          <Timestamp at={order.createdAt} />
        </dd>
        <dt>{said.since}</dt>
        <dd>
          <Timestamp at={entry.inReviewSince} />
        </dd>
      </dl>
      <Timeline order={order} staff />
      <div className="form-actions">
        {order.actions?.includes('CHECK_STATUS') ? <CheckOrderStatus orderId={order.id} /> : null}
        {statusConflictAt ? <Corrections orderId={order.id} reload={done} /> : null}
        {canDecide ? (
          <Button kind="main" data-decide onClick={() => setDeciding(true)}>
            {said.resolve}
          </Button>
        ) : null}
      </div>
      {isDeciding ? (
        <DecideWindow entries={[entry]} alone={alone} close={() => setDeciding(false)} done={done} />
      ) : null}
    </>
  );
}
