import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type DeveloperSearch, developerVariables } from '../developer-search.js';
import { rupees } from '../format.js';
import type { DevelopersQuery, OnboardingStatus } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, SearchBox, Select, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { readsMoney, useViewer } from '../people.js';
import { FilterInput } from '../range.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const DEVELOPERS = graphql(`
  query Developers(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: DeveloperFilter
    $sort: DeveloperSort
    $money: Boolean!
  ) {
    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: $sort) {
      totalCount
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          name
          email
          onboardingStatus
          productionUnlocked
          suspendedAt
          closedAt
          rechargeProvider
          createdAt
          wallets @include(if: $money) {
            id
            environment
            balance
          }
        }
      }
    }
  }
`);

const said = words.developers;
const PROVIDERS = Object.entries(words.providers);
const SERVICES = Object.entries(words.services);
const SORTS = Object.entries(words.developerSorts);
/** What a reviewer does not see is no order of theirs either. */
const SORTS_OF_ALL = SORTS.filter(([sort]) => !['LAST_ORDER_DESC', 'PRODUCTION_BALANCE_ASC'].includes(sort));
const SHOWN: readonly OnboardingStatus[] = ['KYC_SUBMITTED', 'APPROVED', 'EMAIL_VERIFIED', 'REGISTERED', 'REJECTED'];

export function Developers(): ReactNode {
  useTitle(said.title);
  const money = readsMoney(useViewer());
  const asked = useSearch({ from: '/framed/developers' });
  const [read, again] = useRead({ query: DEVELOPERS, variables: { ...developerVariables(asked), money } });
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        <Link to="/access" className="button">
          {words.access.title}
        </Link>
      </PageHead>
      <Filters asked={asked} money={money} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ developers }) => (developers ? <Table found={developers} /> : null)}
      </Loaded>
    </>
  );
}

function Filters({ asked, money }: { asked: DeveloperSearch; money: boolean }): ReactNode {
  const filter = useFilter();
  const { search, status, live, asks, suspended, closed } = asked;
  return (
    <search className="filters">
      <SearchBox value={search} label={said.search} />
      <Select
        name="sort"
        label={said.sort}
        emptyLabel={said.newest}
        selected={asked.sort}
        choices={money ? SORTS : SORTS_OF_ALL}
      />
      <Select
        name="provider"
        label={said.provider}
        emptyLabel={said.anyProvider}
        selected={asked.provider}
        choices={PROVIDERS}
      />
      <Select
        name="service"
        label={said.service}
        emptyLabel={said.anyService}
        selected={asked.service}
        choices={SERVICES}
      />
      {money ? (
        <FilterInput name="below" label={said.below} fullLabel={said.belowWhole} type="number" value={asked.below} />
      ) : null}
      <div className="chips" role="group" aria-label={said.filters}>
        {SHOWN.map((one) => (
          <Chip key={one} on={status === one} toggle={() => filter({ status: status === one ? undefined : one })}>
            {words.statuses[one]}
          </Chip>
        ))}
        <Chip on={live === true} toggle={() => filter({ live: live ? undefined : true })}>
          {said.live}
        </Chip>
        <Chip on={asks === true} toggle={() => filter({ asks: asks ? undefined : true })}>
          {said.productionRequested}
        </Chip>
        <Chip on={suspended === true} toggle={() => filter({ suspended: suspended ? undefined : true })}>
          {said.suspended}
        </Chip>
        <Chip on={closed === true} toggle={() => filter({ closed: closed ? undefined : true })}>
          {said.closed}
        </Chip>
      </div>
    </search>
  );
}

type Found = NonNullable<DevelopersQuery['developers']>;
type Row = Found['edges'][number]['node'];

function Table({ found }: { found: Found }): ReactNode {
  if (found.edges.length === 0)
    return (
      <Empty
        action={
          <Link to="/developers" className="button">
            {said.clear}
          </Link>
        }
      >
        {said.none}
      </Empty>
    );
  return (
    <>
      <TableBox label={said.title}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{said.name}</th>
              <th scope="col">{said.state}</th>
              <th scope="col">{said.provider}</th>
              <th scope="col" className="amount">
                {said.uat}
              </th>
              <th scope="col" className="amount">
                {said.production}
              </th>
              <th scope="col">{said.since}</th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <DeveloperRow key={node.id} developer={node} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} total={found.totalCount} />
    </>
  );
}

const toneOf: Record<OnboardingStatus, 'good' | 'bad' | 'wait' | 'quiet'> = {
  REGISTERED: 'quiet',
  EMAIL_VERIFIED: 'quiet',
  KYC_SUBMITTED: 'wait',
  KYC_CHANGES_REQUESTED: 'quiet',
  APPROVED: 'good',
  REJECTED: 'bad',
};

/** How far an account is, and whether it spends real money. */
export const States = ({
  developer: { closedAt, suspendedAt, onboardingStatus, productionUnlocked },
}: {
  developer: Pick<Row, 'closedAt' | 'suspendedAt' | 'onboardingStatus' | 'productionUnlocked'>;
}): ReactNode => (
  <span className="row">
    {closedAt ? (
      <>
        <Badge tone="quiet">{said.closed}</Badge>
        <span className="quiet small">
          <Timestamp at={closedAt} />
        </span>
      </>
    ) : suspendedAt ? (
      <Badge tone="bad">{said.suspended}</Badge>
    ) : (
      <Badge tone={toneOf[onboardingStatus]}>{words.statuses[onboardingStatus]}</Badge>
    )}
    {productionUnlocked ? <Badge tone="live">{said.liveBadge}</Badge> : null}
  </span>
);

function DeveloperRow({ developer }: { developer: Row }): ReactNode {
  const balance = (environment: string): string => {
    const wallet = developer.wallets?.find((one) => one.environment === environment);
    return wallet ? rupees(wallet.balance) : '–';
  };
  return (
    <tr className="opens">
      <td className="name-cell">
        <Link to="/developers/$developerId" params={{ developerId: developer.id }} data-row={developer.id}>
          {developer.name}
        </Link>
        <span className="quiet small">{developer.email}</span>
      </td>
      <td data-name={said.state}>
        <States developer={developer} />
      </td>
      <td data-name={said.provider}>{words.providers[developer.rechargeProvider]}</td>
      <td className="amount" data-name={said.uat}>
        {balance('UAT')}
      </td>
      <td className="amount" data-name={said.production}>
        {balance('PRODUCTION')}
      </td>
      <td data-name={said.since}>
        <Timestamp at={developer.createdAt} />
      </td>
    </tr>
  );
}
