import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import type { Service } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, SearchBox } from '../list.js';
import { Loaded } from '../loaded.js';
import { Empty, PageHead, useTitle } from '../parts.js';
import { words } from '../words.js';
import { variablesOf } from './developers.js';
import { Toggle } from './toggle.js';

const ACCESS = graphql(`
  query Access($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter) {
    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: NAME_ASC) {
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
          services {
            service
            enabled
            fee
          }
        }
      }
    }
  }
`);

const said = words.access;
const SERVICES = Object.keys(words.services) as Service[];

/** Who is approved: before that nothing can be called. */
export function Access(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/access' });
  const [read, again] = useQuery({ query: ACCESS, variables: variablesOf({ ...asked, status: 'APPROVED' }) });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <search className="filters">
        <SearchBox asked={asked.search} label={said.search} />
      </search>
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ developers }) =>
          developers === null ? null : developers.edges.length === 0 ? (
            <Empty>{words.developers.none}</Empty>
          ) : (
            <>
              <div className="table-box">
                <table className="matrix cards">
                  <thead>
                    <tr>
                      <th scope="col">{words.developers.name}</th>
                      {SERVICES.map((service) => (
                        <th key={service} scope="col">
                          {words.services[service]}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {developers.edges.map(({ node }) => (
                      <tr key={node.id}>
                        <td className="name-cell">
                          <Link to="/developers/$developerId" params={{ developerId: node.id }}>
                            {node.name}
                          </Link>
                        </td>
                        {SERVICES.map((service) => {
                          const access = node.services?.find((one) => one.service === service);
                          return (
                            <td key={service} data-name={words.services[service]}>
                              {access ? <Toggle developer={node} access={access} /> : null}
                            </td>
                          );
                        })}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager page={developers.pageInfo} count={developers.edges.length} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
