import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditWords } from '../audit-words.js';
import { Changes } from '../changes.js';
import { Drawer } from '../drawer.js';
import type { AuditEntryQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { type PageSearch, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Copy, Empty, Timestamp } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const ENTRY = graphql(`
  query AuditEntry($id: ID!) {
    node(id: $id) {
      ... on AuditEntry {
        id
        number
        at
        action
        summary
        requestedBy {
          name
        }
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

type Node = NonNullable<AuditEntryQuery['node']>;
type Shown = Extract<Node, { requestId: string }>;
const isEntry = (node: Node | null | undefined): node is Shown => Boolean(node && 'requestId' in node);

/** One entry of the audit log beside its list: of all for staff, of their own account for others. */
export function EntryDrawer({
  title,
  asked: { entry: id, after, before },
}: {
  title: string;
  asked: PageSearch & { entry?: string | undefined };
}): ReactNode {
  const filter = useFilter();
  const [read, again] = useRead({ query: ENTRY, variables: { id: id ?? '' }, pause: id === undefined });
  const node = read.data?.node;
  const entry = isEntry(node) ? node : undefined;
  return (
    <Drawer
      title={entry ? auditWords[entry.action] : title}
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
  const { actor, subject } = entry;
  const approvalRequestId = entry.changes.find(({ field }) => field === 'approvalRequestId')?.after;
  // shown above, by name and as a link
  const changes = entry.changes.filter(({ field }) => !['approvalRequestId', 'requestedBy'].includes(field));
  const readsAll = usePermission('auditLog');
  const all = { days: 92 } as const;
  return (
    <>
      <dl className="facts">
        <dt>{said.at}</dt>
        <dd>
          <Timestamp at={entry.at} />
        </dd>
        <dt>{said.by}</dt>
        <dd>
          {actor.user && readsAll ? (
            <Link to="/audit" search={{ ...all, actor: actor.user.id }} title={actor.user.email}>
              {actor.name}
            </Link>
          ) : (
            actor.name
          )}
        </dd>
        {entry.requestedBy ? (
          <>
            <dt>{said.requestedBy}</dt>
            <dd>{entry.requestedBy.name}</dd>
          </>
        ) : null}
        {approvalRequestId && readsAll ? (
          <>
            <dt>{said.approvalRequest}</dt>
            <dd>
              <Link to="/approval-requests" search={{ approvalRequest: `apr_${approvalRequestId}` }}>
                {said.openApprovalRequest}
              </Link>
            </dd>
          </>
        ) : null}
        <dt>{said.about}</dt>
        <dd>
          <Subject subject={subject} readsAll={readsAll} /> {readsAll ? <code>{entry.subjectText}</code> : null}
          {subject && readsAll ? (
            <p>
              <Link to="/audit" search={{ ...all, subject: subject.id }}>
                {said.everything}
              </Link>
            </p>
          ) : null}
        </dd>
        <dt>{said.why}</dt>
        <dd>{entry.reason ?? (readsAll ? said.noReason : '–')}</dd>
        <dt>{said.from}</dt>
        <dd>{entry.address ?? '–'}</dd>
        <dt>{words.common.request}</dt>
        <dd className="row">
          {readsAll ? (
            <Link to="/audit" search={{ request: entry.requestId }}>
              <code>{entry.requestId}</code>
            </Link>
          ) : (
            <code>{entry.requestId}</code>
          )}
          <Copy text={entry.requestId} />
        </dd>
        {readsAll ? (
          <>
            <dt>{said.number}</dt>
            <dd>{entry.number}</dd>
          </>
        ) : null}
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
function Subject({ subject, readsAll }: { subject: Shown['subject']; readsAll: boolean }): ReactNode {
  if (!subject) return null;
  const { id } = subject;
  const name = 'name' in subject ? subject.name : undefined;
  if (id.startsWith('dev_') && readsAll)
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
