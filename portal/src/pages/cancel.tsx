import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypedDocumentNode } from 'urql';
import { ActionDialog } from '../action-dialog.js';
import type { EndpointToCancelQuery, KeyToCancelQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Badge, Card, Empty, PageHead, Timestamp, useTitle, Value } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const KEY = graphql(`
  query KeyToCancel($id: ID!) {
    node(id: $id) {
      ... on Credential {
        id
        clientId
        environment
        label
        createdAt
        startsAt
        revokedAt
      }
    }
  }
`);
const ENDPOINT = graphql(`
  query EndpointToCancel($id: ID!) {
    node(id: $id) {
      ... on WebhookEndpoint {
        id
        url
        environment
        createdAt
        startsAt
      }
    }
  }
`);
const CANCEL_KEY = graphql(`
  mutation CancelKey($input: CancelCredentialInput!) {
    cancelCredential(input: $input) {
      credential {
        id
        revokedAt
      }
    }
  }
`);
const CANCEL_ENDPOINT = graphql(`
  mutation CancelEndpoint($input: WebhookEndpointInput!) {
    cancelWebhookEndpoint(input: $input) {
      deletedEndpointId
    }
  }
`);

const said = words.cancel;
type KeyNode = Extract<KeyToCancelQuery['node'], { clientId: string }>;
type EndpointNode = Extract<EndpointToCancelQuery['node'], { url: string }>;
const isKey = (node: KeyToCancelQuery['node']): node is KeyNode => node !== null && 'clientId' in node;
const isEndpoint = (node: EndpointToCancelQuery['node']): node is EndpointNode => node !== null && 'url' in node;

/** Whether a key or an endpoint has a start time that is still to come. */
export const isWaiting = ({ startsAt }: { startsAt: string | null }): boolean =>
  startsAt !== null && Date.parse(startsAt) > Date.now();

/** Owners cancel an API key that has not started. */
export function CancelKey({ clientId, onDone }: { clientId: string; onDone: () => void }): ReactNode {
  return usePermission('cancelCredential') ? (
    <Cancel document={CANCEL_KEY} input={{ clientId }} text={said.keyText} title={said.keyTitle} onDone={onDone} />
  ) : null;
}

/** Owners cancel a webhook endpoint that has not started. */
export function CancelEndpoint({ endpointId, onDone }: { endpointId: string; onDone: () => void }): ReactNode {
  return usePermission('cancelWebhookEndpoint') ? (
    <Cancel
      document={CANCEL_ENDPOINT}
      input={{ endpointId }}
      text={said.endpointText}
      title={said.endpointTitle}
      onDone={onDone}
    />
  ) : null;
}

function Cancel<Input extends object>({
  document,
  input,
  title,
  text,
  onDone,
}: {
  document: TypedDocumentNode<unknown, { input: Input }>;
  input: Input;
  title: string;
  text: string;
  onDone: () => void;
}): ReactNode {
  return (
    <ActionDialog
      document={document}
      toVariables={() => ({ input })}
      onDone={() => {
        showMessage(said.done);
        onDone();
      }}
      name={said.cancel}
      title={title}
      text={text}
      submit={title}
      kind="bad"
      removes
    />
  );
}

/** The page that a mail about a key leads to. Opening it changes nothing: programs that check mails open links. */
export function CancelKeyPage(): ReactNode {
  const { key } = useSearch({ from: '/framed/keys/cancel' });
  const [read, again] = useRead({ query: KEY, variables: { id: `key_${key ?? ''}` }, pause: key === undefined });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  useTitle(said.keyTitle);
  if (key === undefined) return <NotFound />;
  return (
    <>
      <PageHead title={said.keyTitle} lead={<Link to="/keys">{words.keys.title}</Link>} />
      <Loaded read={read} retry={reload}>
        {({ node }) =>
          isKey(node) ? (
            <Card title={node.label ?? words.keys.unnamed} side={<State {...node} isOver={node.revokedAt !== null} />}>
              <Value label={words.keys.clientId} text={node.clientId} />
              <Times {...node} />
              {isWaiting(node) && !node.revokedAt ? (
                <div className="form-actions above">
                  <CancelKey clientId={node.clientId} onDone={reload} />
                </div>
              ) : null}
            </Card>
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </>
  );
}

/** The page that an email about a webhook endpoint leads to. Opening it changes nothing. */
export function CancelEndpointPage(): ReactNode {
  const { endpoint } = useSearch({ from: '/framed/webhooks/cancel' });
  const [read, again] = useRead({
    query: ENDPOINT,
    variables: { id: endpoint ?? '' },
    pause: endpoint === undefined,
  });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  // the endpoint is no longer there
  const navigate = useNavigate();
  useTitle(said.endpointTitle);
  if (endpoint === undefined) return <NotFound />;
  return (
    <>
      <PageHead title={said.endpointTitle} lead={<Link to="/webhooks">{words.webhooks.title}</Link>} />
      <Loaded read={read} retry={reload}>
        {({ node }) =>
          isEndpoint(node) ? (
            <Card title={<code className="url">{node.url}</code>} side={<State {...node} isOver={false} />}>
              <Times {...node} />
              {isWaiting(node) ? (
                <div className="form-actions above">
                  <CancelEndpoint endpointId={node.id} onDone={() => void navigate({ to: '/webhooks' })} />
                </div>
              ) : null}
            </Card>
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </>
  );
}

const State = ({ startsAt, isOver }: { startsAt: string | null; isOver: boolean }): ReactNode =>
  isOver ? (
    <Badge tone="quiet">{said.cancelled}</Badge>
  ) : isWaiting({ startsAt }) ? (
    <Badge tone="wait">{said.notStarted}</Badge>
  ) : (
    <Badge tone="good">{said.started}</Badge>
  );

const Times = ({ createdAt, startsAt }: { createdAt: string; startsAt: string | null }): ReactNode => (
  <dl className="facts">
    <dt>{said.createdAt}</dt>
    <dd>
      <Timestamp at={createdAt} />
    </dd>
    {startsAt ? (
      <>
        <dt>{said.startsAt}</dt>
        <dd>
          <Timestamp at={startsAt} />
        </dd>
      </>
    ) : null}
  </dl>
);
