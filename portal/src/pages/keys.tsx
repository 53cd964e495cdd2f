import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useCall } from '../call.js';
import type { Environment, KeysQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { NoPage } from '../no-page.js';
import {
  At,
  Badge,
  Button,
  CallForm,
  Card,
  CodeBlock,
  download,
  Empty,
  PageHead,
  TextField,
  useTitle,
  Value,
  Window,
} from '../parts.js';
import { useViewer } from '../people.js';
import { say, sayFailure } from '../toasts.js';
import { words } from '../words.js';
import { Steps, stepsTo } from './steps.js';

const KEYS = graphql(`
  query Keys {
    environments {
      environment
      baseUrl
    }
    viewer {
      developer {
        id
        onboardingStatus
        productionUnlocked
        credentials {
          id
          clientId
          environment
          label
          secretLast4
          lastUsedAt
          expiresAt
          revokedAt
          suspendedAt
          suspensionReason
        }
        goLive {
          step
          doneAt
          waitsForUs
        }
      }
    }
  }
`);
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
type Account = NonNullable<NonNullable<KeysQuery['viewer']>['developer']>;
type Key = NonNullable<Account['credentials']>[number];
interface NewSecret {
  apiSecret: string;
  clientId: string;
  environment: Environment;
}

export function Keys(): ReactNode {
  useTitle(said.title);
  const account = useViewer().developer;
  const [read, again] = useQuery({ query: KEYS, pause: !account });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  if (!account) return <NoPage />;
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload}>
        {({ viewer, environments }) =>
          viewer?.developer ? (
            <Worlds account={viewer.developer} environments={environments ?? []} reload={reload} />
          ) : null
        }
      </Loaded>
    </>
  );
}

function Worlds({
  account,
  environments,
  reload,
}: {
  account: Account;
  environments: NonNullable<KeysQuery['environments']>;
  reload: () => void;
}): ReactNode {
  const [secret, setSecret] = useState<NewSecret>();
  return (
    <div className="columns">
      {(['UAT', 'PRODUCTION'] as const).map((environment) => (
        <World
          key={environment}
          environment={environment}
          baseUrl={environments.find((one) => one.environment === environment)?.baseUrl ?? ''}
          account={account}
          onSecret={setSecret}
          reload={reload}
        />
      ))}
      {secret ? (
        <Secret
          secret={secret}
          onDone={() => {
            setSecret(undefined);
            reload();
          }}
        />
      ) : null}
    </div>
  );
}

function World({
  environment,
  baseUrl,
  account,
  onSecret,
  reload,
}: {
  environment: Environment;
  baseUrl: string;
  account: Account;
  onSecret: (secret: NewSecret) => void;
  reload: () => void;
}): ReactNode {
  const isLive = environment === 'PRODUCTION';
  const keys = (account.credentials ?? []).filter((key) => key.environment === environment && !key.revokedAt);
  const isOpen = account.onboardingStatus === 'APPROVED' && (!isLive || account.productionUnlocked);
  const steps = stepsTo(isLive ? 'PRODUCTION_UNLOCKED' : 'KYC_APPROVED', account.goLive ?? []);
  const isAsked = steps.some(({ step, doneAt }) => step === 'PRODUCTION_REQUESTED' && doneAt);
  const [asks, setAsks] = useState(false);
  const title = words.environments[environment];
  if (!isOpen)
    return (
      <Card title={title} edge={isLive ? 'live' : 'uat'} side={<Badge tone="quiet">{said.locked}</Badge>}>
        <p>{isLive ? said.lockedText : said.uatLockedText}</p>
        <Steps steps={steps} />
        {isAsked ? null : (
          <Link to="/onboarding" className="button">
            {account.onboardingStatus === 'APPROVED' ? said.ask : said.goOn}
          </Link>
        )}
      </Card>
    );
  return (
    <Card
      title={
        <>
          {title} <Badge tone={isLive ? 'live' : 'good'}>{isLive ? words.home.live : words.home.play}</Badge>
        </>
      }
      edge={isLive ? 'live' : 'uat'}
      side={
        <Button kind={isLive ? 'live' : 'main'} onClick={() => setAsks(true)}>
          {said.new}
        </Button>
      }
    >
      <div className="stack">
        <Value label={said.baseUrl} text={baseUrl} />
        {keys.length === 0 ? <Empty>{said.none}</Empty> : null}
        {keys.map((key) => (
          <KeyCard key={key.id} shown={key} onSecret={onSecret} reload={reload} />
        ))}
        {keys[0] ? <FirstCall clientId={keys[0].clientId} environment={environment} baseUrl={baseUrl} /> : null}
      </div>
      <Create environment={environment} open={asks} onClose={() => setAsks(false)} onSecret={onSecret} />
    </Card>
  );
}

/** Written by hand, as the guides have it; the words of REST are lower case. */
export const firstCall = (baseUrl: string, clientId: string, environment: Environment): string =>
  `curl ${baseUrl}/api/v1/auth/client-credentials \\
  -H 'content-type: application/json' \\
  -d '{"client_id": "${clientId}", "api_secret": "YOUR_SECRET", "environment": "${environment.toLowerCase()}"}'`;

const FirstCall = (given: { clientId: string; environment: Environment; baseUrl: string }): ReactNode => (
  <div className="form">
    <p>
      <strong>{said.curl}</strong> <span className="quiet">{said.curlText}</span>
    </p>
    <CodeBlock text={firstCall(given.baseUrl, given.clientId, given.environment)} />
  </div>
);

function Create({
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

function KeyCard({
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
function Secret({ secret, onDone }: { secret: NewSecret; onDone: () => void }): ReactNode {
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
