import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Changes } from '../changes.js';
import { Drawer } from '../drawer.js';
import { rupees } from '../format.js';
import type { ApprovalRequestAction, ApprovalRequestQuery, Environment } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Copy, Empty, Timestamp } from '../parts.js';
import { personPage } from '../people.js';
import { useRead } from '../read.js';
import type { ApprovalRequestSearch } from '../review-search.js';
import { words } from '../words.js';
import { Decide, type ShownApprovalRequest } from './approval-request-decide.js';
import { confirmsEmergency, deedOf, movesMoney, StateBadge } from './approval-requests.js';

const APPROVAL_REQUEST = graphql(`
  query ApprovalRequest($id: ID!) {
    node(id: $id) {
      ... on ApprovalRequest {
        id
        state
        action
        resolution
        environment
        amount
        reference
        utr
        reason
        walletEffect {
          balanceAtRequest
          balance
          balanceAfter
        }
        earlierRequests {
          id
          state
          action
          resolution
          environment
          amount
          reference
          utr
          at
          resolvedAt
          rejectionReason
          requestedBy {
            name
            user {
              id
            }
          }
          resolvedBy {
            name
            user {
              id
            }
          }
          developer {
            id
            name
          }
          user {
            id
            name
          }
          whiteLabel {
            id
            name
          }
          provider
          changes {
            field
            before
            after
          }
        }
        at
        expiresAt
        resolvedAt
        canApprove
        requestedBy {
          name
          user {
            id
          }
        }
        resolvedBy {
          name
          user {
            id
          }
        }
        rejectionReason
        developer {
          id
          name
        }
        user {
          id
          name
          email
          role
          teamRole
        }
        whiteLabel {
          id
          name
        }
        provider
        order {
          id
          status
          accountNumber
          card
        }
        orders {
          orderId
          outcome
          amount
          evidence {
            line
            reference
            status
            amount
            at
          }
        }
        correction {
          fromVersion
          entries
          storedBalance
          computedBalance
          difference
          postedAt
        }
        changes {
          field
          before
          after
        }
      }
    }
  }
`);
const said = words.approvalRequests;
const isApprovalRequest = (node: ApprovalRequestQuery['node']): node is ShownApprovalRequest =>
  node !== null && 'state' in node;

/** One approval request beside the list; when it is decided, the next one is there. */
export function ApprovalRequestDrawer({
  asked: { approvalRequest: id, after, before },
  next,
  reload,
}: {
  asked: ApprovalRequestSearch;
  next: string | undefined;
  reload: () => void;
}): ReactNode {
  const filter = useFilter();
  const [read, again] = useRead({ query: APPROVAL_REQUEST, variables: { id: id ?? '' }, pause: id === undefined });
  const go = (to: string | undefined): void => {
    filter({ approvalRequest: to, after, before });
    reload();
  };
  const node = read.data?.node ?? null;
  return (
    <Drawer
      title={isApprovalRequest(node) ? deedOf(node) : said.title}
      open={id !== undefined}
      onClose={() => filter({ approvalRequest: undefined, after, before })}
    >
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {() =>
          isApprovalRequest(node) ? (
            // what was typed belongs to the one that it was typed for
            <Details key={node.id} approvalRequest={node} done={() => go(next)} />
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </Drawer>
  );
}

function Details({ approvalRequest, done }: { approvalRequest: ShownApprovalRequest; done: () => void }): ReactNode {
  const { developer, user, whiteLabel, provider, order, orders, changes, correction } = approvalRequest;
  return (
    <>
      {typeof approvalRequest.amount === 'number' ? <p className="sum">{rupees(approvalRequest.amount)}</p> : null}
      <span className="row">
        <StateBadge approvalRequest={approvalRequest} />
        {approvalRequest.environment === 'PRODUCTION' ? (
          <Badge tone="live">{words.environments.PRODUCTION}</Badge>
        ) : null}
      </span>
      <Effect approvalRequest={approvalRequest} />
      <dl className="facts">
        {developer ? (
          <>
            <dt>{said.account}</dt>
            <dd>
              <Link to="/developers/$developerId" params={{ developerId: developer.id }}>
                {developer.name}
              </Link>
            </dd>
          </>
        ) : null}
        {user ? (
          <>
            <dt>{words.people.person}</dt>
            <dd>
              <Link {...personPage({ ...user, developer })}>{user.name}</Link>
            </dd>
            <dt>{words.people.role}</dt>
            <dd>{user.teamRole ? words.teamRoles[user.teamRole] : words.roles[user.role]}</dd>
            <dt>{words.people.email}</dt>
            <dd>{user.email}</dd>
          </>
        ) : null}
        {whiteLabel ? (
          <>
            <dt>{words.developer.whiteLabel}</dt>
            <dd>
              <Link to="/white-labels">{whiteLabel.name}</Link>
            </dd>
          </>
        ) : null}
        {provider ? (
          <>
            <dt>{words.review.provider}</dt>
            <dd>
              <Link
                to="/providers"
                search={approvalRequest.environment ? { environment: approvalRequest.environment } : {}}
              >
                {words.providerNames[provider]}
              </Link>
            </dd>
          </>
        ) : null}
        {order ? (
          <>
            <dt>{said.order}</dt>
            <dd>
              <OrderLink id={order.id} environment={approvalRequest.environment}>
                {order.accountNumber ?? order.card}
              </OrderLink>{' '}
              · {words.orders[order.status]}
            </dd>
          </>
        ) : null}
        {correction ? <Corrected correction={correction} state={approvalRequest.state} /> : null}
        <dt>{said.reason}</dt>
        <dd>{approvalRequest.reason || said.noReason}</dd>
        {movesMoney(approvalRequest) ? (
          <>
            <dt>{said.reference}</dt>
            <dd>
              <code>{approvalRequest.reference}</code>
            </dd>
          </>
        ) : null}
        {approvalRequest.action === 'CREDIT' && approvalRequest.environment === 'PRODUCTION' ? (
          <>
            <dt>{said.utr}</dt>
            <dd className="row">
              {approvalRequest.utr ? (
                <>
                  <code>{approvalRequest.utr}</code>
                  <Copy text={approvalRequest.utr} subject={said.utr} />
                </>
              ) : (
                said.noUtr
              )}
            </dd>
          </>
        ) : null}
        <Balances effect={approvalRequest.walletEffect} />
        <dt>{said.by}</dt>
        <dd>
          {approvalRequest.requestedBy.name}, <Timestamp at={approvalRequest.at} />
        </dd>
        {approvalRequest.rejectionReason ? (
          <>
            <dt>{said.rejectionReason}</dt>
            <dd>{approvalRequest.rejectionReason}</dd>
          </>
        ) : null}
        {approvalRequest.resolvedAt ? (
          <>
            <dt>{said.resolvedByTitle}</dt>
            <dd>
              {approvalRequest.resolvedBy ? `${approvalRequest.resolvedBy.name}, ` : null}
              <Timestamp at={approvalRequest.resolvedAt} />
            </dd>
          </>
        ) : (
          <>
            <dt>{said.expires}</dt>
            <dd>
              <Timestamp at={approvalRequest.expiresAt} />
            </dd>
          </>
        )}
      </dl>
      {changes.length ? <Changes changes={changes} head={[said.before, said.after]} /> : null}
      {orders?.length ? (
        <ul className="list">
          {orders.map(({ orderId, outcome, amount, evidence }) => (
            <li key={orderId}>
              <div>
                <strong>{outcome === 'SUCCESS' ? said.settle(rupees(amount)) : said.refund(rupees(amount))}</strong>
                <p className="small">
                  <OrderLink id={orderId} environment={approvalRequest.environment}>
                    {orderId}
                  </OrderLink>
                </p>
                {evidence ? <InStatement line={evidence} /> : null}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <Earlier approvalRequests={approvalRequest.earlierRequests} />
      {approvalRequest.state === 'PENDING' ? <Decide approvalRequest={approvalRequest} done={done} /> : null}
    </>
  );
}

/** Balance when approval was requested, and the effect of approval on the current balance. */
function Balances({ effect }: { effect: ShownApprovalRequest['walletEffect'] }): ReactNode {
  if (!effect) return null;
  const { balanceAtRequest, balance, balanceAfter } = effect;
  return (
    <>
      <dt>{said.atRequest}</dt>
      <dd>{rupees(balanceAtRequest)}</dd>
      {balance === null || balanceAfter === null ? null : (
        <>
          <dt>{said.effectNow}</dt>
          <dd>
            <strong>{said.balances(rupees(balance), rupees(balanceAfter))}</strong>
          </dd>
        </>
      )}
    </>
  );
}

/** Earlier approval requests about the same order or account. */
const Earlier = ({ approvalRequests }: { approvalRequests: ShownApprovalRequest['earlierRequests'] }): ReactNode =>
  approvalRequests ? (
    <section>
      <h2>{said.earlier}</h2>
      <p className="quiet small">{approvalRequests.length === 0 ? said.noEarlier : said.earlierText}</p>
      <ul className="list">
        {approvalRequests.map((earlier) => (
          <li key={earlier.id}>
            <div>
              <Link to="/approval-requests" search={{ approvalRequest: earlier.id, state: earlier.state }}>
                {deedOf(earlier)}
              </Link>
              <p className="quiet small break">
                {whoAndWhich(earlier)}, <Timestamp at={earlier.at} />
              </p>
              {earlier.rejectionReason ? <p className="small break">{earlier.rejectionReason}</p> : null}
            </div>
            <StateBadge approvalRequest={earlier} />
          </li>
        ))}
      </ul>
    </section>
  ) : null;

/** UTR or reference, requester, and second person if there was one. A request about an order has no reference of its own. */
function whoAndWhich({ requestedBy, resolvedBy, utr, reference, action }: EarlierApprovalRequest): string {
  const isMovement = action === 'CREDIT' || action === 'DEBIT';
  const second = resolvedBy && resolvedBy.user?.id !== requestedBy.user?.id ? said.resolvedBy(resolvedBy.name) : '';
  return [utr ?? (isMovement ? reference : ''), said.requestedBy(requestedBy.name), second].filter(Boolean).join(' · ');
}
type EarlierApprovalRequest = NonNullable<ShownApprovalRequest['earlierRequests']>[number];

/** To the order itself, with everything that is known of it. */
const OrderLink = ({
  id,
  environment,
  children,
}: {
  id: string;
  environment: Environment | null;
  children: ReactNode;
}): ReactNode => (
  <Link to="/orders" search={{ order: id, ...(environment ? { environment } : {}) }}>
    <code>{children}</code>
  </Link>
);

/** Balances of the wallet when approval was requested, and the correction. */
const Corrected = ({
  correction: { fromVersion, entries, storedBalance, computedBalance, difference, postedAt },
  state,
}: {
  correction: NonNullable<ShownApprovalRequest['correction']>;
  state: ShownApprovalRequest['state'];
}): ReactNode => (
  <>
    <dt>{said.correction.from}</dt>
    <dd>{fromVersion}</dd>
    <dt>{said.correction.entries}</dt>
    <dd>{entries}</dd>
    <dt>{said.correction.stored}</dt>
    <dd>{rupees(storedBalance)}</dd>
    <dt>{said.correction.computed}</dt>
    <dd>{rupees(computedBalance)}</dd>
    <dt>{said.correction.difference}</dt>
    <dd>{rupees(difference)}</dd>
    {state === 'APPROVED' ? (
      <>
        <dt>{said.correction.posted}</dt>
        <dd>{postedAt ? <Timestamp at={postedAt} /> : said.correction.notPosted}</dd>
      </>
    ) : null}
  </>
);

type Evidence = NonNullable<NonNullable<ShownApprovalRequest['orders']>[number]['evidence']>;

/** Line of the provider's statement on which the requested outcome of an order is based. */
const InStatement = ({ line: { line, reference, status, amount, at } }: { line: Evidence }): ReactNode => (
  <p className="quiet small">
    {said.statement(line)}: {words.statementStatuses[status]}, {rupees(amount)}, <Timestamp at={at} />
    {reference ? (
      <>
        , {said.statementReference} <code>{reference}</code>
      </>
    ) : null}
  </p>
);

const effects: Partial<Record<ApprovalRequestAction, string>> = {
  CREDIT: said.effect.credit,
  DEBIT: said.effect.debit,
  CORRECT_WALLET: said.effect.correct,
  REVERSE: said.effect.reverse,
  REVERSE_REFUND: said.effect.reverseRefund,
  RESOLVE_MANY: said.effect.many,
  SUSPEND_USER: said.effect.suspend,
  REINSTATE_USER: said.effect.reinstate,
  REMOVE_USER: said.effect.remove,
  RESET_SECOND_FACTORS: said.effect.resetFactors,
};
/** Where the money goes; what moves none shows its changes. */
function Effect({ approvalRequest }: { approvalRequest: ShownApprovalRequest }): ReactNode {
  const { action, resolution } = approvalRequest;
  const effect = confirmsEmergency(approvalRequest)
    ? said.effect.confirmSuspension
    : action === 'RESOLVE'
      ? resolution === 'SUCCESS'
        ? said.effect.settle
        : said.effect.refund
      : effects[action];
  return effect === undefined ? null : <p className="quiet">{effect}</p>;
}
