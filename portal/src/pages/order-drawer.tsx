import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Drawer } from '../drawer.js';
import { moment, rupees } from '../format.js';
import type { OrderQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded, useRefetchWhile } from '../loaded.js';
import { Badge, Copy, OrderBadge, Timestamp } from '../parts.js';
import { isStaff, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { OrderActions } from './order-actions.js';
import { OrderDecisions, reversedByPerson } from './order-decisions.js';
import { Deliveries, Money, Timeline } from './order-story.js';
import { RunAgain } from './run-again.js';

const ORDER = graphql(`
  query Order($id: ID!, $staff: Boolean!, $deliveries: Boolean!) {
    order(id: $id) {
      id
      apiRequestId
      clientRequestId
      createdAt
      settledAt
      kind
      status
      amount
      refunded
      environment
      accountNumber
      mobile
      card
      operatorRef
      providerTxnId
      utr
      txid
      nextCheckAt
      reviewAt
      operator {
        id
        name
        spKey
        type
      }
      decline {
        reason
        message
        retryable
      }
      timeline {
        at
        kind
        summary
        detail
        amount
        httpStatus
        durationMs
        reference
      }
      entries {
        id
        at
        kind
        amount
        balanceAfter
      }
      deliveries @include(if: $deliveries) {
        id
        type
        state
        httpStatus
        error
        attemptCount
        occurredAt
      }
      provider @include(if: $staff)
      developer @include(if: $staff) {
        id
        name
      }
    }
  }
`);

const said = words.order;
type Order = NonNullable<OrderQuery['order']>;

const AGAIN_MS = 5_000;

/** One order beside the list, while the address names it; its row, which has its id, gets the focus afterwards. */
export function OrderDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }): ReactNode {
  const last = useRef(id);
  useEffect(() => {
    last.current = id ?? last.current;
  }, [id]);
  const row = (): HTMLElement | null => document.getElementById(last.current ?? '');
  return (
    <Drawer title={said.title} open={id !== undefined} onClose={onClose} focusAfter={row}>
      {id === undefined ? null : <Contents id={id} />}
    </Drawer>
  );
}

function Contents({ id }: { id: string }): ReactNode {
  const staff = isStaff(useViewer());
  const variables = { id, staff, deliveries: usePermission('webhookDeliveries') };
  const [read, again] = useRead({ query: ORDER, variables });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const isPending = read.data?.order?.status === 'PENDING';
  // a pending order is read again while the drawer is open
  useRefetchWhile([read, again], AGAIN_MS, isPending);
  return (
    <Loaded read={read} retry={reload} rows={6}>
      {({ order }) => (order ? <Shown order={order} staff={staff} reload={reload} /> : null)}
    </Loaded>
  );
}

const Shown = ({ order, staff, reload }: { order: Order; staff: boolean; reload: () => void }): ReactNode => (
  <>
    <div>
      <p className="sum">{rupees(order.amount)}</p>
      <p className="row">
        <OrderBadge status={order.status} />
        <Badge tone={order.environment === 'PRODUCTION' ? 'live' : 'quiet'}>
          {words.environments[order.environment]}
        </Badge>
        <span>
          {[words.orderKinds[order.kind], order.operator?.name].filter(Boolean).join(' · ')} ·{' '}
          <Timestamp at={order.createdAt} />
        </span>
      </p>
    </div>
    <Meaning order={order} staff={staff} />
    {staff ? <OrderDecisions id={order.id} timeline={order.timeline} /> : null}
    {staff ? <OrderActions orderId={order.id} reload={reload} /> : null}
    <References order={order} staff={staff} />
    <Timeline order={order} staff={staff} />
    <Money order={order} />
    {order.deliveries ? <Deliveries deliveries={order.deliveries} order={order} /> : null}
    <RunAgain key={order.id} order={order} />
  </>
);

/** Time when manual review begins or began. */
const reviewText = (at: string): string =>
  Date.parse(at) > Date.now() ? said.reviewFrom(moment(at)) : said.inReview(moment(at));

/** What the state asks of whoever placed the order. */
function Meaning({
  order: { status, decline, nextCheckAt, reviewAt, timeline },
  staff,
}: {
  order: Order;
  staff: boolean;
}): ReactNode {
  if (status === 'PENDING')
    return (
      <p className="meaning" data-tone="wait">
        <strong>{said.pending}</strong> {said.doNotRepeat} {reviewAt ? reviewText(reviewAt) : null}{' '}
        {nextCheckAt ? said.nextCheck(moment(nextCheckAt)) : null}
      </p>
    );
  if (!decline) return null;
  const { title, next } =
    status === 'REVERSED' && reversedByPerson(timeline ?? []) ? said.reversed : words.declines[decline.reason];
  return (
    <p className="meaning" data-tone={status === 'FAILED' ? 'bad' : 'quiet'}>
      <strong>{title}</strong> {staff ? null : next}
    </p>
  );
}

function References({ order, staff }: { order: Order; staff: boolean }): ReactNode {
  const all: [name: string, value: string | number | null | undefined][] = [
    [said.number, order.accountNumber],
    [said.card, order.card],
    [said.mobile, order.mobile],
    [said.requestId, order.apiRequestId],
    [said.idempotencyKey, order.clientRequestId],
    [said.operatorRef, order.operatorRef],
    [said.utr, order.utr],
    [said.txid, order.txid],
    [said.providerTxnId, order.providerTxnId],
  ];
  return (
    <dl className="references">
      {staff && order.developer ? (
        <>
          <dt>{said.developer}</dt>
          <dd>
            <Link to="/developers/$developerId" params={{ developerId: order.developer.id }}>
              {order.developer.name}
            </Link>
          </dd>
        </>
      ) : null}
      {staff && order.provider ? (
        <>
          <dt>{said.provider}</dt>
          <dd>{words.providerNames[order.provider]}</dd>
        </>
      ) : null}
      {all
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <Copy text={String(value)} subject={name} />
            </dd>
          </Fragment>
        ))}
      {order.refunded > 0 ? (
        <>
          <dt>{said.refunded}</dt>
          <dd>{rupees(order.refunded)}</dd>
        </>
      ) : null}
    </dl>
  );
}
