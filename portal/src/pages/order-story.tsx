import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { duration, elapsedText, instant, rupees } from '../format.js';
import type { OrderEventKind, OrderQuery } from '../generated/documents.js';
import { Badge, Timestamp } from '../parts.js';
import { words } from '../words.js';

const said = words.order;
type Order = NonNullable<OrderQuery['order']>;

/** Money that came back is nothing bad. */
const END: Partial<Record<OrderEventKind, 'good' | 'bad' | 'wait' | 'back'>> = {
  SETTLE: 'good',
  REFUND_REVERSAL: 'good',
  REFUND: 'back',
  REVERSAL: 'back',
  STATUS_CONFLICT: 'bad',
  REVIEW: 'wait',
};
type Happened = NonNullable<Order['timeline']>[number];

/** The parts of what was known then; the words of staff, which are longer, for staff. */
const knownOf = ({ detail, amount, httpStatus, durationMs }: Happened, staff: boolean): string => {
  const isMoneyAlone = detail === `${amount} rupees`;
  const parts = [
    amount === null ? '' : rupees(amount),
    httpStatus === null ? '' : `HTTP ${httpStatus}`,
    durationMs === null ? '' : said.took(duration(durationMs)),
  ].filter(Boolean);
  return (staff && !isMoneyAlone) || parts.length === 0 ? detail : parts.join(' · ');
};

/** What happened, from its acceptance on. */
export function Timeline({
  order: { timeline, createdAt },
  staff,
}: {
  order: Pick<Order, 'timeline' | 'createdAt'>;
  staff: boolean;
}): ReactNode {
  if (!timeline?.length) return null;
  const accepted = Date.parse(createdAt);
  return (
    <section>
      <h2>{said.timeline}</h2>
      <ol className="timeline">
        {timeline.map((event) => (
          <li key={`${event.at} ${event.kind} ${event.detail}`} data-tone={END[event.kind]}>
            <strong>{event.summary}</strong>{' '}
            <time className="quiet small" dateTime={event.at} title={instant(event.at)}>
              {elapsedText(Date.parse(event.at) - accepted)}
            </time>
            <p className="quiet small">{knownOf(event, staff)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Every line of the wallet, down to what the order has cost in the end. */
export function Money({ order }: { order: Order }): ReactNode {
  const { entries } = order;
  if (!entries?.length) return null;
  const paise = entries.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  return (
    <section>
      <h2>{said.money}</h2>
      <table className="lines">
        <thead>
          <tr>
            <th scope="col">{said.line}</th>
            <th scope="col" className="amount">
              {said.amount}
            </th>
            <th scope="col" className="amount">
              {said.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                {words.entryText(entry.kind, order)}{' '}
                <span className="quiet small">
                  <Timestamp at={entry.at} />
                </span>
              </td>
              <td className="amount">{rupees(entry.amount)}</td>
              <td className="amount quiet">{rupees(entry.balanceAfter)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{said.total}</th>
            <td className="amount">
              <strong>{rupees(paise / 100)}</strong>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

export const Deliveries = ({
  deliveries,
  order: { apiRequestId, developer },
}: {
  deliveries: NonNullable<Order['deliveries']>;
  order: Order;
}): ReactNode => (
  <section>
    <h2>{said.deliveries}</h2>
    {deliveries.length === 0 ? <p className="quiet">{said.noDeliveries}</p> : null}
    <ul className="list">
      {deliveries.map(({ id, type, state, httpStatus, error, attemptCount }) => (
        <li key={id}>
          <div>
            <Link to="/webhooks/deliveries" search={{ developer: developer?.id, delivery: id, request: apiRequestId }}>
              {words.webhookEvents[type]}
            </Link>{' '}
            <span className="quiet small">
              {[httpStatus && `HTTP ${httpStatus}`, error && words.webhookErrors[error], said.attempts(attemptCount)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
          <Badge tone={deliveryTone[state]}>{words.deliveries[state]}</Badge>
        </li>
      ))}
    </ul>
  </section>
);

export const deliveryTone = { DELIVERED: 'good', PENDING: 'wait', FAILED: 'bad', CANCELLED: 'quiet' } as const;
