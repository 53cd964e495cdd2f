import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import type { ReviewSearch } from '../decision-search.js';
import { useEnvironment } from '../environment.js';
import { rupees } from '../format.js';
import type { Provider, ReviewQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { ageOf, Badge, Button, Empty, PageHead, useTitle } from '../parts.js';
import { useMay } from '../people.js';
import { useRows } from '../rows.js';
import { words } from '../words.js';
import { AskProviders } from './ask-provider.js';
import { DecideWindow } from './review-decide.js';
import { ReviewDrawer } from './review-drawer.js';

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
          contradictedAt
          sentRecentlyUntil
          developer {
            id
            name
          }
          proposal {
            id
          }
          ifResolved {
            resolution
            needsSecondPerson
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

type Found = NonNullable<ReviewQuery['reviewOrders']>;
export type ReviewEntry = Found['edges'][number]['node'];

/** Orders that wait for a person, of the environment that is chosen, oldest first. */
export function Review(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/review' });
  const environment = useEnvironment();
  const { provider, hours, contradicted } = asked;
  // an instant of its own for each rendering would be another question each time
  const olderThan = useMemo(() => hours && new Date(Date.now() - hours * HOUR_MS).toISOString(), [hours]);
  const filter = { provider, contradicted, environment, olderThan: olderThan || undefined };
  const [read, again] = useQuery({ query: REVIEW, variables: { ...pageOf(asked), filter } });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ reviewOrders, viewer }) =>
          reviewOrders ? (
            <>
              <Filters asked={asked} totals={reviewOrders.totals ?? []} />
              <Queue found={reviewOrders} asked={asked} alone={viewer?.allowance?.resolve ?? 0} reload={reload} />
            </>
          ) : null
        }
      </Loaded>
      <ReviewDrawer asked={asked} alone={read.data?.viewer?.allowance?.resolve ?? 0} reload={reload} />
    </>
  );
}

function Filters({ asked, totals }: { asked: ReviewSearch; totals: NonNullable<Found['totals']> }): ReactNode {
  const change = useFilter();
  const filter = (changed: ReviewSearch): void => change({ order: undefined, ...changed });
  const { provider, hours, contradicted } = asked;
  const providers = [...new Set([...totals.map((one) => one.provider), ...(provider ? [provider] : [])])];
  const count = (of: Provider): string => {
    const total = totals.find((one) => one.provider === of);
    return `${words.performers[of]}${total ? ` ${total.count}` : ''}`;
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
            on={contradicted === one}
            toggle={() => filter({ contradicted: contradicted === one ? undefined : one })}
          >
            {one ? said.contradicted : said.undecided}
          </Chip>
        ))}
      </div>
    </search>
  );
}

function Queue({
  found,
  asked,
  alone,
  reload,
}: {
  found: Found;
  asked: ReviewSearch;
  alone: number;
  reload: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isDeciding, setDeciding] = useState(false);
  const rows = useRows<HTMLDivElement>();
  const mayDecide = useMay('resolveOrders');
  const entries = found.edges.map(({ node }) => node);
  const selected = entries.filter(({ order }) => chosen.has(order.id));
  const isFiltered = asked.provider ?? asked.hours ?? asked.contradicted;
  // what is chosen is on the page that is shown
  const shown = entries.map(({ order }) => order.id).join();
  useEffect(() => setChosen((before) => new Set(shown.split(',').filter((id) => before.has(id)))), [shown]);
  if (entries.length === 0)
    return isFiltered === undefined ? (
      <Empty>{said.none}</Empty>
    ) : (
      <Empty
        action={
          <Link to="/review" className="button">
            {said.clear}
          </Link>
        }
      >
        {said.noneOf}
      </Empty>
    );
  const toggle = (ids: string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) next[isOn ? 'add' : 'delete'](id);
    setChosen(next);
  };
  return (
    <>
      <div className="table-box" ref={rows}>
        <table className="cards selects">
          <thead>
            <tr>
              {mayDecide ? (
                <th scope="col">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={said.selectAll}
                      checked={selected.length === entries.length}
                      onChange={({ target }) =>
                        toggle(
                          entries.map(({ order }) => order.id),
                          target.checked,
                        )
                      }
                    />
                    <span className="all">{said.selectAll}</span>
                  </label>
                </th>
              ) : null}
              <th scope="col">{said.number}</th>
              <th scope="col">{said.waits}</th>
              <th scope="col">{said.developer}</th>
              <th scope="col" className="amount">
                {said.amount}
              </th>
              <th scope="col">{said.known}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row
                key={entry.order.id}
                entry={entry}
                asked={asked}
                isChosen={chosen.has(entry.order.id)}
                {...(mayDecide ? { choose: (isOn: boolean) => toggle([entry.order.id], isOn) } : {})}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={found.pageInfo} count={entries.length} total={found.totalCount} />
      {selected.length ? (
        <section className="bulk" aria-live="polite">
          <strong>{said.selected(selected.length, rupees(sumOf(selected)))}</strong>
          <Button onClick={() => setChosen(new Set())}>{said.clearSelection}</Button>
          <AskProviders entries={selected} done={reload} />
          <Button kind="main" onClick={() => setDeciding(true)}>
            {said.decide}
          </Button>
        </section>
      ) : null}
      {isDeciding && selected.length ? (
        <DecideWindow
          entries={selected}
          alone={alone}
          close={() => setDeciding(false)}
          done={() => {
            setDeciding(false);
            setChosen(new Set());
            reload();
          }}
        />
      ) : null}
    </>
  );
}

export const sumOf = (entries: readonly ReviewEntry[]): number =>
  entries.reduce((sum, { order }) => sum + Math.round(order.amount * 100), 0) / 100;

export const numberOf = ({ order }: ReviewEntry): string => order.accountNumber ?? order.card ?? '–';

function Row({
  entry,
  asked,
  isChosen,
  choose,
}: {
  entry: ReviewEntry;
  asked: ReviewSearch;
  isChosen: boolean;
  choose?: (isOn: boolean) => void;
}): ReactNode {
  const { order, developer, provider, proposal, contradictedAt } = entry;
  const number = numberOf(entry);
  return (
    <tr>
      {choose ? (
        <td>
          <input
            type="checkbox"
            aria-label={said.select(number)}
            checked={isChosen}
            onChange={({ target }) => choose(target.checked)}
          />
        </td>
      ) : null}
      <td className="name-cell">
        <Link to="/review" search={{ ...asked, order: order.id }} data-row>
          {number}
        </Link>
        <span className="quiet small">{words.performers[provider]}</span>
      </td>
      <td className="short" data-name={said.waits}>
        {ageOf(entry.inReviewSince)}
      </td>
      <td className="short" data-name={said.developer}>
        {developer?.name ?? '–'}
      </td>
      <td className="amount" data-name={said.amount}>
        {rupees(order.amount)}
      </td>
      <td data-name={said.known}>
        <span>
          {contradictedAt ? <Badge tone="bad">{said.contradicted}</Badge> : null}{' '}
          {proposal ? <Badge tone="wait">{said.proposed}</Badge> : null} {knownOf(entry)}
        </span>
      </td>
    </tr>
  );
}

/** In a line: how often it was sent and asked about, and the last thing that the provider said. */
function knownOf({ order, contradictedAt }: ReviewEntry): string {
  const events = order.timeline ?? [];
  const sends = events.filter(({ kind }) => kind === 'SEND').length;
  const questions = events.filter(({ kind }) => kind === 'ENQUIRY').length;
  const last = events.findLast(({ kind }) => kind === 'ANSWER' || kind === 'ENQUIRY' || kind === 'CALLBACK');
  return [
    sends ? said.sent(sends) : said.notSent,
    ...(questions ? [said.asked(questions)] : []),
    ...(last?.detail ? [last.detail] : []),
    ...(contradictedAt ? [said.contradiction] : []),
  ].join(' · ');
}
