import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { type AuditSearch, auditFilter } from '../audit-search.js';
import { actions, auditWords } from '../audit-words.js';
import { Changes } from '../changes.js';
import { Drawer } from '../drawer.js';
import type { AuditEntryQuery, AuditTrailQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf, SearchBox, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { At, Copy, Empty, PageHead, useTitle } from '../parts.js';
import { useViewer } from '../people.js';
import { daysOf, Range } from '../range.js';
import { useRows } from '../rows.js';
import { words } from '../words.js';

const TRAIL = graphql(`
  query AuditTrail($first: Int, $after: String, $last: Int, $before: String, $filter: AuditFilter) {
    auditTrail(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
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
          action
          subjectText
          reason
          actor {
            name
          }
        }
      }
    }
  }
`);
const ENTRY = graphql(`
  query AuditEntry($id: ID!) {
    node(id: $id) {
      ... on AuditEntry {
        id
        number
        at
        action
        subjectText
        reason
        requestId
        address
        actor {
          name
          user {
            id
            email
          }
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
        }
        changes {
          field
          before
          after
        }
      }
    }
  }
`);

const said = words.audit;

/** Everything that somebody did, newest first. */
export function Audit(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/audit' });
  const [read, again] = useQuery({ query: TRAIL, variables: { ...pageOf(asked), filter: auditFilter(asked) } });
  // the file has what everybody did
  const mayDownload = useViewer().user.role === 'ADMIN';
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        {mayDownload ? (
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
        {({ auditTrail }) => (auditTrail ? <Table found={auditTrail} asked={asked} /> : null)}
      </Loaded>
      <EntryDrawer asked={asked} />
    </>
  );
}

function Filters({ asked }: { asked: AuditSearch }): ReactNode {
  const filter = useFilter();
  return (
    <search className="filters">
      <SearchBox key={asked.subject} asked={asked.subject} name="subject" label={said.subject} />
      <SearchBox key={`by ${asked.actor}`} asked={asked.actor} name="actor" label={said.actor} />
      <SearchBox key={`in ${asked.request}`} asked={asked.request} name="request" label={said.request} />
      <select
        aria-label={said.action}
        value={asked.action ?? ''}
        onChange={({ target }) => filter({ action: target.value || undefined, entry: undefined })}
      >
        <option value="">{said.allActions}</option>
        {actions.map((one) => (
          <option key={one} value={one}>
            {auditWords[one]}
          </option>
        ))}
      </select>
      {asked.request === undefined ? <Range asked={asked} /> : null}
    </search>
  );
}

type Found = NonNullable<AuditTrailQuery['auditTrail']>;

function Table({ found, asked }: { found: Found; asked: AuditSearch }): ReactNode {
  const rows = useRows<HTMLDivElement>();
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
      <div className="table-box" ref={rows}>
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
              <tr key={node.id}>
                <td className="name-cell">
                  <Link to="/audit" search={{ ...asked, entry: node.id }} data-row>
                    {auditWords[node.action]}
                  </Link>
                  <span className="quiet small break">{node.subjectText}</span>
                </td>
                <td data-name={said.by}>{node.actor.name}</td>
                <td data-name={said.at}>
                  <At at={node.at} />
                </td>
                <td data-name={said.why}>{node.reason ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

type Node = NonNullable<AuditEntryQuery['node']>;
type Shown = Extract<Node, { requestId: string }>;
const isEntry = (node: Node | null | undefined): node is Shown => Boolean(node && 'requestId' in node);

function EntryDrawer({ asked: { entry: id, after, before } }: { asked: AuditSearch }): ReactNode {
  const filter = useFilter();
  const [read, again] = useQuery({ query: ENTRY, variables: { id: id ?? '' }, pause: id === undefined });
  const node = read.data?.node;
  const entry = isEntry(node) ? node : undefined;
  return (
    <Drawer
      title={entry ? auditWords[entry.action] : said.title}
      open={id !== undefined}
      onClose={() => filter({ entry: undefined, after, before })}
    >
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {() => (entry ? <Entry entry={entry} /> : <Empty>{said.missing}</Empty>)}
      </Loaded>
    </Drawer>
  );
}

function Entry({ entry }: { entry: Shown }): ReactNode {
  const { actor, subject, changes } = entry;
  const all = { days: 92 } as const;
  return (
    <>
      <dl className="facts">
        <dt>{said.at}</dt>
        <dd>
          <At at={entry.at} />
        </dd>
        <dt>{said.by}</dt>
        <dd>
          {actor.user ? (
            <Link to="/audit" search={{ ...all, actor: actor.user.id }} title={actor.user.email}>
              {actor.name}
            </Link>
          ) : (
            actor.name
          )}
        </dd>
        <dt>{said.about}</dt>
        <dd>
          <Subject subject={subject} /> <code>{entry.subjectText}</code>
          {subject ? (
            <p>
              <Link to="/audit" search={{ ...all, subject: subject.id }}>
                {said.everything}
              </Link>
            </p>
          ) : null}
        </dd>
        <dt>{said.why}</dt>
        <dd>{entry.reason ?? said.noReason}</dd>
        <dt>{said.from}</dt>
        <dd>{entry.address ?? '–'}</dd>
        <dt>{words.common.request}</dt>
        <dd className="row">
          <Link to="/audit" search={{ request: entry.requestId }}>
            <code>{entry.requestId}</code>
          </Link>
          <Copy text={entry.requestId} />
        </dd>
        <dt>{said.number}</dt>
        <dd>{entry.number}</dd>
      </dl>
      {changes.length ? (
        <Changes changes={changes} head={[words.changes.before, words.changes.after]} />
      ) : (
        <p className="quiet">{said.nothing}</p>
      )}
    </>
  );
}

/** The page of what it is about, where there is one: the beginning of an id says what it names. */
function Subject({ subject }: { subject: Shown['subject'] }): ReactNode {
  if (!subject) return null;
  const { id } = subject;
  const name = 'name' in subject ? subject.name : undefined;
  if (id.startsWith('dev_'))
    return (
      <Link to="/developers/$developerId" params={{ developerId: id }}>
        {name}
      </Link>
    );
  if (id.startsWith('ord_'))
    return (
      <Link to="/orders" search={{ order: id }}>
        {said.order}
      </Link>
    );
  return id.startsWith('wlb_') ? <Link to="/white-labels">{name}</Link> : name;
}
