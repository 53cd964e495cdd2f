import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rupees } from '../format.js';
import type { HomeQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { At, Badge, Card, Empty, OrderBadge, PageHead, TableBox, useTitle } from '../parts.js';
import { isStaff, useMay, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { Steps } from './steps.js';
import { WorkList } from './work.js';

const HOME = graphql(`
  query Home {
    viewer {
      developer {
        id
        name
        onboardingStatus
        productionUnlocked
        suspendedAt
        suspensionReason
        rejectionReason
        wallets {
          id
          environment
          balance
          held
        }
        orders(first: 5) {
          edges {
            node {
              id
              createdAt
              environment
              accountNumber
              card
              amount
              status
              operator {
                id
                name
              }
            }
          }
        }
        goLive {
          step
          doneAt
          waitsForUs
        }
      }
    }
  }
`);
export function Home(): ReactNode {
  return isStaff(useViewer()) ? <WorkList /> : <DeveloperHome />;
}

type Account = NonNullable<NonNullable<HomeQuery['viewer']>['developer']>;

function DeveloperHome(): ReactNode {
  useTitle(words.nav.home);
  const [read, again] = useRead({ query: HOME });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
      {({ viewer }) => (viewer?.developer ? <AccountHome account={viewer.developer} /> : null)}
    </Loaded>
  );
}

function AccountHome({ account }: { account: Account }): ReactNode {
  const said = words.home;
  const steps = account.goLive ?? [];
  return (
    <>
      <PageHead title={account.name} lead={said.lead} />
      <Notice account={account} />
      <div className="stack">
        {account.wallets?.length ? (
          <div className="columns wallets">
            {account.wallets.map((wallet) => (
              <Wallet key={wallet.id} wallet={wallet} />
            ))}
          </div>
        ) : null}
        {steps.every(({ doneAt }) => doneAt) ? null : (
          <Card
            title={said.steps}
            side={
              <Link to="/onboarding" className="button">
                {said.goOn}
              </Link>
            }
          >
            <Steps steps={steps} />
          </Card>
        )}
        <Card title={said.lastOrders}>
          <Orders
            orders={account.orders?.edges.map(({ node }) => node) ?? []}
            mayCall={useMay('createCredential') && account.onboardingStatus === 'APPROVED'}
          />
        </Card>
      </div>
    </>
  );
}

function Notice({ account }: { account: Account }): ReactNode {
  const said = words.home;
  const { onboardingStatus: status, suspendedAt, suspensionReason, rejectionReason } = account;
  if (suspendedAt)
    return (
      <section className="notice" role="alert">
        <h2>{said.suspended}</h2>
        <p>{suspensionReason}</p>
      </section>
    );
  if (status !== 'REJECTED' && status !== 'KYC_CHANGES_WANTED') return null;
  return (
    <section className={status === 'REJECTED' ? 'notice' : 'notice asks'} role="alert">
      <h2>{status === 'REJECTED' ? said.rejected : said.changes}</h2>
      <p>{rejectionReason}</p>
      <Link to="/onboarding">{said.mend}</Link>
    </section>
  );
}

export function Wallet({ wallet }: { wallet: NonNullable<Account['wallets']>[number] }): ReactNode {
  const said = words.home;
  const isLive = wallet.environment === 'PRODUCTION';
  return (
    <Card
      title={words.environments[wallet.environment]}
      edge={isLive ? 'live' : 'uat'}
      side={<Badge tone={isLive ? 'live' : 'good'}>{isLive ? said.live : said.play}</Badge>}
    >
      <p className="sum">{rupees(wallet.balance)}</p>
      {wallet.held ? <p className="quiet">{said.held(rupees(wallet.held))}</p> : null}
    </Card>
  );
}

type OrderRow = NonNullable<Account['orders']>['edges'][number]['node'];

function Orders({ orders, mayCall }: { orders: OrderRow[]; mayCall: boolean }): ReactNode {
  const said = words.home;
  if (orders.length === 0)
    return (
      <Empty
        action={
          mayCall ? (
            <Link to="/keys" className="button" data-kind="main">
              {said.firstCall}
            </Link>
          ) : undefined
        }
      >
        {said.noOrders}
      </Empty>
    );
  return (
    <TableBox label={said.lastOrders}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{said.accepted}</th>
            <th scope="col">{said.number}</th>
            <th scope="col">{said.operator}</th>
            <th scope="col">{said.state}</th>
            <th scope="col">{said.environment}</th>
            <th scope="col" className="amount">
              {said.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <td data-name={said.accepted}>
                <At at={order.createdAt} />
              </td>
              <td data-name={said.number}>
                <code>{order.accountNumber ?? order.card}</code>
              </td>
              <td data-name={said.operator}>{order.operator?.name ?? '–'}</td>
              <td data-name={said.state}>
                <OrderBadge status={order.status} />
              </td>
              <td data-name={said.environment}>
                {order.environment === 'PRODUCTION' ? (
                  <Badge tone="live">{words.environments.PRODUCTION}</Badge>
                ) : (
                  words.environments.UAT
                )}
              </td>
              <td className="amount" data-name={said.amount}>
                {rupees(order.amount)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
