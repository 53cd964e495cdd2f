import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dayText, rupees } from '../format.js';
import type { StatementQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf, ShowAll } from '../list.js';
import { Loaded } from '../loaded.js';
import { Empty, TableBox, Timestamp } from '../parts.js';
import { daysOf, instantsOf, RANGE_KEYS } from '../range.js';
import { useRead } from '../read.js';
import type { WalletSearch } from '../wallet-search.js';
import { words } from '../words.js';

const STATEMENT = graphql(`
  query Statement(
    $id: ID!
    $first: Int
    $after: String
    $last: Int
    $before: String
    $from: DateTime
    $to: DateTime
    $kinds: [StatementKind!]
    $reference: String
  ) {
    node(id: $id) {
      ... on Wallet {
        id
        statement(
          first: $first
          after: $after
          last: $last
          before: $before
          from: $from
          to: $to
          kinds: $kinds
          reference: $reference
        ) {
          pageInfo {
            startCursor
            endCursor
            hasNextPage
            hasPreviousPage
          }
          edges {
            node {
              id
              at
              kind
              amount
              balanceAfter
              reference
              order {
                id
                kind
                status
              }
            }
          }
        }
      }
    }
  }
`);
const DAYS = graphql(`
  query WalletDays($id: ID!, $from: Date!, $to: Date!) {
    node(id: $id) {
      ... on Wallet {
        id
        days(from: $from, to: $to) {
          date
          opening
          credits
          debits
          closing
        }
      }
    }
  }
`);

const said = words.wallet;

/** What moved a wallet, newest first. A reference is exact, so it needs no range. */
export function Statement({ walletId, asked }: { walletId: string; asked: WalletSearch }): ReactNode {
  const { reference, kind } = asked;
  const range = reference === undefined ? instantsOf(asked) : { reference };
  const variables = { id: walletId, ...pageOf(asked), ...range, kinds: kind && [kind] };
  const [read, again] = useRead({ query: STATEMENT, variables });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
      {({ node }) =>
        node && 'statement' in node && node.statement ? <Lines found={node.statement} open={asked.order} /> : null
      }
    </Loaded>
  );
}

type Wallet = Extract<NonNullable<StatementQuery['node']>, { statement?: unknown }>;
type Found = NonNullable<Wallet['statement']>;
type Line = Found['edges'][number]['node'];

function Lines({ found, open }: { found: Found; open: string | undefined }): ReactNode {
  if (found.edges.length === 0)
    return <Empty action={<ShowAll without={['reference', 'kind', ...RANGE_KEYS]} />}>{said.none}</Empty>;
  return (
    <>
      <TableBox label={said.title}>
        <table className="cards two-lines">
          <thead>
            <tr>
              <th scope="col">{said.at}</th>
              <th scope="col">{said.line}</th>
              <th scope="col">{said.reference}</th>
              <th scope="col" className="amount">
                {said.amount}
              </th>
              <th scope="col" className="amount">
                {said.balance}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <LineRow key={node.id} line={node} isOpen={node.order?.id === open && open !== undefined} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

function LineRow({ line, isOpen }: { line: Line; isOpen: boolean }): ReactNode {
  const { order } = line;
  const reference = <code>{line.reference}</code>;
  return (
    <tr className={order ? 'opens' : undefined} data-open={isOpen || undefined}>
      <td className="second last">
        <Timestamp at={line.at} />
      </td>
      <td>{words.entryText(line.kind, order)}</td>
      <td className="second">
        {order ? (
          <Link
            to="."
            search={(shown: object) => ({ ...shown, order: order.id }) as never}
            className="opener"
            data-row={order.id}
            aria-haspopup="dialog"
          >
            {reference}
          </Link>
        ) : (
          reference
        )}
      </td>
      <td className="amount last">{rupees(line.amount)}</td>
      <td className="amount quiet wide">{rupees(line.balanceAfter)}</td>
    </tr>
  );
}

/** Opening + credits − debits = closing, of each day; the newest first. */
export function Days({ walletId, asked }: { walletId: string; asked: WalletSearch }): ReactNode {
  const [read, again] = useRead({ query: DAYS, variables: { id: walletId, ...daysOf(asked) } });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={7}>
      {({ node }) => (node && 'days' in node && node.days ? <DayTable days={node.days.toReversed()} /> : null)}
    </Loaded>
  );
}

interface Day {
  date: string;
  opening: number;
  credits: number;
  debits: number;
  closing: number;
}

const DayTable = ({ days }: { days: readonly Day[] }): ReactNode =>
  days.length === 0 ? (
    <Empty action={<ShowAll without={['reference', 'kind', ...RANGE_KEYS]} />}>{said.none}</Empty>
  ) : (
    <TableBox label={said.title}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{said.day}</th>
            {[said.opening, said.credits, said.debits, said.closing].map((name) => (
              <th key={name} scope="col" className="amount">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, opening, credits, debits, closing }) => (
            <tr key={date}>
              <td className="name-cell">{dayText(date)}</td>
              <td className="amount" data-name={said.opening}>
                {rupees(opening)}
              </td>
              <td className="amount" data-name={said.credits}>
                {credits === 0 ? '–' : `+${rupees(credits)}`}
              </td>
              <td className="amount" data-name={said.debits}>
                {debits === 0 ? '–' : rupees(-debits)}
              </td>
              <td className="amount" data-name={said.closing}>
                <strong>{rupees(closing)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
