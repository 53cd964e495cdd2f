import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Badge, Card, Empty } from '../parts.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Account } from './developer.js';

const SUSPEND_KEY = graphql(`
  mutation SuspendKey($input: SuspendCredentialInput!) {
    suspendCredential(input: $input) {
      credential {
        id
        suspendedAt
        suspensionReason
      }
    }
  }
`);
const REINSTATE_KEY = graphql(`
  mutation ReinstateKey($input: ReinstateCredentialInput!) {
    reinstateCredential(input: $input) {
      credential {
        id
        suspendedAt
        suspensionReason
      }
    }
  }
`);

const said = words.developer;
type Credential = NonNullable<Account['credentials']>[number];

const nameOf = ({ label, clientId }: Credential): string => label ?? clientId;

export function DeveloperKeys({ credentials }: { credentials: Credential[] }): ReactNode {
  const canSuspend = usePermission('suspendCredential');
  return (
    <Card title={said.keys}>
      {credentials.length ? null : <Empty>{said.noKeys}</Empty>}
      <ul className="list">
        {credentials.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.label ?? words.keys.unnamed}</strong> <code>{key.clientId}</code>
              {key.suspensionReason ? <p className="quiet small">{key.suspensionReason}</p> : null}
            </div>
            {key.revokedAt ? <Badge tone="quiet">{said.revoked}</Badge> : null}
            {key.suspendedAt ? <Badge tone="bad">{said.keySuspended}</Badge> : null}
            <Badge tone={key.environment === 'PRODUCTION' ? 'live' : 'good'}>
              {words.environments[key.environment]}
            </Badge>
            {canSuspend && !key.revokedAt ? <Switch credential={key} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Stops one key, or lets it go on; the rest of the account is as it was. */
function Switch({ credential }: { credential: Credential }): ReactNode {
  const { clientId, environment, suspendedAt } = credential;
  const name = nameOf(credential);
  const live = environment === 'PRODUCTION';
  if (suspendedAt)
    return (
      <ActionDialog
        document={REINSTATE_KEY}
        toVariables={({ reason }) => ({ input: { clientId, reason: reason || undefined } })}
        onDone={() => showMessage(said.keyIsReinstated(name))}
        name={said.reinstateKey}
        title={said.reinstateKeyTitle(name)}
        text={said.reinstateKeyText}
        submit={said.reinstateKeySubmit(name)}
        live={live}
      >
        <TextField name="reason" label={words.common.reason} hint={words.decisions.reasonHint} maxLength={500} />
      </ActionDialog>
    );
  return (
    <ActionDialog
      document={SUSPEND_KEY}
      toVariables={({ reason }) => ({ input: { clientId, reason: reason! } })}
      onDone={() => showMessage(said.keyIsSuspended(name))}
      name={said.suspendKey}
      title={said.suspendKeyTitle(name)}
      text={said.suspendKeyText}
      submit={said.suspendKeySubmit(name)}
      kind="bad"
      live={live}
    >
      <TextField name="reason" label={words.common.reason} maxLength={500} required autoFocus />
    </ActionDialog>
  );
}
