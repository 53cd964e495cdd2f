import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliverySearch } from '../delivery-search.js';
import { useEnvironment } from '../environment.js';
import type { WebhookDeliveriesQuery, WebhookDeliveryState } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, SearchBox, Select, ShowAll, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { isStaff, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { DeliveryDrawer } from './delivery-drawer.js';
import { deliveryTone } from './order-story.js';

const DELIVERIES = graphql(`
  query WebhookDeliveries(
    $endpointId: ID
    $developerId: ID
    $filter: WebhookDeliveryFilter
    $first: Int
    $after: String
    $last: Int
    $before: String
    $ofAll: Boolean!
  ) {
    webhookDeliveries(
      endpointId: $endpointId
      developerId: $developerId
      filter: $filter
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          type
          apiRequestId
          occurredAt
          state
          attemptCount
          httpStatus
          error
          nextAttemptAt
          developer @include(if: $ofAll) {
            id
            name
          }
        }
      }
    }
  }
`);

const said = words.webhookLog;
const STATES = Object.keys(words.deliveries) as WebhookDeliveryState[];
const EVENTS = Object.entries(words.webhookEvents);
/** What of an address leaves deliveries out. */
const FILTERS = ['state', 'type', 'request', 'endpoint'];

/** What was posted for one account; where staff name none, what was given up of all. */
export function DeliveryLog(): ReactNode {
  const forStaff = isStaff(useViewer());
  const environment = useEnvironment();
  const asked = useSearch({ from: '/framed/webhooks/deliveries' });
  const { state, type, request, endpoint, developer, delivery, after, before } = asked;
  const ofAll = forStaff && developer === undefined && endpoint === undefined;
  const title = ofAll ? said.failed : said.title;
  useTitle(title);
  // the request of an open delivery leads to it, and sifts nothing beneath it
  const apiRequestId = delivery === undefined ? request : undefined;
  const variables = {
    ...pageOf(asked),
    endpointId: endpoint,
    developerId: developer,
    filter: { environment, apiRequestId, type: type && [type], state: ofAll ? ['FAILED' as const] : state && [state] },
    ofAll,
  };
  const [read, again] = useRead({ query: DELIVERIES, variables });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const filter = useFilter();
  return (
    <>
      <PageHead
        title={title}
        lead={
          ofAll ? (
            said.failedLead
          ) : (
            <>
              <Link to="/webhooks" search={{ developer }}>
                {words.webhooks.title}
              </Link>{' '}
              · {said.lead}
            </>
          )
        }
      />
      <Filters asked={asked} ofAll={ofAll} />
      <Loaded read={read} retry={reload} rows={10}>
        {({ webhookDeliveries }) =>
          webhookDeliveries ? <Found found={webhookDeliveries} open={delivery} ofAll={ofAll} /> : null
        }
      </Loaded>
      <DeliveryDrawer
        asked={asked}
        reload={reload}
        onClose={() => filter({ delivery: undefined, whose: undefined, request: undefined, after, before })}
      />
    </>
  );
}

function Filters({ asked, ofAll }: { asked: DeliverySearch; ofAll: boolean }): ReactNode {
  const filter = useFilter();
  const { delivery, request, state, type, endpoint } = asked;
  return (
    <search className="filters">
      <SearchBox value={delivery === undefined ? request : undefined} name="request" label={said.search} />
      <Select name="type" label={said.event} emptyLabel={said.anyEvent} selected={type} choices={EVENTS} />
      {ofAll ? null : (
        <div className="chips" role="group" aria-label={said.states}>
          {STATES.map((one) => (
            <Chip key={one} on={state === one} toggle={() => filter({ state: state === one ? undefined : one })}>
              {words.deliveries[one]}
            </Chip>
          ))}
        </div>
      )}
      {endpoint === undefined ? null : (
        <Chip on toggle={() => filter({ endpoint: undefined })}>
          {said.ofOne}
        </Chip>
      )}
    </search>
  );
}

type Page = NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>;
type Row = Page['edges'][number]['node'];

function Found({ found, open, ofAll }: { found: Page; open: string | undefined; ofAll: boolean }): ReactNode {
  const asked: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const isFiltered = [...FILTERS, 'after'].some((name) => asked[name] !== undefined);
  if (found.edges.length === 0)
    return (
      <Empty action={<ShowAll without={FILTERS} />}>
        {ofAll ? said.noneFailed : isFiltered ? said.none : said.noneYet}
      </Empty>
    );
  return (
    <>
      <TableBox label={said.title}>
        <table className="cards two-lines">
          <thead>
            <tr>
              <th scope="col">{said.at}</th>
              {ofAll ? <th scope="col">{said.account}</th> : null}
              <th scope="col">{said.event}</th>
              <th scope="col">{said.request}</th>
              <th scope="col">{said.state}</th>
              <th scope="col" className="amount">
                {said.attempts}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <DeliveryRow key={node.id} delivery={node} isOpen={node.id === open} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

const DeliveryRow = ({ delivery, isOpen }: { delivery: Row; isOpen: boolean }): ReactNode => (
  <tr className="opens" data-open={isOpen || undefined}>
    <td className="second last">
      <Timestamp at={delivery.occurredAt} />
    </td>
    {delivery.developer ? <td className="second">{delivery.developer.name}</td> : null}
    <td>
      <Link
        to="."
        search={
          ((shown: object) => ({
            ...shown,
            delivery: delivery.id,
            request: delivery.apiRequestId,
            whose: delivery.developer?.id,
          })) as never
        }
        className="opener"
        data-row={delivery.id}
        aria-haspopup="dialog"
      >
        {words.webhookEvents[delivery.type]}
      </Link>
    </td>
    <td className="wide">
      <code>{delivery.apiRequestId}</code>
    </td>
    <td className="second">
      <span className="row">
        <Badge tone={deliveryTone[delivery.state]}>{words.deliveries[delivery.state]}</Badge>
        <span className="quiet small">
          {delivery.error ? words.webhookErrors[delivery.error] : null}
          {delivery.httpStatus ? ` HTTP ${delivery.httpStatus}` : null}
        </span>
      </span>
    </td>
    <td className="amount last">{words.order.attempts(delivery.attemptCount)}</td>
  </tr>
);
