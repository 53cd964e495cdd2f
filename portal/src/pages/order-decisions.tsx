import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditWords } from '../audit-words.js';
import type { OrderQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Timestamp } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const DECISIONS = graphql(`
  query OrderDecisions($id: ID!) {
    auditLog(
      first: 5
      filter: { subjectId: $id, action: [ORDER_RESOLVE, ORDER_CONFIRM, ORDER_REVERSE, ORDER_REVERSE_REFUND] }
    ) {
      edges {
        node {
          id
          action
          at
          actor {
            name
          }
        }
      }
    }
  }
`);
type Happened = NonNullable<NonNullable<OrderQuery['order']>['timeline']>;

const isDecision = ({ kind }: Happened[number]): boolean => kind === 'RESOLUTION';

/** Whether a person took the success back: the decision and the money are of one transaction. */
export const reversedByPerson = (timeline: Happened): boolean => {
  const reversal = timeline.findLast(({ kind }) => kind === 'REVERSAL');
  return timeline.some((event) => isDecision(event) && event.at === reversal?.at);
};

/** Who decided about an order, each with the entry of the audit log. */
export function OrderDecisions({ id, timeline }: { id: string; timeline: Happened | null }): ReactNode {
  const canRead = usePermission('auditLog');
  return canRead && timeline?.some(isDecision) ? <Decisions id={id} /> : null;
}

function Decisions({ id }: { id: string }): ReactNode {
  const [read, again] = useRead({ query: DECISIONS, variables: { id } });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={1}>
      {({ auditLog }) => (
        <ul className="list">
          {auditLog?.edges.map(({ node }) => (
            <li key={node.id}>
              <div>
                <Link to="/audit" search={{ subject: id, days: 92, entry: node.id }}>
                  {auditWords[node.action]}
                </Link>
                <p className="quiet small">
                  {words.order.resolvedBy(node.actor.name)}, <Timestamp at={node.at} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
