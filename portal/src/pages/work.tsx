import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rupees } from '../format.js';
import type { WorkKind, WorkQuery } from '../generated/documents.js';
import { Loaded } from '../loaded.js';
import { ageOf, Card, PageHead, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { words } from '../words.js';
import { useWork } from '../work.js';

const said = words.work;
type Item = NonNullable<WorkQuery['work']>[number];

/** What waits for staff, whatever it is: each row opens its queue. Who leaves it open sees what comes in. */
export function WorkList(): ReactNode {
  useTitle(said.title);
  const [read, again] = useWork();
  return (
    <>
      <PageHead title={said.title} lead={read.data?.work ? leadOf(read.data.work) : null} />
      <Loaded read={read} retry={again} rows={8}>
        {({ work }) => (
          <Card>
            {(work ?? []).map((item) => (
              <WorkRow key={item.kind} item={item} />
            ))}
          </Card>
        )}
      </Loaded>
    </>
  );
}

function leadOf(work: readonly Item[]): string {
  const [oldest] = work.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted();
  const count = work.reduce((sum, item) => sum + item.count, 0);
  return oldest === undefined ? said.nothing : said.lead(count, ageOf(oldest));
}

function WorkRow({ item: { kind, count, uatCount, amount, oldestAt } }: { item: Item }): ReactNode {
  const { name, about } = said.kinds[kind];
  const details = [
    amount ? rupees(amount) : undefined,
    oldestAt && said.oldest(ageOf(oldestAt)),
    uatCount > 0 ? said.uatCount(uatCount) : undefined,
  ].filter(Boolean);
  return (
    <div className="work" data-waits={count > 0}>
      <span className="count">{count}</span>
      <div>
        <strong id={`work-${kind}`}>{name}</strong>
        <p className="quiet small">{count === 0 ? said.none : details.join(' · ')}</p>
        {count > 0 && about ? <p className="quiet small">{about}</p> : null}
      </div>
      {count > 0 ? <Open kind={kind} isPlay={uatCount === count} /> : null}
    </div>
  );
}

/** Where it is decided, for whoever may. */
function Open({ kind, isPlay }: { kind: WorkKind; isPlay: boolean }): ReactNode {
  const readsKyc = usePermission('approveDeveloper');
  // where most of it is, whatever the switch says: an empty queue beside a count helps nobody
  const environment = isPlay ? 'UAT' : 'PRODUCTION';
  const how = { className: 'button', 'aria-describedby': `work-${kind}`, children: said.open };
  switch (kind) {
    case 'KYC':
      return readsKyc ? (
        <Link to="/kyc" {...how} />
      ) : (
        <Link to="/developers" search={{ status: 'KYC_SUBMITTED' }} {...how} />
      );
    case 'PRODUCTION_REQUEST':
      return <Link to="/developers" search={{ asks: true }} {...how} />;
    case 'APPROVAL_REQUEST':
      return <Link to="/approval-requests" {...how} />;
    case 'REVIEW':
      return <Link to="/review" search={{ conflicting: false, environment }} {...how} />;
    case 'STATUS_CONFLICT':
      return <Link to="/review" search={{ conflicting: true, environment }} {...how} />;
    case 'STATEMENT_DIFFERENCE':
      return <Link to="/differences" {...how} />;
    case 'FAILED_DELIVERY':
      return <Link to="/webhooks/deliveries" search={{ environment }} {...how} />;
    case 'FAILED_EMAIL':
      return <Link to="/failed-emails" {...how} />;
  }
}
