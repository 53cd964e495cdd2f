import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { Environment } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { At, Badge, Button, download, Value, Window } from '../parts.js';
import { say, sayFailure } from '../toasts.js';
import { words } from '../words.js';
import type { Key } from './keys.js';

const CREATE = graphql(`
  mutation CreateKey($input: CreateCredentialInput!) {
    createCredential(input: $input) {
      apiSecret
      credential {
        id
        clientId
        environment
      }
    }
  }
`);
const ROTATE = graphql(`
  mutation RotateKey($input: RotateCredentialInput!) {
    rotateCredential(input: $input) {
      apiSecret
      credential {
        id
        clientId
        environment
      }
    }
  }
`);
const REVOKE = graphql(`
  mutation RevokeKey($input: RevokeCredentialInput!) {
    revokeCredential(input: $input) {
      credential {
        id
        revokedAt
      }
    }
  }
`);

const said = words.keys;
export interface NewSecret {
  apiSecret: string;
  clientId: string;
  environment: Environment;
}

export function Create({
  environment,
  open,
  onClose,
  onSecret,
}: {
  environment: Environment;
  open: boolean;
  onClose: () => void;
  onSecret: (secret: NewSecret) => void;
}): ReactNode {
  const call = useCall(CREATE);
  async function create(label: string): Promise<void> {
    const { data } = await call.run({ input: { environment, ...(label ? { label } : {}) } });
    if (!data?.createCredential) return;
    onClose();
    const { apiSecret, credential } = data.createCredential;
    onSecret({ apiSecret, ...credential });
  }
  return (
    <Window
      title={`${said.new}: ${words.environments[environment]}`}
      open={open}
      onClose={() => {
        call.reset();
        onClose();
      }}
      {...(environment === 'PRODUCTION' ? { edge: 'live' as const } : {})}
    >
      <CallForm
        failure={call.failure}
        busy={call.isRunning}
        submit={said.create}
        kind={environment === 'PRODUCTION' ? 'live' : 'main'}
        send={({ label }) => void create(label!)}
      >
        <TextField name="label" label={said.label} hint={said.labelHint} maxLength={60} autoFocus />
      </CallForm>
    </Window>
  );
}

export function KeyCard({
  shown,
  onSecret,
  reload,
}: {
  shown: Key;
  onSecret: (secret: NewSecret) => void;
  reload: () => void;
}): ReactNode {
  const [asks, setAsks] = useState<'rotate' | 'revoke'>();
  const rotate = useCall(ROTATE);
  const revoke = useCall(REVOKE);
  const { clientId } = shown;
  const name = shown.label ?? said.unnamed;
  const close = (): void => {
    rotate.reset();
    revoke.reset();
    setAsks(undefined);
  };
  async function rotateIt(): Promise<void> {
    const { data } = await rotate.run({ input: { clientId } });
    if (!data?.rotateCredential) return;
    close();
    onSecret({ apiSecret: data.rotateCredential.apiSecret, ...data.rotateCredential.credential });
  }
  async function revokeIt(): Promise<void> {
    const { data, failure } = await revoke.run({ input: { clientId } });
    if (failure) return sayFailure(name, failure);
    if (!data) return;
    close();
    say(said.revoked(name));
    reload();
  }
  return (
    <div className="key">
      <div className="row">
        <strong>{name}</strong>
        <span className="quiet">
          {said.endsIn} <code>{shown.secretLast4}</code>
        </span>
        {shown.suspendedAt ? <Badge tone="bad">{said.suspended}</Badge> : null}
        {shown.expiresAt ? (
          <Badge tone="live">
            {said.ends} <At at={shown.expiresAt} />
          </Badge>
        ) : null}
      </div>
      {shown.suspensionReason ? <p>{shown.suspensionReason}</p> : null}
      <Value label={said.clientId} text={clientId} />
      <div className="card-head">
        <span className="quiet small">
          {shown.lastUsedAt ? (
            <>
              {said.lastUsed} <At at={shown.lastUsedAt} />
            </>
          ) : (
            said.notUsed
          )}
        </span>
        <span className="row">
          <Button onClick={() => setAsks('rotate')}>{said.rotate}</Button>
          <Button kind="bad" onClick={() => setAsks('revoke')}>
            {said.revoke}
          </Button>
        </span>
      </div>
      <Window title={said.rotateTitle(name)} text={said.rotateText} open={asks === 'rotate'} onClose={close}>
        <CallForm
          failure={rotate.failure}
          busy={rotate.isRunning}
          submit={said.rotateSubmit}
          send={() => void rotateIt()}
        />
      </Window>
      <Window title={said.revokeTitle(name)} text={said.revokeText} open={asks === 'revoke'} onClose={close}>
        <CallForm
          failure={revoke.failure}
          busy={revoke.isRunning}
          submit={said.revokeSubmit}
          kind="bad"
          send={() => void revokeIt()}
        />
      </Window>
    </div>
  );
}

/** Cannot be closed by a slip: who goes on has said that the secret is kept. */
export function Secret({ secret, onDone }: { secret: NewSecret; onDone: () => void }): ReactNode {
  const [kept, setKept] = useState(false);
  const { apiSecret, clientId, environment } = secret;
  const file = `CLIENT_ID=${clientId}\nAPI_SECRET=${apiSecret}\nENVIRONMENT=${environment.toLowerCase()}\n`;
  return (
    <Window title={said.secretTitle} text={said.secretText} open>
      <Value label={said.clientId} text={clientId} />
      <Value label={said.secret} text={apiSecret} />
      <label className="tick">
        <input type="checkbox" checked={kept} onChange={() => setKept(!kept)} /> {said.iHaveIt}
      </label>
      <div className="form-actions">
        <Button onClick={() => download(`recharge-gateway.${environment.toLowerCase()}.env`, file)}>
          {said.download}
        </Button>
        <Button kind="main" disabled={!kept} onClick={onDone}>
          {said.finish}
        </Button>
      </div>
    </Window>
  );
}
