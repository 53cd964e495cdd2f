import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useClient } from 'urql';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { OnboardingQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Card, PageHead, Timestamp, useTitle } from '../parts.js';
import { READS_KEYS, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { Handed } from './kyc-documents.js';
import { KycForm } from './kyc-form.js';
import { Steps } from './steps.js';

const ONBOARDING = graphql(`
  query Onboarding($owner: Boolean!) {
    viewer {
      developer {
        id
        onboardingStatus
        rejectionReason
        productionUnlocked
        productionRequest {
          requestedAt
          message
        }
        goLive {
          step
          completedAt
          isInReview
        }
        kyc @include(if: $owner) {
          id
          legalName
          pan
          gstin
          address
          pincode
          submittedAt
          documents {
            id
            kind
            fileName
            sizeBytes
          }
        }
        kycDraft @include(if: $owner) {
          remainingDocuments
          legalName
          pan
          gstin
          address
          pincode
          documents {
            id
            kind
            fileName
            sizeBytes
          }
        }
      }
    }
  }
`);
const ASK = graphql(`
  mutation AskForLive($input: RequestProductionInput!) {
    requestProduction(input: $input) {
      developer {
        id
        productionRequest {
          requestedAt
          message
        }
      }
    }
  }
`);

const said = words.onboarding;
export type Account = NonNullable<NonNullable<OnboardingQuery['viewer']>['developer']>;
export type Draft = NonNullable<Account['kycDraft']>;

export function Onboarding(): ReactNode {
  useTitle(said.title);
  const owner = usePermission('submitKyc');
  const account = useViewer().developer;
  const client = useClient();
  const [read] = useRead({ query: ONBOARDING, variables: { owner }, pause: !account });
  const reload = () => client.query(ONBOARDING, { owner }, { requestPolicy: 'network-only' }).toPromise();
  if (!account) return <NotFound />;
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={() => void reload()}>
        {({ viewer }) => (viewer?.developer ? <Shown account={viewer.developer} reload={reload} /> : null)}
      </Loaded>
    </>
  );
}

function Shown({ account, reload }: { account: Account; reload: () => Promise<unknown> }): ReactNode {
  const { onboardingStatus: status, kycDraft, kyc } = account;
  return (
    <div className="beside">
      <div className="stack">
        {status === 'KYC_CHANGES_REQUESTED' || status === 'REJECTED' ? (
          <section className={status === 'REJECTED' ? 'notice' : 'notice asks'} role="alert">
            <h2>{status === 'REJECTED' ? said.rejected : said.changesRequested}</h2>
            <p>{account.rejectionReason}</p>
            <p className="quiet">{said.resubmit}</p>
          </section>
        ) : null}
        {status === 'APPROVED' ? <Live account={account} reload={reload} /> : null}
        {kycDraft ? (
          <KycForm draft={kycDraft} earlier={kyc?.documents ?? []} reload={reload} />
        ) : kyc ? (
          <HandedIn kyc={kyc} isRead={status === 'APPROVED'} />
        ) : status === 'APPROVED' ? null : (
          <Card title={said.owner}>
            <p>{said.ownerOnly}</p>
          </Card>
        )}
      </div>
      <Card title={said.next}>
        <Steps steps={account.goLive ?? []} />
      </Card>
    </div>
  );
}

const HandedIn = ({ kyc, isRead }: { kyc: NonNullable<Account['kyc']>; isRead: boolean }): ReactNode => (
  <Card
    title={said.submittedKyc}
    side={
      <span className="quiet small">
        <Timestamp at={kyc.submittedAt} />
      </span>
    }
  >
    {isRead ? null : <p>{said.underReview}</p>}
    <dl className="facts">
      <dt>{said.legalName}</dt>
      <dd>{kyc.legalName}</dd>
      <dt>{said.pan}</dt>
      <dd>
        <code>{kyc.pan}</code>
      </dd>
      <dt>{said.gstin}</dt>
      <dd>{kyc.gstin ? <code>{kyc.gstin}</code> : '–'}</dd>
      <dt>{said.address}</dt>
      <dd>
        {kyc.address}, {kyc.pincode}
      </dd>
    </dl>
    <ul className="list">
      {kyc.documents.map((document) => (
        <li key={document.id}>
          <Handed document={document} />
        </li>
      ))}
    </ul>
  </Card>
);

function Live({ account, reload }: { account: Account; reload: () => Promise<unknown> }): ReactNode {
  const call = useCall(ASK);
  const canAsk = usePermission('requestProduction');
  const seesKeys = usePermission(READS_KEYS);
  const { productionRequest: asked, productionUnlocked } = account;
  async function ask(message: string | undefined): Promise<void> {
    const { data } = await call.run({ input: message ? { message } : {} });
    if (!data?.requestProduction) return;
    showMessage(said.requested);
    void reload();
  }
  return (
    <Card title={said.live} edge="live">
      {productionUnlocked ? (
        <p>
          {said.isLive}{' '}
          {seesKeys ? (
            <Link to="/keys" className="link">
              {said.keys}
            </Link>
          ) : null}
        </p>
      ) : asked ? (
        <>
          <p>
            <strong>{said.requested}</strong> <Timestamp at={asked.requestedAt} />
          </p>
          {asked.message ? <blockquote>{asked.message}</blockquote> : null}
          <p className="quiet">{said.requestedText}</p>
        </>
      ) : (
        <>
          <p className="quiet">{said.liveText}</p>
          {canAsk ? (
            <CallForm
              failure={call.failure}
              document={ASK}
              busy={call.isRunning}
              submit={said.requestProduction}
              kind="live"
              send={({ message }) => void ask(message)}
            >
              <TextField name="message" label={said.message} hint={said.messageHint} maxLength={500} />
            </CallForm>
          ) : null}
        </>
      )}
    </Card>
  );
}
