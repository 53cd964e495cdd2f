import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import type { DeliverySearch } from '../delivery-search.js';
import { Drawer } from '../drawer.js';
import type { WebhookDeliveryQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded, useRefetchWhile } from '../loaded.js';
import { Badge, Button, CodeBlock, Empty, Timestamp } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showFailure, showMessage } from '../toasts.js';
import { words } from '../words.js';
import { deliveryTone } from './order-story.js';

// what was posted about one order or test is found by its request; few endpoints get it
const DELIVERY = graphql(`
  query WebhookDelivery($endpointId: ID, $developerId: ID, $request: String!) {
    webhookDeliveries(
      endpointId: $endpointId
      developerId: $developerId
      filter: { apiRequestId: $request }
      first: 100
    ) {
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
          body
          attempts {
            at
            httpStatus
            error
            durationMs
          }
          order {
            id
          }
        }
      }
    }
  }
`);
const REDELIVER = graphql(`
  mutation Redeliver($input: RedeliverWebhookInput!) {
    redeliverWebhook(input: $input) {
      delivery {
        id
        state
        attemptCount
        nextAttemptAt
        error
        httpStatus
      }
    }
  }
`);

const said = words.webhookLog;
type Delivery = NonNullable<WebhookDeliveryQuery['webhookDeliveries']>['edges'][number]['node'];

const AGAIN_MS = 1_000;

export function DeliveryDrawer({
  asked,
  onClose,
  reload,
}: {
  asked: DeliverySearch;
  onClose: () => void;
  reload: () => void;
}): ReactNode {
  const { delivery, request } = asked;
  const isOpen = delivery !== undefined && request !== undefined;
  return (
    <Drawer title={said.delivery} open={isOpen} onClose={onClose}>
      {isOpen ? <Contents id={delivery} request={request} asked={asked} reload={reload} /> : null}
    </Drawer>
  );
}

function Contents({
  id,
  request,
  asked: { endpoint, developer, whose },
  reload,
}: {
  id: string;
  request: string;
  asked: DeliverySearch;
  reload: () => void;
}): ReactNode {
  const variables = { request, endpointId: endpoint, developerId: developer ?? whose };
  const [read, again] = useRead({ query: DELIVERY, variables });
  const delivery = read.data?.webhookDeliveries?.edges.find(({ node }) => node.id === id)?.node;
  const waits = delivery?.state === 'PENDING';
  // what is on its way is looked at again
  useRefetchWhile([read, again], AGAIN_MS, waits);
  const readAgain = (): void => {
    again({ requestPolicy: 'network-only' });
    reload();
  };
  return (
    <Loaded read={read} retry={readAgain} rows={5}>
      {() =>
        delivery ? <Shown delivery={delivery} whose={whose} reload={readAgain} /> : <Empty>{said.missing}</Empty>
      }
    </Loaded>
  );
}

function Shown({
  delivery,
  whose,
  reload,
}: {
  delivery: Delivery;
  whose: string | undefined;
  reload: () => void;
}): ReactNode {
  const canRedeliver = usePermission('redeliverWebhook') && delivery.body !== null;
  return (
    <>
      <div>
        <h3 className="row">
          {words.webhookEvents[delivery.type]}
          <Badge tone={deliveryTone[delivery.state]}>{words.deliveries[delivery.state]}</Badge>
        </h3>
        <p className="quiet">
          <Timestamp at={delivery.occurredAt} />
          {delivery.state === 'PENDING' && delivery.nextAttemptAt ? (
            <>
              {' · '}
              {said.next} <Timestamp at={delivery.nextAttemptAt} />
            </>
          ) : null}
        </p>
      </div>
      <div className="row">
        {delivery.order ? (
          <Link to="/orders" search={{ reference: delivery.apiRequestId, order: delivery.order.id }} className="button">
            {said.order}
          </Link>
        ) : null}
        {whose === undefined ? null : (
          <Link to="/webhooks" search={{ developer: whose }} className="button">
            {said.toAccount}
          </Link>
        )}
        {canRedeliver ? <Redeliver id={delivery.id} reload={reload} /> : null}
      </div>
      <section>
        <h2>{said.attempts}</h2>
        {delivery.attempts?.length ? (
          <ol className="timeline">
            {delivery.attempts.map((attempt) => (
              <li key={attempt.at} data-tone={attempt.error === null ? 'good' : 'bad'}>
                <strong>
                  {attempt.error === null ? words.deliveries.DELIVERED : words.webhookErrors[attempt.error]}
                </strong>
                <p className="quiet small">
                  <Timestamp at={attempt.at} /> ·{' '}
                  {attempt.httpStatus === null ? said.noResponse : `HTTP ${attempt.httpStatus}`} ·{' '}
                  {said.took(attempt.durationMs)}
                </p>
              </li>
            ))}
          </ol>
        ) : (
          <p className="quiet">{said.noAttempts}</p>
        )}
      </section>
      {delivery.body === null ? null : (
        <section>
          <h2>{said.body}</h2>
          <CodeBlock text={readable(delivery.body)} />
        </section>
      )}
    </>
  );
}

/** What is posted is JSON on one line; for people it has more. */
const readable = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

function Redeliver({ id, reload }: { id: string; reload: () => void }): ReactNode {
  const call = useCall(REDELIVER);
  async function send(): Promise<void> {
    const { failure } = await call.run({ input: { deliveryId: id } });
    if (failure) return showFailure(said.notResent, failure);
    showMessage(said.resent);
    reload();
  }
  return (
    <Button busy={call.isRunning} onClick={() => void send()}>
      {said.resend}
    </Button>
  );
}
