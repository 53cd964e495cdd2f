import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useClient } from 'urql';
import { useCall } from '../call.js';
import { sizeText } from '../format.js';
import type { KycField, KycReviewQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Badge, Button, Card, Empty, PageHead, Problem, Timestamp, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { requiresStepUp, verifySecondFactor } from '../step-up.js';
import { words } from '../words.js';
import { States } from './developers.js';
import { Decisions } from './kyc-decisions.js';
import { kindText } from './kyc-uploads.js';
import { Notes } from './notes.js';

const REVIEW = graphql(`
  query KycReview($id: ID!) {
    developer(id: $id) {
      id
      name
      email
      mobile
      createdAt
      onboardingStatus
      productionUnlocked
      suspendedAt
      closedAt
      rejectionReason
      kycSubmittedAt
      kyc {
        id
        legalName
        pan
        gstin
        address
        pincode
        developersWithSamePan
        documents {
          id
          kind
          fileName
          contentType
          sizeBytes
          downloadUrl
        }
      }
    }
  }
`);
const REVEAL = graphql(`
  mutation RevealKycField($input: RevealKycFieldInput!) {
    revealKycField(input: $input) {
      value
    }
  }
`);
const said = words.kyc;
export type Account = NonNullable<KycReviewQuery['developer']>;
type Submission = NonNullable<Account['kyc']>;
type Document = Submission['documents'][number];

/** What one developer handed in: documents beside what was typed, and the decision. */
export function KycReview(): ReactNode {
  const { developerId: id } = useParams({ from: '/framed/kyc/accounts/$developerId' });
  // links of documents live for a minute: none of an earlier reading is shown
  const [read, again] = useRead({ query: REVIEW, variables: { id }, requestPolicy: 'network-only' });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <Loaded read={read} retry={reload}>
      {({ developer }) =>
        developer ? (
          <Shown key={developer.id} account={developer} reload={reload} />
        ) : (
          <Empty action={<Link to="/kyc">{said.title}</Link>}>{words.developer.missing}</Empty>
        )
      }
    </Loaded>
  );
}

function Shown({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  useTitle(account.name);
  const { kyc } = account;
  return (
    <>
      <PageHead
        title={account.name}
        lead={
          <span className="row">
            <Link to="/kyc">{words.nav.kyc}</Link>
            <States developer={account} />
          </span>
        }
      >
        {account.onboardingStatus === 'KYC_SUBMITTED' && !account.closedAt ? <Decisions account={account} /> : null}
      </PageHead>
      {account.rejectionReason ? <p className="notice asks">{account.rejectionReason}</p> : null}
      {kyc ? (
        <div className="columns">
          <Typed account={account} kyc={kyc} />
          <div className="stack">
            {kyc.documents.map((document) => (
              <ShownDocument key={document.id} document={document} reload={reload} />
            ))}
          </div>
          <Notes developerId={account.id} />
        </div>
      ) : (
        <Empty>{said.nothing}</Empty>
      )}
    </>
  );
}

const Typed = ({ account, kyc }: { account: Account; kyc: Submission }): ReactNode => (
  <Card title={words.onboarding.owner}>
    {kyc.developersWithSamePan ? (
      <p className="row">
        <Badge tone="bad">{said.samePan(kyc.developersWithSamePan)}</Badge>
      </p>
    ) : null}
    <dl className="facts">
      <dt>{words.onboarding.legalName}</dt>
      <dd>{kyc.legalName}</dd>
      <dt>{words.onboarding.pan}</dt>
      <dd>
        <Masked submissionId={kyc.id} field="PAN" name={words.onboarding.pan} masked={kyc.pan} />
      </dd>
      <dt>{words.onboarding.gstin}</dt>
      <dd>
        {kyc.gstin ? (
          <Masked submissionId={kyc.id} field="GSTIN" name={words.onboarding.gstin} masked={kyc.gstin} />
        ) : (
          '–'
        )}
      </dd>
      <dt>{words.onboarding.address}</dt>
      <dd>
        {kyc.address}, {kyc.pincode}
      </dd>
      <dt>{words.developer.email}</dt>
      <dd>{account.email}</dd>
      <dt>{words.signUp.mobile}</dt>
      <dd>{account.mobile ?? '–'}</dd>
      <dt>{said.signedUp}</dt>
      <dd>
        <Timestamp at={account.createdAt} />
      </dd>
      <dt>{said.since}</dt>
      <dd>{account.kycSubmittedAt ? <Timestamp at={account.kycSubmittedAt} /> : '–'}</dd>
    </dl>
    {usePermission('revealKycField') ? <p className="quiet small">{said.revealHint}</p> : null}
  </Card>
);

/** A masked value that a reviewer can reveal to compare it with the documents. Only this component keeps the revealed value. */
function Masked({
  submissionId,
  field,
  name,
  masked,
}: {
  submissionId: string;
  field: KycField;
  name: string;
  masked: string;
}): ReactNode {
  const call = useCall(REVEAL);
  const [shown, setShown] = useState<string | null>(null);
  const canReveal = usePermission('revealKycField');
  async function show(): Promise<void> {
    const { data } = await call.run({ input: { submissionId, field } });
    setShown(data?.revealKycField?.value ?? null);
  }
  return (
    <span className="row">
      <code>{shown ?? masked}</code>
      {canReveal ? (
        <Button
          busy={call.isRunning}
          onClick={() => {
            if (shown === null) void show();
            else setShown(null);
          }}
        >
          {shown === null ? said.show(name) : said.hide(name)}
        </Button>
      ) : null}
      {call.failure ? <Problem failure={call.failure} /> : null}
    </span>
  );
}

/** A file of the console; undefined when there is no network. */
const fileOf = (url: string): Promise<Response | undefined> => fetch(url).catch(() => undefined);

/** An image in its place; anything else is a file to be saved. A link that has ended is asked for again. */
function ShownDocument({ document, reload }: { document: Document; reload: () => void }): ReactNode {
  const [ended, setEnded] = useState<string | null>();
  /** Links of one second are equal: the new one may be the one that ended. */
  function open(): void {
    setEnded(null);
    reload();
  }
  /** Ended links answer otherwise: the reader opens them again. */
  async function failed(failedUrl: string): Promise<void> {
    setEnded(failedUrl);
    if ((await requiresStepUp(await fileOf(failedUrl))) && (await verifySecondFactor())) open();
  }
  async function showAgain(failedUrl: string): Promise<void> {
    if (!(await requiresStepUp(await fileOf(failedUrl))) || (await verifySecondFactor())) open();
  }
  const { downloadUrl: url, contentType, fileName } = document;
  const isImage = contentType.startsWith('image/');
  return (
    <Card title={kindText(document.kind)} side={isImage ? null : <Download document={document} />}>
      <p className="quiet small">
        {fileName} · {sizeText(document.sizeBytes)}
      </p>
      {isImage && url ? (
        ended === url ? (
          <Button onClick={() => void showAgain(url)}>{said.showAgain}</Button>
        ) : (
          <img
            className="scan"
            src={url}
            alt={`${kindText(document.kind)}: ${fileName}`}
            onError={() => void failed(url)}
          />
        )
      ) : null}
    </Card>
  );
}

/** With a link of this moment: the one that was read with the page lives for a minute. */
function Download({ document }: { document: Document }): ReactNode {
  const client = useClient();
  const { developerId: id } = useParams({ from: '/framed/kyc/accounts/$developerId' });
  async function save(): Promise<void> {
    const { data } = await client.query(REVIEW, { id }, { requestPolicy: 'network-only' }).toPromise();
    const url = data?.developer?.kyc?.documents.find((one) => one.id === document.id)?.downloadUrl;
    const file = url ? await fileOf(url) : undefined;
    // by a link of that moment: asking took its time
    if (await requiresStepUp(file)) return (await verifySecondFactor()) ? save() : undefined;
    if (!file?.ok) return;
    const link = Object.assign(globalThis.document.createElement('a'), {
      href: URL.createObjectURL(await file.blob()),
      download: document.fileName,
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }
  return <Button onClick={() => void save()}>{said.download}</Button>;
}
