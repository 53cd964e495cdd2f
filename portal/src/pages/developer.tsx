import { Link, useParams } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { DeveloperQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Card, Empty, PageHead, Timestamp, useTitle } from '../parts.js';
import { isStaff, personPage, readsMoney, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { RejectedCalls } from '../rejected-calls.js';
import { words } from '../words.js';
import { Decisions } from './developer-decisions.js';
import { DeveloperKeys } from './developer-keys.js';
import { Limits } from './developer-limits.js';
import { MoneyActions } from './developer-money.js';
import { States } from './developers.js';
import { Wallet } from './home.js';
import { Notes } from './notes.js';
import { Toggle } from './toggle.js';
import { Waiting } from './waiting.js';

const DEVELOPER = graphql(`
  query Developer($id: ID!, $money: Boolean!, $staff: Boolean!, $approvalRequests: Boolean!) {
    approvalRequests(first: 20, filter: { developerId: $id }) @include(if: $approvalRequests) {
      edges {
        node {
          id
          action
        }
      }
    }
    developer(id: $id) {
      id
      name
      email
      mobile @include(if: $staff)
      createdAt
      kycSubmittedAt
      approvedAt
      approvedBy @include(if: $staff) {
        name
      }
      onboardingStatus
      productionUnlocked
      suspendedAt
      closedAt
      suspensionReason
      rejectionReason
      accountNumber
      productionRequest {
        requestedAt
        message
      }
      rechargeProvider
      rateLimitPerMinute
      tokenIdleDays
      tokenMaxDays
      duplicateGuardSeconds
      whiteLabel {
        id
        name
      }
      wallets @include(if: $money) {
        id
        environment
        balance
        held
      }
      credentials @include(if: $money) {
        id
        clientId
        environment
        label
        revokedAt
        lastUsedAt
        suspendedAt
        suspensionReason
      }
      users {
        id
        name
        email
      }
      services {
        id
        service
        enabled
        fee
        changedAt
        changedBy {
          name
        }
        lastRejectedCalls {
          environment
          at
          code
          requestId
          operation
        }
      }
      lastRejectedCalls {
        environment
        at
        code
        requestId
        operation
      }
    }
  }
`);
const said = words.developer;
export type Account = NonNullable<DeveloperQuery['developer']>;

export function DeveloperPage(): ReactNode {
  const viewer = useViewer();
  const { developerId } = useParams({ from: '/framed/developers/$developerId' });
  const variables = {
    id: developerId,
    money: readsMoney(viewer),
    staff: isStaff(viewer),
    approvalRequests: usePermission('approvalRequests'),
  };
  const [read, again] = useRead({ query: DEVELOPER, variables });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
      {({ developer, approvalRequests }) =>
        developer ? (
          <Shown
            account={developer}
            waiting={approvalRequests?.edges.map(({ node }) => node) ?? []}
            reload={() => again({ requestPolicy: 'network-only' })}
          />
        ) : (
          <Empty action={<Link to="/developers">{said.back}</Link>}>{said.missing}</Empty>
        )
      }
    </Loaded>
  );
}

function Shown({
  account,
  waiting,
  reload,
}: {
  account: Account;
  waiting: ComponentProps<typeof Waiting>['approvalRequests'];
  reload: () => void;
}): ReactNode {
  useTitle(account.name);
  // what is for staff alone is not asked for where a developer looks at their own account
  const reads = isStaff(useViewer());
  return (
    <>
      <PageHead
        title={account.name}
        lead={
          <span className="row">
            <Link to="/developers">{said.back}</Link>
            <States developer={account} />
            <Link to="/team" search={{ developer: account.id }}>
              {said.people}
            </Link>
            {account.wallets ? (
              <>
                <Link to="/developers/$developerId/wallet" params={{ developerId: account.id }}>
                  {said.statement}
                </Link>
                <Link to="/orders" search={{ developer: account.id }}>
                  {said.orders}
                </Link>
                {account.closedAt ? null : (
                  <Link to="/webhooks" search={{ developer: account.id }}>
                    {said.webhooks}
                  </Link>
                )}
              </>
            ) : null}
            {usePermission('auditLog') ? (
              <Link to="/audit" search={{ subject: account.id, days: 92 }}>
                {said.auditLog}
              </Link>
            ) : null}
          </span>
        }
      >
        {account.closedAt ? null : <Decisions account={account} reload={reload} />}
        <MoneyActions account={account} />
      </PageHead>
      <Notice account={account} />
      <Waiting approvalRequests={waiting} />
      {account.productionRequest ? (
        <section className="notice asks">
          <h2>{said.request}</h2>
          <p className="lines">{account.productionRequest.message ?? said.requestNone}</p>
          <p className="quiet small">
            <Timestamp at={account.productionRequest.requestedAt} />
          </p>
        </section>
      ) : null}
      <div className="columns">
        <div className="stack">
          <Facts account={account} />
          {account.wallets?.map((wallet) => (
            <Wallet key={wallet.id} wallet={wallet} />
          ))}
          <Card title={said.access}>
            <p className="quiet">{said.accessText}</p>
            <RejectedCalls calls={account.lastRejectedCalls} />
            <ul className="list">
              {account.services?.map((access) => (
                <li key={access.service}>
                  <div>{words.services[access.service]}</div>
                  <Toggle developer={account} access={access} />
                  <RejectedCalls calls={access.lastRejectedCalls} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <div className="stack">
          {reads ? <Limits account={account} reload={reload} /> : null}
          {account.credentials ? <DeveloperKeys credentials={account.credentials} /> : null}
          <Card title={said.people}>
            {account.users?.length === 0 ? <p className="quiet">{said.noUsers}</p> : null}
            <ul className="list">
              {account.users?.map(({ id, name, email }) => (
                <li key={id}>
                  <div>
                    <Link {...personPage({ id, developer: account })}>{name}</Link>{' '}
                    <span className="quiet">{email}</span>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          {reads ? <Notes developerId={account.id} /> : null}
        </div>
      </div>
    </>
  );
}

/** Why nothing works, where nothing does. */
function Notice({ account: { closedAt, suspensionReason, rejectionReason } }: { account: Account }): ReactNode {
  const reason = suspensionReason ?? rejectionReason;
  if (!closedAt && !reason) return null;
  return (
    <p className="notice">
      {closedAt ? `${said.closed} ` : null}
      {reason}
    </p>
  );
}

const Facts = ({ account }: { account: Account }): ReactNode => (
  <Card title={said.facts}>
    <dl className="facts">
      <dt>{said.email}</dt>
      <dd>{account.email}</dd>
      {account.mobile ? (
        <>
          <dt>{words.people.mobile}</dt>
          <dd>{account.mobile}</dd>
        </>
      ) : null}
      <dt>{said.id}</dt>
      <dd>
        <code>{account.id}</code>
      </dd>
      <dt>{said.number}</dt>
      <dd>
        <code>{account.accountNumber}</code>
      </dd>
      <dt>{said.since}</dt>
      <dd>
        <Timestamp at={account.createdAt} />
      </dd>
      <dt>{said.approvedAt}</dt>
      <dd>
        {account.approvedAt ? <Timestamp at={account.approvedAt} /> : '–'}
        {account.approvedBy ? `, ${account.approvedBy.name}` : null}
      </dd>
      <dt>{said.whiteLabel}</dt>
      <dd>{account.whiteLabel?.name ?? said.noWhiteLabel}</dd>
    </dl>
  </Card>
);
