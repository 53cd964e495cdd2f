import { type ReactNode, useRef, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, Choice, TextField } from '../form.js';
import type { Environment, RevokedKeyEndpoints } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { OneTimeDisplay } from '../one-time-display.js';
import { Badge, Button, download, pageHeading, Timestamp, Value, Window } from '../parts.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { CancelKey, isWaiting } from './cancel.js';
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
const USUAL_HOURS = 24;
const OVERLAPS = [
  [USUAL_HOURS, said.inADay, said.inADayHint],
  [168, said.inAWeek, said.inAWeekHint],
  [0, said.now, said.nowHint],
] as const;
const FATES = [
  ['KEEP', said.keep, said.keepHint],
  ['DISABLE', said.end, said.endHint],
] as const;

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
        document={CREATE}
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
  const canRotate = usePermission('rotateCredential');
  const canRevoke = usePermission('revokeCredential');
  const { clientId } = shown;
  const name = shown.label ?? said.unnamed;
  // the console knows whether the key made webhook endpoints, and asks what becomes of them
  const [asksFate, setAsksFate] = useState(false);
  const isRevoked = useRef(false);
  const close = (): void => {
    rotate.reset();
    revoke.reset();
    setAsksFate(false);
    setAsks(undefined);
  };
  async function rotateIt(overlapHours: number): Promise<void> {
    const { data } = await rotate.run({ input: { clientId, overlapHours } });
    if (!data?.rotateCredential) return;
    close();
    onSecret({ apiSecret: data.rotateCredential.apiSecret, ...data.rotateCredential.credential });
  }
  async function revokeIt(endpoints: RevokedKeyEndpoints | undefined): Promise<void> {
    // the answer takes the card away at once
    isRevoked.current = true;
    const { data, failure } = await revoke.run({ input: { clientId, ...(endpoints ? { endpoints } : {}) } });
    isRevoked.current = data !== undefined;
    if (failure?.fields.endpoints !== undefined) setAsksFate(true);
    if (!data) return;
    close();
    showMessage(said.revoked(name));
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
        {isWaiting(shown) ? (
          <Badge tone="wait">
            {words.cancel.startsAt} <Timestamp at={shown.startsAt!} />
          </Badge>
        ) : null}
        {shown.expiresAt ? (
          <Badge tone="live">
            {said.expires} <Timestamp at={shown.expiresAt} />
          </Badge>
        ) : null}
      </div>
      {shown.suspensionReason ? <p>{shown.suspensionReason}</p> : null}
      <Value label={said.clientId} text={clientId} />
      <div className="card-head">
        <span className="quiet small">
          {shown.lastUsedAt ? (
            <>
              {said.lastUsed} <Timestamp at={shown.lastUsedAt} />
            </>
          ) : (
            said.notUsed
          )}
        </span>
        <span className="row">
          {isWaiting(shown) ? <CancelKey clientId={clientId} onDone={reload} /> : null}
          {canRotate && !isWaiting(shown) ? <Button onClick={() => setAsks('rotate')}>{said.rotate}</Button> : null}
          {canRevoke ? (
            <Button kind="bad" onClick={() => setAsks('revoke')}>
              {said.revoke}
            </Button>
          ) : null}
        </span>
      </div>
      <Window title={said.rotateTitle(name)} text={said.rotateText} open={asks === 'rotate'} onClose={close}>
        <CallForm
          failure={rotate.failure}
          document={ROTATE}
          busy={rotate.isRunning}
          submit={said.rotateSubmit}
          send={({ overlapHours }) => void rotateIt(Number(overlapHours))}
        >
          <fieldset className="choices">
            <legend>{said.oldEnds}</legend>
            {OVERLAPS.map(([hours, title, hint]) => (
              <Choice
                key={hours}
                name="overlapHours"
                value={hours}
                title={title}
                hint={hint}
                defaultChecked={hours === USUAL_HOURS}
              />
            ))}
          </fieldset>
        </CallForm>
      </Window>
      <Window
        title={said.revokeTitle(name)}
        text={said.revokeText}
        open={asks === 'revoke'}
        onClose={close}
        focusAfter={() => (isRevoked.current ? pageHeading() : null)}
      >
        <CallForm
          failure={revoke.failure}
          document={REVOKE}
          message={asksFate && revoke.failure?.fields.endpoints ? said.chooseEndpoints : undefined}
          busy={revoke.isRunning}
          submit={said.revokeSubmit}
          kind="bad"
          send={({ endpoints }) => void revokeIt(endpoints as RevokedKeyEndpoints | undefined)}
        >
          {asksFate ? (
            <fieldset className="choices">
              <legend>{said.endpoints}</legend>
              {FATES.map(([fate, title, hint]) => (
                <Choice key={fate} name="endpoints" value={fate} title={title} hint={hint} required />
              ))}
            </fieldset>
          ) : null}
        </CallForm>
      </Window>
    </div>
  );
}

export function Secret({ secret, onDone }: { secret: NewSecret; onDone: () => void }): ReactNode {
  const { apiSecret, clientId, environment } = secret;
  const file = `CLIENT_ID=${clientId}\nAPI_SECRET=${apiSecret}\nENVIRONMENT=${environment.toLowerCase()}\n`;
  return (
    <Window title={said.secretTitle} text={said.secretText} open>
      <OneTimeDisplay
        savedLabel={said.savedLabel}
        submit={said.finish}
        onDone={onDone}
        extra={
          <Button onClick={() => download(`recharge-gateway.${environment.toLowerCase()}.env`, file)}>
            {said.download}
          </Button>
        }
      >
        <Value label={said.clientId} text={clientId} />
        <Value label={said.secret} text={apiSecret} />
      </OneTimeDisplay>
    </Window>
  );
}
