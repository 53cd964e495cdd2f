import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Changes } from '../changes.js';
import type { ProposalSearch } from '../decision-search.js';
import { Drawer } from '../drawer.js';
import { rupees } from '../format.js';
import type { Environment, ProposalAction, ProposalQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { At, Badge, Copy, Empty } from '../parts.js';
import { personPage } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { Decide, type ShownProposal } from './proposal-decide.js';
import { confirmsEmergency, deedOf, movesMoney, StateBadge } from './proposals.js';

const PROPOSAL = graphql(`
  query Proposal($id: ID!) {
    node(id: $id) {
      ... on Proposal {
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
        earlier {
          id
          state
          action
          resolution
          environment
          amount
          reference
          utr
          at
          decidedAt
          refusalReason
          author {
            name
            user {
              id
            }
          }
          decidedBy {
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
        decidedAt
        mayApprove
        author {
          name
          user {
            id
          }
        }
        decidedBy {
          name
          user {
            id
          }
        }
        refusalReason
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
const said = words.proposals;
const isProposal = (node: ProposalQuery['node']): node is ShownProposal => node !== null && 'state' in node;

/** One proposal beside the list; when it is decided, the next one is there. */
export function ProposalDrawer({
  asked: { proposal: id, after, before },
  next,
  reload,
}: {
  asked: ProposalSearch;
  next: string | undefined;
  reload: () => void;
}): ReactNode {
  const filter = useFilter();
  const [read, again] = useRead({ query: PROPOSAL, variables: { id: id ?? '' }, pause: id === undefined });
  const go = (to: string | undefined): void => {
    filter({ proposal: to, after, before });
    reload();
  };
  const node = read.data?.node ?? null;
  return (
    <Drawer
      title={isProposal(node) ? deedOf(node) : said.title}
      open={id !== undefined}
      onClose={() => filter({ proposal: undefined, after, before })}
    >
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {() =>
          isProposal(node) ? (
            // what was typed belongs to the one that it was typed for
            <Details key={node.id} proposal={node} done={() => go(next)} />
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </Drawer>
  );
}

function Details({ proposal, done }: { proposal: ShownProposal; done: () => void }): ReactNode {
  const { developer, user, whiteLabel, provider, order, orders, changes, correction } = proposal;
  return (
    <>
      {typeof proposal.amount === 'number' ? <p className="sum">{rupees(proposal.amount)}</p> : null}
      <span className="row">
        <StateBadge proposal={proposal} />
        {proposal.environment === 'PRODUCTION' ? <Badge tone="live">{words.environments.PRODUCTION}</Badge> : null}
      </span>
      <Effect proposal={proposal} />
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
              <Link to="/providers" search={proposal.environment ? { environment: proposal.environment } : {}}>
                {words.performers[provider]}
              </Link>
            </dd>
          </>
        ) : null}
        {order ? (
          <>
            <dt>{said.order}</dt>
            <dd>
              <OrderLink id={order.id} environment={proposal.environment}>
                {order.accountNumber ?? order.card}
              </OrderLink>{' '}
              · {words.orders[order.status]}
            </dd>
          </>
        ) : null}
        {correction ? <Corrected correction={correction} state={proposal.state} /> : null}
        <dt>{said.why}</dt>
        <dd>{proposal.reason || said.noReason}</dd>
        {movesMoney(proposal) ? (
          <>
            <dt>{said.reference}</dt>
            <dd>
              <code>{proposal.reference}</code>
            </dd>
          </>
        ) : null}
        {proposal.action === 'CREDIT' && proposal.environment === 'PRODUCTION' ? (
          <>
            <dt>{said.utr}</dt>
            <dd className="row">
              {proposal.utr ? (
                <>
                  <code>{proposal.utr}</code>
                  <Copy text={proposal.utr} of={said.utr} />
                </>
              ) : (
                said.noUtr
              )}
            </dd>
          </>
        ) : null}
        <Balances effect={proposal.walletEffect} />
        <dt>{said.by}</dt>
        <dd>
          {proposal.author.name}, <At at={proposal.at} />
        </dd>
        {proposal.refusalReason ? (
          <>
            <dt>{said.whyNot}</dt>
            <dd>{proposal.refusalReason}</dd>
          </>
        ) : null}
        {proposal.decidedAt ? (
          <>
            <dt>{said.decidedBy}</dt>
            <dd>
              {proposal.decidedBy ? `${proposal.decidedBy.name}, ` : null}
              <At at={proposal.decidedAt} />
            </dd>
          </>
        ) : (
          <>
            <dt>{said.expires}</dt>
            <dd>
              <At at={proposal.expiresAt} />
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
                  <OrderLink id={orderId} environment={proposal.environment}>
                    {orderId}
                  </OrderLink>
                </p>
                {evidence ? <InStatement line={evidence} /> : null}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <Earlier proposals={proposal.earlier} />
      {proposal.state === 'WAITING' ? <Decide proposal={proposal} done={done} /> : null}
    </>
  );
}

/** Balance when approval was requested, and the effect of approval on the current balance. */
function Balances({ effect }: { effect: ShownProposal['walletEffect'] }): ReactNode {
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
const Earlier = ({ proposals }: { proposals: ShownProposal['earlier'] }): ReactNode =>
  proposals ? (
    <section>
      <h2>{said.earlier}</h2>
      <p className="quiet small">{proposals.length === 0 ? said.noEarlier : said.earlierText}</p>
      <ul className="list">
        {proposals.map((earlier) => (
          <li key={earlier.id}>
            <div>
              <Link to="/proposals" search={{ proposal: earlier.id, state: earlier.state }}>
                {deedOf(earlier)}
              </Link>
              <p className="quiet small break">
                {whoAndWhich(earlier)}, <At at={earlier.at} />
              </p>
              {earlier.refusalReason ? <p className="small break">{earlier.refusalReason}</p> : null}
            </div>
            <StateBadge proposal={earlier} />
          </li>
        ))}
      </ul>
    </section>
  ) : null;

/** UTR or reference, requester, and second person if there was one. A request about an order has no reference of its own. */
function whoAndWhich({ author, decidedBy, utr, reference, action }: EarlierProposal): string {
  const isMovement = action === 'CREDIT' || action === 'DEBIT';
  const second = decidedBy && decidedBy.user?.id !== author.user?.id ? said.resolvedBy(decidedBy.name) : '';
  return [utr ?? (isMovement ? reference : ''), said.requestedBy(author.name), second].filter(Boolean).join(' · ');
}
type EarlierProposal = NonNullable<ShownProposal['earlier']>[number];

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
  correction: NonNullable<ShownProposal['correction']>;
  state: ShownProposal['state'];
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
    {state === 'CARRIED_OUT' ? (
      <>
        <dt>{said.correction.posted}</dt>
        <dd>{postedAt ? <At at={postedAt} /> : said.correction.notPosted}</dd>
      </>
    ) : null}
  </>
);

type Evidence = NonNullable<NonNullable<ShownProposal['orders']>[number]['evidence']>;

/** What the provider's own statement says of an order, which is why its outcome was proposed. */
const InStatement = ({ line: { line, reference, status, amount, at } }: { line: Evidence }): ReactNode => (
  <p className="quiet small">
    {said.statement(line)}: {words.statementStatuses[status]}, {rupees(amount)}, <At at={at} />
    {reference ? (
      <>
        , {said.statementReference} <code>{reference}</code>
      </>
    ) : null}
  </p>
);

const effects: Partial<Record<ProposalAction, string>> = {
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
function Effect({ proposal }: { proposal: ShownProposal }): ReactNode {
  const { action, resolution } = proposal;
  const effect = confirmsEmergency(proposal)
    ? said.effect.confirmSuspension
    : action === 'RESOLVE'
      ? resolution === 'SUCCESS'
        ? said.effect.settle
        : said.effect.refund
      : effects[action];
  return effect === undefined ? null : <p className="quiet">{effect}</p>;
}
