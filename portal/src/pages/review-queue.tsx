import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { rupees } from '../format.js';
import { Pager } from '../list.js';
import { ageOf, Badge, Button, Empty, TableBox } from '../parts.js';
import { usePermission } from '../people.js';
import type { ReviewSearch } from '../review-search.js';
import { words } from '../words.js';
import { CheckOrderStatuses } from './order-status-check.js';
import { DecideWindow } from './review-decide.js';
import { type FoundOrders, numberOf, type ReviewEntry, sumOf } from './review-entry.js';

const said = words.review;

/** The orders of a page, of which some can be chosen: they are asked about or decided together. */
export function ReviewQueue({
  found,
  asked,
  alone,
  reload,
}: {
  found: FoundOrders;
  asked: ReviewSearch;
  alone: number;
  reload: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isDeciding, setDeciding] = useState(false);
  const canDecide = usePermission('resolveOrders');
  const entries = found.edges.map(({ node }) => node);
  const selected = entries.filter(({ order }) => chosen.has(order.id));
  const isFiltered = asked.provider ?? asked.hours ?? asked.conflicting;
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
      <TableBox label={said.title}>
        <table className="cards selects">
          <thead>
            <tr>
              {canDecide ? (
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
              <th scope="col">{said.age}</th>
              <th scope="col">{said.developer}</th>
              <th scope="col" className="amount">
                {said.amount}
              </th>
              <th scope="col">{said.evidence}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row
                key={entry.order.id}
                entry={entry}
                asked={asked}
                isChosen={chosen.has(entry.order.id)}
                {...(canDecide ? { choose: (isOn: boolean) => toggle([entry.order.id], isOn) } : {})}
              />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={entries.length} total={found.totalCount} />
      {selected.length ? (
        <section className="bulk" aria-live="polite">
          <strong>{said.selected(selected.length, rupees(sumOf(selected)))}</strong>
          <Button onClick={() => setChosen(new Set())}>{said.clearSelection}</Button>
          <CheckOrderStatuses entries={selected} done={reload} />
          <Button kind="main" data-decide onClick={() => setDeciding(true)}>
            {said.resolve}
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
  const { order, developer, provider, approvalRequest, statusConflictAt } = entry;
  const number = numberOf(entry);
  return (
    <tr className="opens" data-open={order.id === asked.order || undefined}>
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
        <Link to="/review" search={{ ...asked, order: order.id }} data-row={order.id}>
          {number}
        </Link>
        <span className="quiet small">{words.providerNames[provider]}</span>
      </td>
      <td className="short" data-name={said.age}>
        {ageOf(entry.inReviewSince)}
      </td>
      <td className="short" data-name={said.developer}>
        {developer?.name ?? '–'}
      </td>
      <td className="amount" data-name={said.amount}>
        {rupees(order.amount)}
      </td>
      <td data-name={said.evidence}>
        <span>
          {statusConflictAt ? <Badge tone="bad">{said.conflicting}</Badge> : null}{' '}
          {approvalRequest ? <Badge tone="wait">{said.requested}</Badge> : null} {knownOf(entry)}
        </span>
      </td>
    </tr>
  );
}

/** In a line: how often it was sent and asked about, and the last thing that the provider said. */
function knownOf({ order, statusConflictAt }: ReviewEntry): string {
  const events = order.timeline ?? [];
  const sends = events.filter(({ kind }) => kind === 'SEND').length;
  const questions = events.filter(({ kind }) => kind === 'STATUS_CHECK').length;
  const last = events.findLast(({ kind }) => kind === 'RESPONSE' || kind === 'STATUS_CHECK' || kind === 'CALLBACK');
  return [
    sends ? said.sent(sends) : said.notSent,
    ...(questions ? [said.statusChecks(questions)] : []),
    ...(last?.detail ? [last.detail] : []),
    ...(statusConflictAt ? [said.statusConflict] : []),
  ].join(' · ');
}
