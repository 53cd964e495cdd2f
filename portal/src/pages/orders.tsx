import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.js';
import { FileLinks } from '../file-link.js';
import type { Environment, OrderKind, OrderStatus, OrdersQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, SearchBox, Select, ShowAll, useFilter } from '../list.js';
import { Loaded, useRefetchEvery, useRefetchOnRevisit } from '../loaded.js';
import { providersOf } from '../order-providers.js';
import { type OrderSearch, orderFilter, orderProblem } from '../order-search.js';
import { Button, Empty, PageHead, Timestamp, useTitle } from '../parts.js';
import { isStaff, useViewer } from '../people.js';
import { daysOf, FilterInput, MAX_DAYS, RANGE_KEYS, Range } from '../range.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { OrderDrawer } from './order-drawer.js';
import { NoOrders, OrderTable } from './order-table.js';

const ORDERS = graphql(`
  query Orders($first: Int, $after: String, $last: Int, $before: String, $filter: ConsoleOrderFilter, $staff: Boolean!) {
    orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      searchedFrom
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
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
          provider @include(if: $staff)
          developer @include(if: $staff) {
            id
            name
          }
        }
      }
    }
  }
`);

const OPERATORS = graphql(`
  query Operators {
    operators {
      id
      name
      spKey
    }
  }
`);

const said = words.transactions;
/** What of an address leaves orders out, but for its days. */
const SIFTS = ['reference', 'status', 'kind', 'operator', 'provider', 'reason', 'min', 'max'] as const;
/** How soon the list is read again for pending and new orders. */
const PENDING_MS = 5_000;
const NEW_MS = 15_000;
const STATES = Object.keys(words.orders) as OrderStatus[];
const KINDS = Object.keys(words.orderKinds) as OrderKind[];
const REASONS = Object.entries(words.declines).map(([reason, { short }]) => [reason, short] as const);

export function Orders(): ReactNode {
  const staff = isStaff(useViewer());
  const title = staff ? said.staffTitle : said.title;
  useTitle(title);
  const environment = useEnvironment();
  const search = useSearch({ from: '/framed/orders' });
  // who performs orders is for staff alone to know
  const asked = staff ? search : { ...search, provider: undefined };
  const problem = orderProblem(asked);
  const variables = { ...pageOf(asked), filter: { ...orderFilter(asked), environment }, staff };
  const [read, again] = useRead({ query: ORDERS, variables, pause: problem !== undefined });
  const found = read.data?.orders;
  const isPending = found?.edges.some(({ node }) => node.status === 'PENDING');
  const { after, before } = asked;
  const isNewest = after === undefined && before === undefined;
  // a page that looked far back for few orders is dear: it is read once more for whoever asks
  const isCheap = found ? !found.searchedFrom : false;
  useRefetchEvery(
    [read, again],
    isPending ? PENDING_MS : NEW_MS,
    problem === undefined && isCheap && (isPending || isNewest),
  );
  useRefetchOnRevisit(again, asked);
  const filter = useFilter();
  return (
    <>
      <PageHead
        title={title}
        lead={staff ? (asked.developer === undefined ? said.staffLead : said.ofOneLead) : said.lead}
      >
        {asked.reference === undefined && problem === undefined ? (
          <Download asked={asked} environment={environment} />
        ) : null}
      </PageHead>
      <Filters asked={asked} environment={environment} staff={staff} />
      {problem === undefined ? (
        <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
          {({ orders }) => (orders ? <Found found={orders} asked={asked} staff={staff} /> : null)}
        </Loaded>
      ) : (
        <Empty action={<ShowAll without={[...RANGE_KEYS, 'min', 'max']} />}>{problem}</Empty>
      )}
      <OrderDrawer id={asked.order} onClose={() => filter({ order: undefined, after, before })} />
    </>
  );
}

function Download({ asked, environment }: { asked: OrderSearch; environment: Environment }): ReactNode {
  const given = { ...orderFilter(asked), ...daysOf(asked), environment };
  return <FileLinks path="/orders" parameters={given} title={said.fileHint} />;
}

function Filters({
  asked,
  environment,
  staff,
}: {
  asked: OrderSearch;
  environment: Environment;
  staff: boolean;
}): ReactNode {
  const filter = useFilter();
  return (
    <search className="filters">
      <SearchBox value={asked.reference} name="reference" label={said.search} placeholder={said.searchPlaceholder} />
      {asked.reference === undefined ? (
        <>
          <Range asked={asked} />
          <div className="chips" role="group" aria-label={said.states}>
            {STATES.map((one) => (
              <Chip
                key={one}
                on={asked.status === one}
                toggle={() => filter({ status: asked.status === one ? undefined : one })}
              >
                {words.orders[one]}
              </Chip>
            ))}
          </div>
          <div className="chips" role="group" aria-label={said.kinds}>
            {KINDS.map((one) => (
              <Chip
                key={one}
                on={asked.kind === one}
                toggle={() => filter({ kind: asked.kind === one ? undefined : one })}
              >
                {words.orderKinds[one]}
              </Chip>
            ))}
          </div>
          {asked.kind === 'CARD_PAYMENT' ? null : <OfOperator asked={asked.operator} />}
          {staff ? (
            <Select
              name="provider"
              label={said.provider}
              emptyLabel={said.anyProvider}
              selected={asked.provider}
              choices={providersOf(asked, environment).map((one) => [one, words.providerNames[one]])}
            />
          ) : null}
          <Select
            name="reason"
            label={said.reason}
            emptyLabel={said.allReasons}
            selected={asked.reason}
            choices={REASONS}
          />
          <span className="pair">
            <FilterInput name="min" label={said.min} type="number" value={asked.min} />
            <FilterInput name="max" label={said.max} type="number" value={asked.max} />
          </span>
        </>
      ) : null}
      {asked.developer === undefined ? null : (
        <Chip on toggle={() => filter({ developer: undefined })}>
          {said.ofOne}
        </Chip>
      )}
    </search>
  );
}

/** One that has no name, or whose name was not read, is still said to be chosen. */
function OfOperator({ asked }: { asked: number | undefined }): ReactNode {
  const [{ data }] = useRead({ query: OPERATORS, requestPolicy: 'cache-first' });
  const named = (data?.operators ?? []).map(({ spKey, name }) => [String(spKey), name] as const);
  const key = asked === undefined ? undefined : String(asked);
  const isNamed = key === undefined || named.some(([one]) => one === key);
  const choices = isNamed ? named : [...named, [key, said.operatorOfKey(key)] as const];
  return (
    <Select name="operator" label={said.operator} emptyLabel={said.anyOperator} selected={key} choices={choices} />
  );
}

type Page = NonNullable<OrdersQuery['orders']>;

function Found({ found, asked, staff }: { found: Page; asked: OrderSearch; staff: boolean }): ReactNode {
  if (found.edges.length === 0) return <None found={found} asked={asked} staff={staff} />;
  return (
    <>
      <OrderTable label={said.title} orders={found.edges.map(({ node }) => node)} open={asked.order} staff={staff} />
      {found.searchedFrom ? (
        <p className="quiet small">
          <SearchedFrom found={found} />
        </p>
      ) : null}
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

const SearchedFrom = ({ found: { searchedFrom } }: { found: Page }): ReactNode =>
  searchedFrom ? (
    <span>
      {said.searchedFrom} <Timestamp at={searchedFrom} />
    </span>
  ) : null;

/** No row: the way to others, or to a first one where the account has none at all. */
function None({ found, asked, staff }: { found: Page; asked: OrderSearch; staff: boolean }): ReactNode {
  const isPlain = SIFTS.every((name) => asked[name] === undefined) && asked.after === undefined;
  const filter = { environment: useEnvironment() };
  const pause = staff || !isPlain;
  const [any, again] = useRead({ query: ORDERS, variables: { first: 1, filter, staff }, pause });
  const others = (
    <Empty
      action={
        <span className="row">
          <Further found={found} asked={asked} />
          <ShowAll without={SIFTS} />
          <Longer asked={asked} />
        </span>
      }
    >
      {noneOf(found, asked, isPlain)} <SearchedFrom found={found} />
    </Empty>
  );
  if (pause) return others;
  return (
    <Loaded read={any} retry={() => again({ requestPolicy: 'network-only' })}>
      {({ orders }) => (orders?.edges.length === 0 ? <NoOrders /> : others)}
    </Loaded>
  );
}

/** A page looks at so many orders and no more: an empty one may be followed by others, or follow them. */
function noneOf({ pageInfo }: Page, { reference, after }: OrderSearch, isPlain: boolean): string {
  if (reference !== undefined) return said.noReference;
  if (pageInfo.hasNextPage) return said.noneSoFar;
  if (after !== undefined) return said.noneOlder;
  return isPlain ? said.noneOfDays : said.none;
}

/** A reference is looked for in all days already. */
function Longer({ asked: { reference, days } }: { asked: OrderSearch }): ReactNode {
  const filter = useFilter();
  if (reference !== undefined || days === MAX_DAYS) return null;
  return <Button onClick={() => filter({ days: MAX_DAYS, from: undefined, to: undefined })}>{said.longer}</Button>;
}

function Further({ found: { pageInfo }, asked }: { found: Page; asked: OrderSearch }): ReactNode {
  const filter = useFilter();
  return (
    <>
      {pageInfo.hasNextPage ? (
        <Button onClick={() => filter({ after: pageInfo.endCursor })}>{said.loadOlder}</Button>
      ) : null}
      {asked.after === undefined ? null : <Button onClick={() => filter({})}>{said.newest}</Button>}
    </>
  );
}
