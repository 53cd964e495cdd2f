import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.js';
import { rupees } from '../format.js';
import type { HomeQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Badge, Card, PageHead, useTitle } from '../parts.js';
import { isStaff, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { OrderDrawer } from './order-drawer.js';
import { NoOrders, OrderTable } from './order-table.js';
import { Steps } from './steps.js';
import { WorkList } from './work.js';

const HOME = graphql(`
  query Home($environment: Environment!, $builds: Boolean!) {
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
        orders(first: 5, filter: { environment: $environment }) {
          edges {
            node {
              id
              createdAt
              kind
              status
              amount
              environment
              accountNumber
              card
              operator {
                id
                name
              }
              decline {
                reason
              }
            }
          }
        }
        goLive {
          step
          completedAt
          isInReview
        }
        credentials @include(if: $builds) {
          id
          clientId
          environment
          label
          lastUsedAt
          expiresAt
          revokedAt
        }
      }
    }
    webhookEndpoints @include(if: $builds) {
      id
      url
      environment
      disabledAt
      disabledReason
    }
  }
`);
export function Home(): ReactNode {
  return isStaff(useViewer()) ? <WorkList /> : <DeveloperHome />;
}

type Account = NonNullable<NonNullable<HomeQuery['viewer']>['developer']>;
type Endpoints = NonNullable<HomeQuery['webhookEndpoints']>;

function DeveloperHome(): ReactNode {
  useTitle(words.nav.home);
  const variables = { environment: useEnvironment(), builds: usePermission('createCredential') };
  const [read, again] = useRead({ query: HOME, variables });
  const { order } = useSearch({ from: '/framed/' });
  const navigate = useNavigate();
  return (
    <>
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {({ viewer, webhookEndpoints }) =>
          viewer?.developer ? (
            <AccountHome account={viewer.developer} endpoints={webhookEndpoints ?? []} open={order} />
          ) : null
        }
      </Loaded>
      <OrderDrawer id={order} onClose={() => void navigate({ to: '/' })} />
    </>
  );
}

function AccountHome({
  account,
  endpoints,
  open,
}: {
  account: Account;
  endpoints: Endpoints;
  open: string | undefined;
}): ReactNode {
  const said = words.home;
  const steps = account.goLive ?? [];
  const orders = account.orders?.edges.map(({ node }) => node) ?? [];
  return (
    <>
      <PageHead title={account.name} lead={said.lead} />
      <Notice account={account} />
      <div className="stack">
        {account.wallets?.length ? (
          <div className="columns wallets">
            {account.wallets.map((wallet) => (
              <Wallet key={wallet.id} wallet={wallet} leadsOn />
            ))}
          </div>
        ) : null}
        {steps.every(({ completedAt }) => completedAt) ? null : (
          <Card
            title={said.steps}
            side={
              <Link to="/onboarding" className="button">
                {said.continueOnboarding}
              </Link>
            }
          >
            <Steps steps={steps} />
          </Card>
        )}
        <Asks keys={account.credentials ?? []} endpoints={endpoints} />
        <Card
          title={said.lastOrders}
          side={
            orders.length === 0 ? null : (
              <Link to="/orders" search={{}} className="button">
                {said.allOrders}
              </Link>
            )
          }
        >
          {orders.length === 0 ? <NoOrders /> : <OrderTable label={said.lastOrders} orders={orders} open={open} />}
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
  if (status !== 'REJECTED' && status !== 'KYC_CHANGES_REQUESTED') return null;
  return (
    <section className={status === 'REJECTED' ? 'notice' : 'notice asks'} role="alert">
      <h2>{status === 'REJECTED' ? said.rejected : said.changesRequested}</h2>
      <p>{rejectionReason}</p>
      <Link to="/onboarding">{said.resubmit}</Link>
    </section>
  );
}

/** What somebody who builds can mend: keys that nothing uses, and endpoints that we had to switch off. */
function Asks({ keys, endpoints }: { keys: NonNullable<Account['credentials']>; endpoints: Endpoints }): ReactNode {
  const said = words.home;
  const unused = keys.filter(
    ({ lastUsedAt, revokedAt, expiresAt }) =>
      !lastUsedAt && !revokedAt && !(expiresAt && Date.parse(expiresAt) < Date.now()),
  );
  const off = endpoints.filter(({ disabledReason }) => disabledReason && disabledReason !== 'REQUEST');
  if (unused.length + off.length === 0) return null;
  return (
    <Card title={said.actionRequired}>
      <ul className="list">
        {off.map(({ id, url, environment, disabledReason }) => (
          <li key={id}>
            <div>{said.endpointOff(url, words.webhookDisabledReasons[disabledReason!])}</div>
            <Link to="/webhooks" search={{ environment }} className="button">
              {said.endpoint}
            </Link>
          </li>
        ))}
        {unused.map(({ id, label, clientId, environment }) => (
          <li key={id}>
            <div>{said.unused(label ?? clientId, words.environments[environment])}</div>
            <Link to="/keys" className="button">
              {said.firstCall}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function Wallet({
  wallet,
  leadsOn = false,
}: {
  wallet: NonNullable<Account['wallets']>[number];
  /** To its statement. */
  leadsOn?: boolean;
}): ReactNode {
  const said = words.home;
  const { environment } = wallet;
  const isLive = environment === 'PRODUCTION';
  const name = words.environments[environment];
  return (
    <Card
      title={
        leadsOn ? (
          <Link to="/wallet" search={{ environment }} className="whole">
            {name}
          </Link>
        ) : (
          name
        )
      }
      edge={isLive ? 'live' : 'uat'}
      side={<Badge tone={isLive ? 'live' : 'good'}>{isLive ? said.live : said.testFunds}</Badge>}
    >
      <p className="sum">{rupees(wallet.balance)}</p>
      {wallet.held ? <p className="quiet">{said.held(rupees(wallet.held))}</p> : null}
    </Card>
  );
}
