import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AuditSearch, auditFilter } from '../audit-search.js';
import { actions, auditWords } from '../audit-words.js';
import type { AuditLogQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf, SearchBox, Select } from '../list.js';
import { Loaded } from '../loaded.js';
import { Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { useViewer } from '../people.js';
import { daysOf, Range } from '../range.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { EntryDrawer } from './audit-entry.js';

const AUDIT_LOG = graphql(`
  query AuditLog($first: Int, $after: String, $last: Int, $before: String, $filter: AuditFilter) {
    auditLog(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
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
          summary
          subjectText
          reason
          actor {
            name
          }
          subject {
            id
            ... on Developer {
              name
            }
            ... on User {
              name
            }
            ... on WhiteLabel {
              name
            }
            ... on Order {
              apiRequestId
            }
          }
        }
      }
    }
  }
`);
const said = words.audit;
const ACTIONS = actions.map((action) => [action, auditWords[action]] as const);

/** Everything that somebody did, newest first. */
export function Audit(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/audit' });
  const [read, again] = useRead({ query: AUDIT_LOG, variables: { ...pageOf(asked), filter: auditFilter(asked) } });
  // the file has what everybody did
  const canDownload = useViewer().user.role === 'ADMIN';
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        {canDownload ? (
          <a
            className="button"
            href={`/audit.jsonl?${new URLSearchParams({ ...daysOf(asked) })}`}
            download
            title={said.fileHint}
          >
            {said.download}
          </a>
        ) : null}
      </PageHead>
      <Filters asked={asked} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ auditLog }) => (auditLog ? <Table found={auditLog} asked={asked} /> : null)}
      </Loaded>
      <EntryDrawer title={said.title} asked={asked} />
    </>
  );
}

function Filters({ asked }: { asked: AuditSearch }): ReactNode {
  return (
    <search className="filters">
      <SearchBox value={asked.subject} name="subject" label={said.subject} />
      <SearchBox value={asked.actor} name="actor" label={said.actor} />
      <SearchBox value={asked.request} name="request" label={said.request} />
      <Select
        name="action"
        label={said.action}
        emptyLabel={said.allActions}
        selected={asked.action}
        choices={ACTIONS}
        extraFilters={{ entry: undefined }}
      />
      {asked.request === undefined ? <Range asked={asked} /> : null}
    </search>
  );
}

type Found = NonNullable<AuditLogQuery['auditLog']>;
type Node = Found['edges'][number]['node'];

/** Name of the subject, or the text of the audit log for a subject without a name. */
function About({ subject, text }: { subject: Node['subject']; text: string }): ReactNode {
  if (subject && 'name' in subject) return subject.name;
  if (subject && 'apiRequestId' in subject)
    return (
      <>
        {said.order} <code>{subject.apiRequestId}</code>
      </>
    );
  return <code>{text}</code>;
}

function Table({ found, asked }: { found: Found; asked: AuditSearch }): ReactNode {
  if (found.edges.length === 0)
    return (
      <Empty
        action={
          <Link to="/audit" search={{ days: 92 }} className="button">
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
              <th scope="col">{said.what}</th>
              <th scope="col">{said.by}</th>
              <th scope="col">{said.at}</th>
              <th scope="col">{said.why}</th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <tr key={node.id} className="opens" data-open={node.id === asked.entry || undefined}>
                <td className="name-cell">
                  <Link to="/audit" search={{ ...asked, entry: node.id }} data-row={node.id}>
                    {node.summary}
                  </Link>
                  <span className="quiet small break">
                    <About subject={node.subject} text={node.subjectText} />
                  </span>
                </td>
                <td data-name={said.by}>{node.actor.name}</td>
                <td data-name={said.at}>
                  <Timestamp at={node.at} />
                </td>
                <td className={node.reason ? undefined : 'nothing'} data-name={said.why}>
                  {node.reason ?? '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}
