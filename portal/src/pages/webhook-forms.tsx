import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { moment } from '../format.js';
import type { Environment, WebhookDeliveryState, WebhookEventType } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { OneTimeDisplay } from '../one-time-display.js';
import { Value, Window } from '../parts.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Endpoint } from './webhooks.js';

const CREATE = graphql(`
  mutation CreateWebhook($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      secret
      endpoint {
        id
      }
    }
  }
`);
const UPDATE = graphql(`
  mutation UpdateWebhook($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) {
      endpoint {
        id
        types
      }
    }
  }
`);
const ROTATE = graphql(`
  mutation RotateWebhookSecret($input: WebhookEndpointInput!) {
    rotateWebhookSecret(input: $input) {
      secret
      endpoint {
        id
        previousSecretUntil
      }
    }
  }
`);
const DISABLE = graphql(`
  mutation DisableWebhook($input: WebhookEndpointInput!) {
    disableWebhookEndpoint(input: $input) {
      endpoint {
        id
        disabledAt
        disabledReason
      }
    }
  }
`);
const REDELIVER = graphql(`
  mutation RedeliverWebhooks($input: RedeliverWebhooksInput!) {
    redeliverWebhooks(input: $input) {
      count
      nextFrom
    }
  }
`);
const DELETE = graphql(`
  mutation DeleteWebhook($input: WebhookEndpointInput!) {
    deleteWebhookEndpoint(input: $input) {
      deletedEndpointId
    }
  }
`);

const said = words.webhooks;
/** Of orders; a test is sent to whom it is asked for. */
const TYPES: WebhookEventType[] = (Object.keys(words.webhookEvents) as WebhookEventType[]).filter(
  (type) => type !== 'TEST_SENT',
);

interface OfOne {
  endpoint: Endpoint;
  onDone: () => void;
}

function Types({
  chosen,
  choose,
}: {
  chosen: readonly WebhookEventType[];
  choose: (types: WebhookEventType[]) => void;
}): ReactNode {
  return (
    <fieldset className="choices">
      <legend>{said.events}</legend>
      {TYPES.map((type) => (
        <label key={type} className="tick">
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={({ target }) =>
              choose(TYPES.filter((one) => (one === type ? target.checked : chosen.includes(one))))
            }
          />
          {words.webhookEvents[type]}
        </label>
      ))}
      <p role="status" className="form-problem">
        {chosen.length === 0 ? said.noEvents : null}
      </p>
    </fieldset>
  );
}

export function Create({
  environment,
  developer,
  onSecret,
  onDone,
}: {
  environment: Environment;
  developer: string | undefined;
  onSecret: (secret: string) => void;
  onDone: () => void;
}): ReactNode {
  const [types, setTypes] = useState(TYPES);
  const isLive = environment === 'PRODUCTION';
  return (
    <ActionDialog
      document={CREATE}
      toVariables={({ url }) => ({
        input: { environment, url: url!, types, ...(developer ? { developerId: developer } : {}) },
      })}
      onDone={({ createWebhookEndpoint: made }) => {
        if (made) onSecret(made.secret);
        onDone();
      }}
      onOpen={() => setTypes(TYPES)}
      ready={types.length > 0}
      name={said.new}
      title={said.newTitle(words.environments[environment])}
      text={said.newText}
      submit={said.create}
      kind={isLive ? 'live' : 'main'}
      live={isLive}
    >
      <TextField name="url" label={said.url} hint={said.urlHint} inputMode="url" maxLength={2_000} required autoFocus />
      <Types chosen={types} choose={setTypes} />
    </ActionDialog>
  );
}

export function ChooseTypes({ endpoint, onDone }: OfOne): ReactNode {
  const [types, setTypes] = useState<WebhookEventType[]>(endpoint.types);
  return (
    <ActionDialog
      document={UPDATE}
      toVariables={() => ({ input: { endpointId: endpoint.id, types } })}
      onDone={() => {
        showMessage(said.updated);
        onDone();
      }}
      onOpen={() => setTypes(endpoint.types)}
      ready={types.length > 0}
      name={said.events}
      title={said.eventsTitle}
      text={endpoint.url}
      submit={said.save}
    >
      <Types chosen={types} choose={setTypes} />
    </ActionDialog>
  );
}

export const Rotate = ({ endpoint, onSecret, onDone }: OfOne & { onSecret: (secret: string) => void }): ReactNode => (
  <ActionDialog
    document={ROTATE}
    toVariables={() => ({ input: { endpointId: endpoint.id } })}
    onDone={({ rotateWebhookSecret: made }) => {
      if (made) onSecret(made.secret);
      onDone();
    }}
    name={said.rotate}
    title={said.rotateTitle}
    text={said.rotateText}
    submit={said.rotateSubmit}
  />
);

export const Disable = ({ endpoint, onDone }: OfOne): ReactNode => (
  <ActionDialog
    document={DISABLE}
    toVariables={() => ({ input: { endpointId: endpoint.id } })}
    onDone={() => {
      showMessage(said.disabled);
      onDone();
    }}
    name={said.disable}
    title={said.disableTitle}
    text={said.disableText}
  />
);

const DAY_MS = 86_400_000;
/** A time of an input of the type datetime-local, in India. */
const indianInput = (atMs: number): string => new Date(atMs + 330 * 60_000).toISOString().slice(0, 16);
const UNDELIVERED: WebhookDeliveryState[] = ['FAILED', 'CANCELLED'];
const EVERY_END: WebhookDeliveryState[] = [...UNDELIVERED, 'DELIVERED'];
const instantOf = (typed: string): string => `${typed}:00+05:30`;

/** For the time after an outage of the receiver. A call redelivers a part of a long range: the next one begins where it ended. */
export function Redeliver({ endpoint, onDone }: OfOne): ReactNode {
  const [alsoDelivered, setAlsoDelivered] = useState(false);
  const [opened, setOpened] = useState({ from: '', to: '' });
  return (
    <ActionDialog
      document={REDELIVER}
      toVariables={({ from, to }) => ({
        input: {
          endpointId: endpoint.id,
          from: instantOf(from!),
          to: instantOf(to!),
          state: alsoDelivered ? EVERY_END : UNDELIVERED,
        },
      })}
      onDone={({ redeliverWebhooks: result }) => {
        if (result)
          showMessage(said.redelivered(result.count, result.nextFrom === null ? undefined : moment(result.nextFrom)));
        onDone();
      }}
      onOpen={() => {
        setAlsoDelivered(false);
        setOpened({ from: indianInput(Date.now() - DAY_MS), to: indianInput(Date.now() + 60_000) });
      }}
      name={said.redeliver}
      title={said.redeliverTitle}
      text={said.redeliverText}
      submit={said.redeliver}
    >
      <TextField
        name="from"
        label={said.redeliverFrom}
        type="datetime-local"
        initialValue={opened.from}
        required
        autoFocus
      />
      <TextField name="to" label={said.redeliverTo} type="datetime-local" initialValue={opened.to} required />
      <label className="tick">
        <input type="checkbox" checked={alsoDelivered} onChange={({ target }) => setAlsoDelivered(target.checked)} />
        {said.redeliverDelivered}
      </label>
    </ActionDialog>
  );
}

/** The secrets and the log go with it, so its host is typed: nothing of it comes back. */
export function Delete({ endpoint, onDone }: OfOne): ReactNode {
  const [typed, setTyped] = useState('');
  const { host } = new URL(endpoint.url);
  return (
    <ActionDialog
      document={DELETE}
      toVariables={() => ({ input: { endpointId: endpoint.id } })}
      onDone={() => {
        showMessage(said.deleted(host));
        onDone();
      }}
      onOpen={() => setTyped('')}
      ready={typed === host}
      name={said.delete}
      title={said.deleteTitle(host)}
      text={said.deleteText}
      submit={said.deleteSubmit(host)}
      kind="bad"
      removes
    >
      <TextField
        name="host"
        label={said.typeHost(host)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        autoFocus
      />
    </ActionDialog>
  );
}

export const Secret = ({ secret, onDone }: { secret: string; onDone: () => void }): ReactNode => (
  <Window title={words.keys.secretTitle} text={said.secretText} open>
    <OneTimeDisplay savedLabel={words.keys.savedLabel} submit={words.keys.finish} onDone={onDone}>
      <Value label={said.secret} text={secret} />
    </OneTimeDisplay>
  </Window>
);
