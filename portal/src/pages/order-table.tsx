import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.js';
import { rupees } from '../format.js';
import type { OrdersQuery } from '../generated/documents.js';
import { Empty, OrderBadge, TableBox, Timestamp } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { words } from '../words.js';

const said = words.transactions;
type Row = NonNullable<OrdersQuery['orders']>['edges'][number]['node'];

/** Orders, each of which opens beside the page that shows them. */
export const OrderTable = ({
  label,
  orders,
  open,
  staff = false,
}: {
  label: string;
  orders: readonly Row[];
  /** The one that is open. */
  open: string | undefined;
  staff?: boolean;
}): ReactNode => (
  <TableBox label={label}>
    <table className="cards two-lines">
      <thead>
        <tr>
          <th scope="col">{said.accepted}</th>
          {staff ? <th scope="col">{said.developer}</th> : null}
          <th scope="col">{said.number}</th>
          <th scope="col">{said.operator}</th>
          <th scope="col">{said.state}</th>
          {staff ? <th scope="col">{said.provider}</th> : null}
          <th scope="col" className="amount">
            {said.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} isOpen={order.id === open} staff={staff} />
        ))}
      </tbody>
    </table>
  </TableBox>
);

/** Beside the state: what it means for whoever waits for the money. */
const meaningOf = ({ status, decline }: Row): string | undefined =>
  status === 'PENDING' ? said.held : decline ? words.declines[decline.reason].short : undefined;

function OrderRow({ order, isOpen, staff }: { order: Row; isOpen: boolean; staff: boolean }): ReactNode {
  const meaning = meaningOf(order);
  return (
    <tr className="opens" data-open={isOpen || undefined}>
      <td className="second last">
        <Timestamp at={order.createdAt} />
      </td>
      {staff ? (
        <td className="second">
          {order.developer ? (
            <Link to="/developers/$developerId" params={{ developerId: order.developer.id }}>
              {order.developer.name}
            </Link>
          ) : (
            '–'
          )}
        </td>
      ) : null}
      <td>
        <Link
          to="."
          search={(shown: object) => ({ ...shown, order: order.id }) as never}
          id={order.id}
          className="opener"
          data-row={order.id}
          aria-haspopup="dialog"
        >
          <code>{order.accountNumber ?? order.card ?? order.id}</code>
        </Link>
      </td>
      <td>{order.operator?.name ?? words.orderKinds[order.kind]}</td>
      <td className="second">
        <span className="row">
          <OrderBadge status={order.status} />
          {meaning === undefined ? null : <span className="quiet small">{meaning}</span>}
        </span>
      </td>
      {staff ? <td className="wide quiet">{order.provider ? words.providerNames[order.provider] : '–'}</td> : null}
      <td className="amount last">{rupees(order.amount)}</td>
    </tr>
  );
}

/** For an account without any order: what comes before the first one. */
export function NoOrders(): ReactNode {
  const environment = useEnvironment();
  const canMakeKeys = usePermission('createCredential');
  const account = useViewer().developer;
  const isApproved = account?.onboardingStatus === 'APPROVED';
  const isOpen = isApproved && (environment === 'UAT' || account.productionUnlocked);
  if (isOpen)
    return (
      <Empty
        action={
          canMakeKeys ? (
            <Link to="/keys" className="button" data-kind="main">
              {said.firstCall}
            </Link>
          ) : undefined
        }
      >
        {said.noneYet}
      </Empty>
    );
  return (
    <Empty
      action={
        <Link to="/onboarding" className="button">
          {words.keys.continueOnboarding}
        </Link>
      }
    >
      {isApproved ? said.noneBeforeLive : said.noneBeforeApproval}
    </Empty>
  );
}
