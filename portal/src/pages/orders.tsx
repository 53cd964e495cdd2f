import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.js';
import { rupees } from '../format.js';
import type { Environment, OrderKind, OrderStatus, OrdersQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, SearchBox, Select, ShowAll, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { type OrderSearch, orderFilter, orderProblem } from '../order-search.js';
import { At, Button, Empty, OrderBadge, PageHead, TableBox, useTitle } from '../parts.js';
import { isStaff, useViewer } from '../people.js';
import { performersOf } from '../performers.js';
import { daysOf, RANGE, Range, Typed } from '../range.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { OrderDrawer } from './order-drawer.js';

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
  const filter = useFilter();
  const { after, before } = asked;
  return (
    <>
      <PageHead
        title={title}
        lead={staff ? (asked.developer === undefined ? said.staffLead : said.ofOneLead) : said.lead}
      >
        <Download asked={asked} environment={environment} />
      </PageHead>
      <Filters asked={asked} environment={environment} staff={staff} />
      {problem === undefined ? (
        <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
          {({ orders }) => (orders ? <Found found={orders} asked={asked} staff={staff} /> : null)}
        </Loaded>
      ) : (
        <Empty action={<ShowAll without={[...RANGE, 'min', 'max']} />}>{problem}</Empty>
      )}
      <OrderDrawer id={asked.order} onClose={() => filter({ order: undefined, after, before })} />
    </>
  );
}

/** The file has all payments of the days: what else is sifted on this page does not count there. */
function Download({ asked, environment }: { asked: OrderSearch; environment: Environment }): ReactNode {
  const query = new URLSearchParams({ ...daysOf(asked), environment: environment.toLowerCase() });
  if (asked.developer !== undefined) query.set('developerId', asked.developer);
  return (
    <a className="button" href={`/orders.csv?${query}`} download title={said.fileHint}>
      {words.common.csv}
    </a>
  );
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
      <SearchBox asked={asked.reference} name="reference" label={said.search} />
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
              none={said.anyProvider}
              asked={asked.provider}
              choices={performersOf(asked, environment).map((one) => [one, words.performers[one]])}
            />
          ) : null}
          <Select name="reason" label={said.reason} none={said.allReasons} asked={asked.reason} choices={REASONS} />
          <span className="pair">
            <Typed name="min" label={said.min} type="number" value={asked.min} />
            <Typed name="max" label={said.max} type="number" value={asked.max} />
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
  return <Select name="operator" label={said.operator} none={said.anyOperator} asked={key} choices={choices} />;
}

type Page = NonNullable<OrdersQuery['orders']>;
type Row = Page['edges'][number]['node'];

function Found({ found, asked, staff }: { found: Page; asked: OrderSearch; staff: boolean }): ReactNode {
  const { order } = asked;
  if (found.edges.length === 0)
    return (
      <Empty
        action={
          <span className="row">
            <Further found={found} asked={asked} />
            <Link to="/orders" search={{}} className="button">
              {said.clear}
            </Link>
          </span>
        }
      >
        {noneOf(found, asked)} <SearchedFrom found={found} />
      </Empty>
    );
  return (
    <>
      <TableBox label={said.title}>
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
            {found.edges.map(({ node }) => (
              <OrderRow key={node.id} order={node} isOpen={node.id === order} staff={staff} />
            ))}
          </tbody>
        </table>
      </TableBox>
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
      {said.searchedFrom} <At at={searchedFrom} />
    </span>
  ) : null;

/** A page looks at so many orders and no more: an empty one may be followed by others, or follow them. */
function noneOf({ pageInfo }: Page, { reference, after }: OrderSearch): string {
  if (reference !== undefined) return said.noReference;
  if (pageInfo.hasNextPage) return said.noneSoFar;
  return after === undefined ? said.none : said.noneFurther;
}

function Further({ found: { pageInfo }, asked }: { found: Page; asked: OrderSearch }): ReactNode {
  const filter = useFilter();
  return (
    <>
      {pageInfo.hasNextPage ? (
        <Button onClick={() => filter({ after: pageInfo.endCursor })}>{said.further}</Button>
      ) : null}
      {asked.after === undefined ? null : <Button onClick={() => filter({})}>{said.newest}</Button>}
    </>
  );
}

/** Beside the state: what it means for whoever waits for the money. */
const meaningOf = ({ status, decline }: Row): string | undefined =>
  status === 'PENDING' ? said.held : decline ? words.declines[decline.reason].short : undefined;

function OrderRow({ order, isOpen, staff }: { order: Row; isOpen: boolean; staff: boolean }): ReactNode {
  const meaning = meaningOf(order);
  return (
    <tr className="opens" data-open={isOpen || undefined}>
      <td className="second last">
        <At at={order.createdAt} />
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
      {staff ? <td className="wide quiet">{order.provider ? words.performers[order.provider] : '–'}</td> : null}
      <td className="amount last">{rupees(order.amount)}</td>
    </tr>
  );
}
