import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { firstCall, SNIPPET_NAMES, type SnippetName } from '../first-call.js';
import type { Environment, KeysQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip } from '../list.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Badge, Button, Card, CodeBlock, Empty, PageHead, useTitle, Value } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { Create, KeyCard, type NewSecret, Secret } from './key-forms.js';
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
          startsAt
          expiresAt
          revokedAt
          suspendedAt
          suspensionReason
        }
        goLive {
          step
          completedAt
          isInReview
        }
      }
    }
  }
`);
const said = words.keys;
/** Keys that work at a time in one environment: the console makes no more. */
const AT_ONCE = 2;
export type Account = NonNullable<NonNullable<KeysQuery['viewer']>['developer']>;
export type Key = NonNullable<Account['credentials']>[number];
export function Keys(): ReactNode {
  useTitle(said.title);
  const account = useViewer().developer;
  const [read, again] = useRead({ query: KEYS, pause: !account });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  if (!account) return <NotFound />;
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
  const isAsked = steps.some(({ step, completedAt }) => step === 'PRODUCTION_REQUESTED' && completedAt);
  const [asks, setAsks] = useState(false);
  const canCreate = usePermission('createCredential');
  // one that a rotation ends makes room already
  const isFull = keys.filter(({ expiresAt }) => !expiresAt).length >= AT_ONCE;
  const reason = useId();
  const title = words.environments[environment];
  if (!isOpen)
    return (
      <Card title={title} edge={isLive ? 'live' : 'uat'} side={<Badge tone="quiet">{said.locked}</Badge>}>
        <p>{isLive ? said.lockedText : said.uatLockedText}</p>
        <Steps steps={steps} />
        {isAsked ? null : (
          <Link to="/onboarding" className="button">
            {account.onboardingStatus === 'APPROVED' ? said.requestProduction : said.continueOnboarding}
          </Link>
        )}
      </Card>
    );
  return (
    <Card
      title={
        <>
          {title} <Badge tone={isLive ? 'live' : 'good'}>{isLive ? words.home.live : words.home.testFunds}</Badge>
        </>
      }
      edge={isLive ? 'live' : 'uat'}
      side={
        canCreate ? (
          <Button
            kind={isLive ? 'live' : 'main'}
            disabled={isFull}
            aria-describedby={isFull ? reason : undefined}
            onClick={() => setAsks(true)}
          >
            {said.new}
          </Button>
        ) : null
      }
    >
      <div className="stack">
        {canCreate && isFull ? (
          <p id={reason} className="quiet small">
            {said.limitReached}
          </p>
        ) : null}
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

function FirstCall(key: { clientId: string; environment: Environment; baseUrl: string }): ReactNode {
  const [way, setWay] = useState<SnippetName>('curl');
  return (
    <div className="form">
      <p>
        <strong>{said.firstCall}</strong> <span className="quiet">{said.firstCallText}</span>
      </p>
      <div className="chips" role="group" aria-label={said.firstCall}>
        {SNIPPET_NAMES.map((one) => (
          <Chip key={one} on={one === way} toggle={() => setWay(one)}>
            {one}
          </Chip>
        ))}
      </div>
      <CodeBlock text={firstCall(way, key)} />
      <p className="small">
        <a href={`${key.baseUrl}/docs`}>{said.nextStep}</a>
      </p>
    </div>
  );
}
