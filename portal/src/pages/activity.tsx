import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActivitySearch } from '../audit-search.js';
import type { ActivityQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf } from '../list.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Badge, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { EntryDrawer } from './audit-entry.js';

const ACTIVITY = graphql(`
  query Activity($first: Int, $after: String, $last: Int, $before: String) {
    viewer {
      developer {
        id
        activity(first: $first, after: $after, last: $last, before: $before) {
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
            }
          }
        }
      }
    }
  }
`);

const said = words.activity;

/** What happened to one's own account, and who did it. */
export function Activity(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/activity' });
  const account = useViewer().developer;
  const [read, again] = useRead({ query: ACTIVITY, variables: pageOf(asked), pause: !account });
  if (!account) return <NotFound />;
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ viewer }) =>
          viewer?.developer?.activity ? <Table found={viewer.developer.activity} asked={asked} /> : null
        }
      </Loaded>
      <EntryDrawer title={said.title} asked={asked} />
    </>
  );
}

type Viewed = NonNullable<NonNullable<ActivityQuery['viewer']>['developer']>;
type Found = NonNullable<Viewed['activity']>;

function Table({ found, asked }: { found: Found; asked: ActivitySearch }): ReactNode {
  if (found.edges.length === 0) return <Empty>{said.none}</Empty>;
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
                  <span className="row">
                    <Link to="/activity" search={{ ...asked, entry: node.id }} data-row={node.id}>
                      {node.summary}
                    </Link>
                    <Where subject={node.subjectText} />
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

/** The environment stands in the name of what lies in one: its wallet, its webhook endpoints. */
function Where({ subject }: { subject: string }): ReactNode {
  const [, environment] = /^developer:[^/]+\/(uat|production)(?:\/|$)/.exec(subject) ?? [];
  if (environment === undefined) return null;
  return environment === 'production' ? (
    <Badge tone="live">{words.environments.PRODUCTION}</Badge>
  ) : (
    <Badge tone="quiet">{words.environments.UAT}</Badge>
  );
}
