import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AttemptSearch, attemptFilter } from '../attempt-search.js';
import type { FailedAttemptsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf, SearchBox, Select, ShowAll } from '../list.js';
import { Loaded } from '../loaded.js';
import { Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { personPage, usePermission } from '../people.js';
import { RANGE_KEYS, Range, rangeProblem } from '../range.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const ATTEMPTS = graphql(`
  query FailedAttempts($first: Int, $after: String, $last: Int, $before: String, $filter: SecurityEventFilter) {
    securityEvents(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          kind
          identifier
          address
          count
          at
          lastAt
          reason
          requestId
          user {
            id
            name
            developer {
              id
              name
            }
          }
        }
      }
    }
  }
`);

const said = words.failedAttempts;
type Found = NonNullable<FailedAttemptsQuery['securityEvents']>;
type Attempts = Found['edges'][number]['node'];

/** Who tries secrets that are not theirs: at which, from where and how often. */
export function FailedAttempts(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/attempts' });
  const problem = rangeProblem(asked);
  const variables = { ...pageOf(asked), filter: attemptFilter(asked) };
  const [read, again] = useRead({ query: ATTEMPTS, variables, pause: problem !== undefined });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Filters asked={asked} />
      {problem === undefined ? (
        <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={8}>
          {({ securityEvents }) => (securityEvents ? <Table found={securityEvents} asked={asked} /> : null)}
        </Loaded>
      ) : (
        <Empty action={<ShowAll without={RANGE_KEYS} />}>{problem}</Empty>
      )}
    </>
  );
}

function Filters({ asked }: { asked: AttemptSearch }): ReactNode {
  return (
    <search className="filters">
      <SearchBox value={asked.address} name="address" label={said.address} />
      <SearchBox value={asked.user} name="user" label={said.user} />
      <Select
        name="kind"
        label={said.kind}
        emptyLabel={said.allKinds}
        selected={asked.kind}
        choices={Object.entries(words.attempts)}
      />
      <Range asked={asked} />
    </search>
  );
}

function Table({ found, asked }: { found: Found; asked: AttemptSearch }): ReactNode {
  if (found.edges.length === 0)
    return (
      <Empty
        action={
          <Link to="/attempts" search={{ days: 92 }} className="button">
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
              <th scope="col">{said.kind}</th>
              <th scope="col">{said.whose}</th>
              <th scope="col">{said.from}</th>
              <th scope="col" className="amount">
                {said.count}
              </th>
              <th scope="col">{said.at}</th>
              <th scope="col">{said.request}</th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <Row key={`${node.requestId} ${node.kind} ${node.at}`} attempts={node} asked={asked} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

const Row = ({ attempts, asked }: { attempts: Attempts; asked: AttemptSearch }): ReactNode => (
  <tr>
    <td className="name-cell">
      <strong>{words.attempts[attempts.kind]}</strong>
      <span className="quiet small">{attempts.reason}</span>
    </td>
    <td className={attempts.user || attempts.identifier ? undefined : 'nothing'} data-name={said.whose}>
      <Whose attempts={attempts} />
    </td>
    <td data-name={said.from}>
      <Link
        to="/attempts"
        search={{ ...asked, after: undefined, before: undefined, address: attempts.address }}
        title={said.allFrom(attempts.address)}
        data-row={attempts.requestId}
      >
        {attempts.address}
      </Link>
    </td>
    <td className="amount" data-name={said.count}>
      {attempts.count}
    </td>
    <td data-name={said.at}>
      <Timestamp at={attempts.lastAt} />
    </td>
    <td data-name={said.request}>
      <code>{attempts.requestId}</code>
    </td>
  </tr>
);

/** A person, where there is one; else what was typed, masked. */
function Whose({ attempts: { user, identifier } }: { attempts: Attempts }): ReactNode {
  const canOpen = usePermission('users');
  if (!user) return identifier === null ? '–' : <code>{identifier}</code>;
  const name = user.developer ? said.of(user.name, user.developer.name) : user.name;
  return canOpen ? <Link {...personPage(user)}>{name}</Link> : name;
}
