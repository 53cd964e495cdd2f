import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useEnvironment } from '../environment.js';
import { rupees } from '../format.js';
import type { Provider } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, pageOf, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { PageHead, useTitle } from '../parts.js';
import { useRead } from '../read.js';
import type { ReviewSearch } from '../review-search.js';
import { words } from '../words.js';
import { ReviewDrawer } from './review-drawer.js';
import type { FoundOrders } from './review-entry.js';
import { ReviewQueue } from './review-queue.js';

const REVIEW = graphql(`
  query Review($first: Int, $after: String, $last: Int, $before: String, $filter: ReviewFilter) {
    viewer {
      allowance {
        resolve
      }
    }
    reviewOrders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      totals {
        provider
        count
        amount
      }
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          environment
          provider
          inReviewSince
          statusConflictAt
          sentRecentlyUntil
          developer {
            id
            name
          }
          approvalRequest {
            id
          }
          preview {
            resolution
            requiresApproval
            entries {
              kind
              from
              to
              amount
            }
          }
          order {
            id
            amount
            accountNumber
            card
            timeline {
              kind
              at
              detail
            }
          }
        }
      }
    }
  }
`);

const said = words.review;
const HOUR_MS = 3_600_000;
const HOURS = Object.keys(said.hours).map(Number);

/** Orders that wait for a person, of the environment that is chosen, oldest first. */
export function Review(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/review' });
  const environment = useEnvironment();
  const { provider, hours, conflicting } = asked;
  // an instant of its own for each rendering would be another question each time
  const olderThan = useMemo(() => hours && new Date(Date.now() - hours * HOUR_MS).toISOString(), [hours]);
  const filter = { provider, conflicting, environment, olderThan: olderThan || undefined };
  const [read, again] = useRead({ query: REVIEW, variables: { ...pageOf(asked), filter } });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ reviewOrders, viewer }) =>
          reviewOrders ? (
            <>
              <Filters asked={asked} totals={reviewOrders.totals ?? []} />
              <ReviewQueue found={reviewOrders} asked={asked} alone={viewer?.allowance?.resolve ?? 0} reload={reload} />
            </>
          ) : null
        }
      </Loaded>
      <ReviewDrawer asked={asked} alone={read.data?.viewer?.allowance?.resolve ?? 0} reload={reload} />
    </>
  );
}

function Filters({ asked, totals }: { asked: ReviewSearch; totals: NonNullable<FoundOrders['totals']> }): ReactNode {
  const change = useFilter();
  const filter = (changed: ReviewSearch): void => change({ order: undefined, ...changed });
  const { provider, hours, conflicting } = asked;
  const providers = [...new Set([...totals.map((one) => one.provider), ...(provider ? [provider] : [])])];
  const count = (of: Provider): string => {
    const total = totals.find((one) => one.provider === of);
    return `${words.providerNames[of]}${total ? ` ${total.count}` : ''}`;
  };
  const sum = totals.reduce((all, { amount }) => all + amount, 0);
  const orders = totals.reduce((all, one) => all + one.count, 0);
  return (
    <search className="filters">
      {orders ? <strong>{said.summary(orders, rupees(sum))}</strong> : null}
      <div className="chips" role="group" aria-label={said.filters}>
        {providers.map((one) => (
          <Chip key={one} on={provider === one} toggle={() => filter({ provider: provider === one ? undefined : one })}>
            {count(one)}
          </Chip>
        ))}
        {[...new Set([...HOURS, ...(hours ? [hours] : [])])].map((one) => (
          <Chip key={one} on={hours === one} toggle={() => filter({ hours: hours === one ? undefined : one })}>
            {said.hours[one] ?? said.olderThan(one)}
          </Chip>
        ))}
        {[false, true].map((one) => (
          <Chip
            key={String(one)}
            on={conflicting === one}
            toggle={() => filter({ conflicting: conflicting === one ? undefined : one })}
          >
            {one ? said.conflicting : said.needsReview}
          </Chip>
        ))}
      </div>
    </search>
  );
}
