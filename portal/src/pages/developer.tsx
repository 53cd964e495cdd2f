import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useQuery } from 'urql';
import { useCall } from '../call.js';
import type { DeveloperQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { At, Button, CallForm, Card, Empty, PageHead, TextField, useTitle, Window } from '../parts.js';
import { isStaff, readsMoney, useMay, useViewer } from '../people.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { DeveloperKeys } from './developer-keys.js';
import { Limits } from './developer-limits.js';
import { MoneyActions } from './developer-money.js';
import { States } from './developers.js';
import { Wallet } from './home.js';
import { Notes } from './notes.js';
import { Toggle } from './toggle.js';

const DEVELOPER = graphql(`
  query Developer($id: ID!, $money: Boolean!) {
    developer(id: $id) {
      id
      name
      email
      createdAt
      approvedAt
      onboardingStatus
      productionUnlocked
      suspendedAt
      closedAt
      suspensionReason
      rejectionReason
      accountNumber
      productionRequest {
        requestedAt
        message
      }
      rechargeProvider
      rateLimitPerMinute
      tokenIdleDays
      tokenMaxDays
      duplicateGuardSeconds
      whiteLabel {
        id
        name
      }
      wallets @include(if: $money) {
        id
        environment
        balance
        held
      }
      credentials @include(if: $money) {
        id
        clientId
        environment
        label
        revokedAt
        lastUsedAt
        suspendedAt
        suspensionReason
      }
      users {
        id
        name
        email
      }
      services {
        id
        service
        enabled
        fee
        changedAt
        changedBy {
          name
        }
      }
    }
  }
`);
const UNLOCK = graphql(`
  mutation Unlock($input: UnlockProductionInput!) {
    unlockProduction(input: $input) {
      proposal {
        id
      }
      developer {
        id
        productionUnlocked
        productionRequest {
          requestedAt
          message
        }
      }
    }
  }
`);
const LOCK = graphql(`
  mutation Lock($input: LockProductionInput!) {
    lockProduction(input: $input) {
      developer {
        id
        productionUnlocked
      }
    }
  }
`);
const SUSPEND = graphql(`
  mutation Suspend($input: SuspendDeveloperInput!) {
    suspendDeveloper(input: $input) {
      developer {
        id
        suspendedAt
        suspensionReason
      }
    }
  }
`);
const REINSTATE = graphql(`
  mutation Reinstate($input: ReinstateDeveloperInput!) {
    reinstateDeveloper(input: $input) {
      developer {
        id
        suspendedAt
        suspensionReason
      }
    }
  }
`);

const said = words.developer;
export type Account = NonNullable<DeveloperQuery['developer']>;

export function DeveloperPage(): ReactNode {
  const money = readsMoney(useViewer());
  const { developerId } = useParams({ from: '/framed/developers/$developerId' });
  const [read, again] = useQuery({ query: DEVELOPER, variables: { id: developerId, money } });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
      {({ developer }) =>
        developer ? (
          <Shown account={developer} reload={() => again({ requestPolicy: 'network-only' })} />
        ) : (
          <Empty action={<Link to="/developers">{said.back}</Link>}>{said.missing}</Empty>
        )
      }
    </Loaded>
  );
}

function Shown({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  useTitle(account.name);
  // what is for staff alone is not asked for where a developer looks at their own account
  const reads = isStaff(useViewer());
  return (
    <>
      <PageHead
        title={account.name}
        lead={
          <span className="row">
            <Link to="/developers">{said.back}</Link>
            <States developer={account} />
            <Link to="/team" search={{ developer: account.id }}>
              {said.people}
            </Link>
            {account.wallets ? (
              <>
                <Link to="/developers/$developerId/wallet" params={{ developerId: account.id }}>
                  {said.statement}
                </Link>
                <Link to="/orders" search={{ developer: account.id }}>
                  {said.orders}
                </Link>
                {account.closedAt ? null : (
                  <Link to="/webhooks" search={{ developer: account.id }}>
                    {said.webhooks}
                  </Link>
                )}
              </>
            ) : null}
          </span>
        }
      >
        {account.closedAt ? null : <Decisions account={account} reload={reload} />}
        <MoneyActions account={account} />
      </PageHead>
      <Notice account={account} />
      {account.productionRequest ? (
        <section className="notice asks">
          <h2>{said.request}</h2>
          <p className="lines">{account.productionRequest.message ?? said.requestNone}</p>
          <p className="quiet small">
            <At at={account.productionRequest.requestedAt} />
          </p>
        </section>
      ) : null}
      <div className="columns">
        <div className="stack">
          <Facts account={account} />
          {account.wallets?.map((wallet) => (
            <Wallet key={wallet.id} wallet={wallet} />
          ))}
          <Card title={said.access}>
            <p className="quiet">{said.accessText}</p>
            <ul className="list">
              {account.services?.map((access) => (
                <li key={access.service}>
                  <div>{words.services[access.service]}</div>
                  <Toggle developer={account} access={access} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <div className="stack">
          {reads ? <Limits account={account} reload={reload} /> : null}
          {account.credentials ? <DeveloperKeys credentials={account.credentials} /> : null}
          <Card title={said.people}>
            {account.users?.length === 0 ? <p className="quiet">{said.nobody}</p> : null}
            <ul className="list">
              {account.users?.map(({ id, name, email }) => (
                <li key={id}>
                  <div>
                    <strong>{name}</strong> <span className="quiet">{email}</span>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          {reads ? <Notes developerId={account.id} /> : null}
        </div>
      </div>
    </>
  );
}

/** Why nothing works, where nothing does. */
function Notice({ account: { closedAt, suspensionReason, rejectionReason } }: { account: Account }): ReactNode {
  const reason = suspensionReason ?? rejectionReason;
  if (!closedAt && !reason) return null;
  return (
    <p className="notice">
      {closedAt ? `${said.closed} ` : null}
      {reason}
    </p>
  );
}

const Facts = ({ account }: { account: Account }): ReactNode => (
  <Card title={said.facts}>
    <dl className="facts">
      <dt>{said.email}</dt>
      <dd>{account.email}</dd>
      <dt>{said.id}</dt>
      <dd>
        <code>{account.id}</code>
      </dd>
      <dt>{said.number}</dt>
      <dd>
        <code>{account.accountNumber}</code>
      </dd>
      <dt>{said.since}</dt>
      <dd>
        <At at={account.createdAt} />
      </dd>
      <dt>{said.approvedAt}</dt>
      <dd>{account.approvedAt ? <At at={account.approvedAt} /> : '–'}</dd>
      <dt>{said.whiteLabel}</dt>
      <dd>{account.whiteLabel?.name ?? said.platform}</dd>
    </dl>
  </Card>
);

/** The decisions that this account is open to; whoever only reads sees none. */
function Decisions({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  const isAdmin = useViewer().user.role === 'ADMIN';
  const mayReview = useMay('approveDeveloper');
  const of = { account, reload };
  const isApproved = account.onboardingStatus === 'APPROVED';
  return (
    <>
      {account.onboardingStatus === 'KYC_SUBMITTED' && mayReview ? (
        <Link to="/kyc/accounts/$developerId" params={{ developerId: account.id }} className="button" data-kind="main">
          {said.review}
        </Link>
      ) : null}
      {isAdmin && isApproved && !account.productionUnlocked ? (
        <Decision
          {...of}
          document={UNLOCK}
          kind="live"
          name={said.unlock}
          title={said.unlockTitle}
          text={said.unlockText}
          done={said.unlocked}
        />
      ) : null}
      {isAdmin && account.productionUnlocked ? (
        <Decision
          {...of}
          document={LOCK}
          kind="bad"
          name={said.lock}
          title={said.lockTitle}
          text={said.lockText}
          done={said.lockedDone}
          withReason
        />
      ) : null}
      {!isAdmin ? null : account.suspendedAt ? (
        <Decision
          {...of}
          document={REINSTATE}
          kind="main"
          name={said.reinstate}
          title={said.reinstateTitle}
          text={said.reinstateText}
          done={said.reinstated}
        />
      ) : (
        <Decision
          {...of}
          document={SUSPEND}
          kind="bad"
          name={said.suspend}
          title={said.suspendTitle}
          text={said.suspendText}
          done={said.suspendedDone}
          withReason
        />
      )}
    </>
  );
}

/** Where two people decide, the first one has made a proposal. */
const isWaiting = (data: object): boolean =>
  Object.values(data).some((payload: { proposal?: object | null } | null) => Boolean(payload?.proposal));

/** A button, the dialog that says what it does, and the reason where the trail wants one. */
function Decision<Given extends AnyVariables & { input: { developerId: string } }>({
  account,
  document,
  kind,
  name,
  title,
  text,
  done,
  withReason,
  reload,
}: {
  account: Account;
  document: TypedDocumentNode<object, Given>;
  kind: 'main' | 'bad' | 'live';
  name: string;
  title: (name: string) => string;
  text: string;
  done: (name: string) => string;
  withReason?: boolean;
  reload: () => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const call = useCall(document);
  async function decide(reason: string | undefined): Promise<void> {
    const given = { input: { developerId: account.id, ...(withReason ? { reason } : {}) } };
    const { data } = await call.run(given as unknown as Given);
    if (!data) return;
    setOpen(false);
    say(isWaiting(data) ? words.common.waits(title(account.name)) : done(account.name));
    reload();
  }
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Window
        title={title(account.name)}
        text={text}
        open={isOpen}
        onClose={() => {
          call.reset();
          setOpen(false);
        }}
        {...(kind === 'live' ? { edge: 'live' as const } : {})}
      >
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={name}
          kind={kind}
          send={({ reason }) => void decide(reason)}
        >
          {withReason ? (
            <TextField name="reason" label={words.common.reason} maxLength={500} required autoFocus />
          ) : null}
        </CallForm>
      </Window>
    </>
  );
}
