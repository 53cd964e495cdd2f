import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { useEnvironment } from '../environment.js';
import type { WebhookEndpointsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Badge, Button, Card, Empty, PageHead, Timestamp, useTitle } from '../parts.js';
import { isStaff, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { showFailure, showMessage } from '../toasts.js';
import { words } from '../words.js';
import { CancelEndpoint, isWaiting } from './cancel.js';
import { ChooseTypes, Create, Delete, Disable, Redeliver, Rotate, Secret } from './webhook-forms.js';

const ENDPOINTS = graphql(`
  query WebhookEndpoints($developerId: ID) {
    webhookEndpoints(developerId: $developerId) {
      id
      url
      environment
      types
      createdAt
      startsAt
      disabledAt
      disabledReason
      previousSecretUntil
      health {
        delivered
        failedAttempts
        failedDeliveries
        p95Ms
        pausedUntil
      }
    }
  }
`);
const ENABLE = graphql(`
  mutation EnableWebhook($input: WebhookEndpointInput!) {
    enableWebhookEndpoint(input: $input) {
      endpoint {
        id
        disabledAt
        disabledReason
      }
    }
  }
`);
const SEND_TEST = graphql(`
  mutation SendTest($input: SendTestEventInput!) {
    sendTestEvent(input: $input) {
      delivery {
        id
        apiRequestId
        state
      }
    }
  }
`);

const said = words.webhooks;
export type Endpoint = NonNullable<WebhookEndpointsQuery['webhookEndpoints']>[number];

export function Webhooks(): ReactNode {
  useTitle(said.title);
  const { developer } = useSearch({ from: '/framed/webhooks' });
  const lead = developer === undefined ? said.lead : <OfDeveloper id={developer} />;
  const environment = useEnvironment();
  const [secret, setSecret] = useState<string>();
  const isNobodys = developer === undefined && isStaff(useViewer());
  const [read, again] = useRead({ query: ENDPOINTS, variables: { developerId: developer }, pause: isNobodys });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const of = { developer, environment };
  const canCreate = usePermission('createWebhookEndpoint');
  if (isNobodys)
    return <Empty action={<Link to="/developers">{words.developer.back}</Link>}>{said.chooseAccount}</Empty>;
  return (
    <>
      <PageHead title={said.title} lead={lead}>
        <Link to="/webhooks/deliveries" search={{ developer }} className="button">
          {words.webhookLog.title}
        </Link>
        {canCreate ? <Create {...of} onSecret={setSecret} onDone={reload} /> : null}
      </PageHead>
      <Loaded read={read} retry={reload}>
        {({ webhookEndpoints }) => {
          const shown = webhookEndpoints?.filter((one) => one.environment === environment) ?? [];
          if (shown.length === 0) return <Empty>{said.none(words.environments[environment])}</Empty>;
          return (
            <div className="stack">
              {shown.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} {...of} onSecret={setSecret} reload={reload} />
              ))}
            </div>
          );
        }}
      </Loaded>
      {secret === undefined ? null : <Secret secret={secret} onDone={() => setSecret(undefined)} />}
    </>
  );
}

/** For staff: whose server it is. */
const OfDeveloper = ({ id }: { id: string }): ReactNode => (
  <>
    <Link to="/developers/$developerId" params={{ developerId: id }}>
      {said.account}
    </Link>
    {` · ${said.staffLead}`}
  </>
);

function EndpointCard({
  endpoint,
  developer,
  onSecret,
  reload,
}: {
  endpoint: Endpoint;
  developer: string | undefined;
  onSecret: (secret: string) => void;
  reload: () => void;
}): ReactNode {
  const { id, url, types, createdAt, previousSecretUntil } = endpoint;
  return (
    <Card title={<code className="url">{url}</code>} side={<State endpoint={endpoint} />}>
      <dl className="facts">
        <dt>{said.events}</dt>
        <dd>{types.length === EVERY ? said.all : types.map((type) => words.webhookEvents[type]).join(', ')}</dd>
        <dt>{said.created}</dt>
        <dd>
          <Timestamp at={createdAt} />
        </dd>
        {isWaiting(endpoint) ? (
          <>
            <dt>{words.cancel.startsAt}</dt>
            <dd>
              <Timestamp at={endpoint.startsAt!} />
            </dd>
          </>
        ) : null}
        <dt>{said.lastDay}</dt>
        <dd>
          <Health endpoint={endpoint} />
        </dd>
        {previousSecretUntil && Date.parse(previousSecretUntil) > Date.now() ? (
          <>
            <dt>{said.formerSecret}</dt>
            <dd>
              {said.until} <Timestamp at={previousSecretUntil} />
            </dd>
          </>
        ) : null}
      </dl>
      <div className="form-actions above">
        <Link to="/webhooks/deliveries" search={{ developer, endpoint: id }} className="button">
          {words.webhookLog.title}
        </Link>
        {isWaiting(endpoint) ? <CancelEndpoint endpointId={id} onDone={reload} /> : null}
        {usePermission('updateWebhookEndpoint') ? (
          <>
            <SendTest endpoint={endpoint} developer={developer} />
            {endpoint.disabledAt ? null : <Redeliver endpoint={endpoint} onDone={reload} />}
            <ChooseTypes endpoint={endpoint} onDone={reload} />
            <Rotate endpoint={endpoint} onSecret={onSecret} onDone={reload} />
            {endpoint.disabledAt ? <Enable endpoint={endpoint} /> : <Disable endpoint={endpoint} onDone={reload} />}
            <Delete endpoint={endpoint} onDone={reload} />
          </>
        ) : null}
      </div>
    </Card>
  );
}

/** Of the types that orders have; a test is sent to whom it is asked for. */
const EVERY = Object.keys(words.webhookEvents).length - 1;

function State({ endpoint: { disabledAt, disabledReason, health } }: { endpoint: Endpoint }): ReactNode {
  if (disabledAt)
    return (
      <span className="row">
        <Badge tone={disabledReason === 'REQUEST' ? 'quiet' : 'bad'}>{said.off}</Badge>
        <span className="quiet small">{disabledReason ? words.webhookDisabledReasons[disabledReason] : null}</span>
      </span>
    );
  return health?.pausedUntil ? <Badge tone="bad">{said.paused}</Badge> : <Badge tone="good">{said.on}</Badge>;
}

function Health({ endpoint: { health } }: { endpoint: Endpoint }): ReactNode {
  if (!health) return '–';
  const { delivered, failedAttempts, failedDeliveries, p95Ms, pausedUntil } = health;
  return (
    <>
      {said.health(delivered, failedAttempts, failedDeliveries)}
      {p95Ms === null ? null : ` · ${said.p95(p95Ms)}`}
      {pausedUntil ? (
        <>
          {' · '}
          {said.pausedUntil} <Timestamp at={pausedUntil} />
        </>
      ) : null}
    </>
  );
}

/** How a test goes is to be seen in the log, where its delivery is opened. */
function SendTest({ endpoint: { id, url }, developer }: { endpoint: Endpoint; developer: string | undefined }) {
  const call = useCall(SEND_TEST);
  const navigate = useNavigate();
  async function send(): Promise<void> {
    const { data, failure } = await call.run({ input: { endpointId: id } });
    if (failure) return showFailure(url, failure);
    const delivery = data?.sendTestEvent?.delivery;
    if (!delivery) return;
    const search = { developer, endpoint: id, delivery: delivery.id, request: delivery.apiRequestId };
    await navigate({ to: '/webhooks/deliveries', search });
  }
  return (
    <Button busy={call.isRunning} onClick={() => void send()}>
      {said.test}
    </Button>
  );
}

function Enable({ endpoint: { id, url } }: { endpoint: Endpoint }): ReactNode {
  const call = useCall(ENABLE);
  async function enable(): Promise<void> {
    const { failure } = await call.run({ input: { endpointId: id } });
    if (failure) showFailure(url, failure);
    else showMessage(said.enabled);
  }
  return (
    <Button busy={call.isRunning} onClick={() => void enable()}>
      {said.enable}
    </Button>
  );
}
