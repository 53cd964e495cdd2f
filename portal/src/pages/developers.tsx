import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { rupees } from '../format.js';
import type { DevelopersQuery, OnboardingStatus } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { At, Badge, Button, Empty, PageHead, useTitle } from '../parts.js';
import { readsMoney, useViewer } from '../people.js';
import type { DeveloperSearch } from '../router.js';
import { words } from '../words.js';

const DEVELOPERS = graphql(`
  query Developers($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter, $money: Boolean!) {
    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
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
const ON_PAGE = 20;
const SHOWN: readonly OnboardingStatus[] = ['KYC_SUBMITTED', 'APPROVED', 'EMAIL_VERIFIED', 'REGISTERED', 'REJECTED'];

/** What the address asks for, as the list takes it. */
export function variablesOf({ after, before, search, status, live, suspended }: DeveloperSearch) {
  return {
    ...(before === undefined ? { first: ON_PAGE, after } : { last: ON_PAGE, before }),
    filter: { search, status, productionUnlocked: live, suspended },
  };
}

export function Developers(): ReactNode {
  useTitle(said.title);
  const money = readsMoney(useViewer());
  const asked = useSearch({ from: '/framed/developers' });
  const [read, again] = useQuery({ query: DEVELOPERS, variables: { ...variablesOf(asked), money } });
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        <Link to="/access" className="button">
          {words.access.title}
        </Link>
      </PageHead>
      <Filters asked={asked} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ developers }) => (developers ? <Table found={developers} /> : null)}
      </Loaded>
    </>
  );
}

const TYPED_MS = 250;

/** The text that is looked for stands in the address once the person stops typing. */
export function SearchBox({
  asked,
  label,
  to,
}: {
  asked: DeveloperSearch;
  label: string;
  to: '/developers' | '/access';
}): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(asked.search ?? '');
  useEffect(() => {
    if (text === (asked.search ?? '')) return;
    const timer = setTimeout(() => {
      const { search: _, after: __, before: ___, ...rest } = asked;
      void navigate({ to, search: { ...rest, ...(text ? { search: text } : {}) }, replace: true });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, asked, navigate, to]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

function Filters({ asked }: { asked: DeveloperSearch }): ReactNode {
  const navigate = useNavigate();
  const { after: _, before: __, ...filters } = asked;
  const show = (search: DeveloperSearch): void => void navigate({ to: '/developers', search });
  const { status, live, suspended, ...rest } = filters;
  return (
    <search className="filters">
      <SearchBox asked={asked} label={said.search} to="/developers" />
      <div className="chips" role="group" aria-label={said.filters}>
        {SHOWN.map((one) => (
          <Chip key={one} on={status === one} toggle={() => show(status === one ? rest : { ...rest, status: one })}>
            {words.statuses[one]}
          </Chip>
        ))}
        <Chip on={live === true} toggle={() => show(live ? rest : { ...rest, live: true })}>
          {said.live}
        </Chip>
        <Chip on={suspended === true} toggle={() => show(suspended ? rest : { ...rest, suspended: true })}>
          {said.suspended}
        </Chip>
      </div>
    </search>
  );
}

const Chip = ({ on, toggle, children }: { on: boolean; toggle: () => void; children: ReactNode }): ReactNode => (
  <button type="button" className="chip" aria-pressed={on} onClick={toggle}>
    {children}
  </button>
);

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
      <div className="table-box">
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
      </div>
      <Pager page={found.pageInfo} count={found.edges.length} total={found.totalCount} to="/developers" />
    </>
  );
}

const toneOf: Record<OnboardingStatus, 'good' | 'bad' | 'wait' | 'quiet'> = {
  REGISTERED: 'quiet',
  EMAIL_VERIFIED: 'quiet',
  KYC_SUBMITTED: 'wait',
  APPROVED: 'good',
  REJECTED: 'bad',
};

/** How far an account is, and whether it spends real money. */
export const States = ({
  developer: { suspendedAt, onboardingStatus, productionUnlocked },
}: {
  developer: Pick<Row, 'suspendedAt' | 'onboardingStatus' | 'productionUnlocked'>;
}): ReactNode => (
  <span className="row">
    {suspendedAt ? (
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
    <tr>
      <td className="name-cell">
        <Link to="/developers/$developerId" params={{ developerId: developer.id }}>
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
        <At at={developer.createdAt} />
      </td>
    </tr>
  );
}

/** By cursor: where new rows come in, a page stays where it was. */
export function Pager({
  page,
  count,
  total,
  to,
}: {
  page: Found['pageInfo'];
  count: number;
  total?: number | null;
  to: '/developers' | '/access';
}): ReactNode {
  const navigate = useNavigate();
  const go = (where: DeveloperSearch): void =>
    void navigate({ to, search: ({ after: _, before: __, ...rest }: DeveloperSearch) => ({ ...rest, ...where }) });
  return (
    <div className="pager">
      <span className="quiet small">
        {words.common.onPage(count)}
        {typeof total === 'number' ? ` · ${words.common.of(total)}` : null}
      </span>
      <Button disabled={!page.hasPreviousPage} onClick={() => go({ before: page.startCursor! })}>
        {words.common.previous}
      </Button>
      <Button disabled={!page.hasNextPage} onClick={() => go({ after: page.endCursor! })}>
        {words.common.next}
      </Button>
    </div>
  );
}
