import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../graphql.js';
import { Pager, pageOf } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const QUEUE = graphql(`
  query KycQueue($first: Int, $after: String, $last: Int, $before: String) {
    developers(
      first: $first
      after: $after
      last: $last
      before: $before
      filter: { status: KYC_SUBMITTED, closed: false }
      sort: KYC_SUBMITTED_ASC
    ) {
      totalCount
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
          email
          kycSubmittedAt
          kycSummary {
            documents
            developersWithSamePan
          }
        }
      }
    }
  }
`);

const said = words.kyc;

/** Who waits for a decision, the longest wait first. */
export function KycQueue(): ReactNode {
  useTitle(said.title);
  const where = useSearch({ from: '/framed/kyc' });
  const [read, again] = useRead({ query: QUEUE, variables: pageOf(where) });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {({ developers }) => {
          const waiting = developers?.edges.map(({ node }) => node) ?? [];
          if (!developers || waiting.length === 0) return <Empty>{said.none}</Empty>;
          return (
            <>
              <TableBox label={said.title}>
                <table className="cards">
                  <thead>
                    <tr>
                      <th scope="col">{said.developer}</th>
                      <th scope="col">{said.since}</th>
                      <th scope="col">{said.documents}</th>
                      <th scope="col">{said.hints}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {waiting.map(({ id, name, email, kycSubmittedAt, kycSummary }) => (
                      <tr key={id} className="opens">
                        <td>
                          <Link to="/kyc/accounts/$developerId" params={{ developerId: id }} data-row={id}>
                            <strong>{name}</strong>
                          </Link>
                          <div className="quiet small">{email}</div>
                        </td>
                        <td data-name={said.since}>{kycSubmittedAt ? <Timestamp at={kycSubmittedAt} /> : '–'}</td>
                        <td data-name={said.documents}>{kycSummary?.documents ?? '–'}</td>
                        <td data-name={said.hints}>
                          {kycSummary?.developersWithSamePan ? (
                            <Badge tone="bad">{said.samePan(kycSummary.developersWithSamePan)}</Badge>
                          ) : (
                            '–'
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </TableBox>
              <Pager page={developers.pageInfo} count={waiting.length} total={developers.totalCount} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
