import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient, useQuery } from 'urql';
import { useCall } from '../call.js';
import { rupees } from '../format.js';
import type { KycReviewQuery, Service } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { At, Badge, Button, CallForm, Card, Empty, PageHead, TextField, useTitle, Window } from '../parts.js';
import { useMay } from '../people.js';
import { useFeeLimit } from '../service-access.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { States } from './developers.js';
import { kindText, sizeText } from './kyc-documents.js';
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
        samePanOtherDevelopers
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
const NEXT = graphql(`
  query NextKyc {
    developers(first: 2, filter: { status: KYC_SUBMITTED }, sort: KYC_SUBMITTED_ASC) {
      edges {
        node {
          id
        }
      }
    }
  }
`);
const APPROVE = graphql(`
  mutation ApproveKyc($input: ApproveDeveloperInput!) {
    approveDeveloper(input: $input) {
      proposal {
        id
      }
      developer {
        id
        onboardingStatus
        approvedAt
      }
    }
  }
`);
const CHANGES = graphql(`
  mutation WantChanges($input: RequestKycChangesInput!) {
    requestKycChanges(input: $input) {
      developer {
        id
        onboardingStatus
        rejectionReason
      }
    }
  }
`);
const REJECT = graphql(`
  mutation RejectKyc($input: RejectDeveloperInput!) {
    rejectDeveloper(input: $input) {
      developer {
        id
        onboardingStatus
        rejectionReason
      }
    }
  }
`);

const said = words.kyc;
type Account = NonNullable<KycReviewQuery['developer']>;
type Submission = NonNullable<Account['kyc']>;
type Document = Submission['documents'][number];

/** What one developer handed in: documents beside what was typed, and the decision. */
export function KycReview(): ReactNode {
  const { developerId: id } = useParams({ from: '/framed/kyc/accounts/$developerId' });
  // links of documents live for a minute: none of an earlier reading is shown
  const [read, again] = useQuery({ query: REVIEW, variables: { id }, requestPolicy: 'network-only' });
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
    {kyc.samePanOtherDevelopers ? (
      <p className="row">
        <Badge tone="bad">{said.samePan(kyc.samePanOtherDevelopers)}</Badge>
      </p>
    ) : null}
    <dl className="facts">
      <dt>{words.onboarding.legalName}</dt>
      <dd>{kyc.legalName}</dd>
      <dt>{words.onboarding.pan}</dt>
      <dd>
        <code>{kyc.pan}</code>
      </dd>
      <dt>{words.onboarding.gstin}</dt>
      <dd>{kyc.gstin ? <code>{kyc.gstin}</code> : '–'}</dd>
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
        <At at={account.createdAt} />
      </dd>
      <dt>{said.since}</dt>
      <dd>{account.kycSubmittedAt ? <At at={account.kycSubmittedAt} /> : '–'}</dd>
    </dl>
  </Card>
);

/** An image in its place; anything else is a file to be saved. A link that has ended is asked for again. */
function ShownDocument({ document, reload }: { document: Document; reload: () => void }): ReactNode {
  const [ended, setEnded] = useState<string | null>();
  const { downloadUrl: url, contentType, fileName } = document;
  const isImage = contentType.startsWith('image/');
  return (
    <Card title={kindText(document.kind)} side={isImage ? null : <Download document={document} />}>
      <p className="quiet small">
        {fileName} · {sizeText(document.sizeBytes)}
      </p>
      {isImage && url ? (
        ended === url ? (
          <Button onClick={reload}>{said.showAgain}</Button>
        ) : (
          <img
            className="scan"
            src={url}
            alt={`${kindText(document.kind)}: ${fileName}`}
            onError={() => setEnded(url)}
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
    if (url) location.assign(url);
  }
  return <Button onClick={() => void save()}>{said.download}</Button>;
}

/** After a decision the next one is there. */
function useNext(): (done: string, decided: string) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  return async (done, decided) => {
    say(done);
    const { data } = await client.query(NEXT, {}, { requestPolicy: 'network-only' }).toPromise();
    const next = data?.developers?.edges.map(({ node }) => node.id).find((id) => id !== decided);
    if (next) await navigate({ to: '/kyc/accounts/$developerId', params: { developerId: next } });
    else await navigate({ to: '/kyc' });
  };
}

function Decisions({ account }: { account: Account }): ReactNode {
  const withServices = useMay('setServiceAccess');
  if (!useMay('approveDeveloper')) return null;
  return (
    <>
      <Refuse account={account} document={REJECT} kind="bad" of={said.reject} />
      <Refuse account={account} document={CHANGES} kind="plain" of={said.changes} />
      <Approve account={account} withServices={withServices} />
    </>
  );
}

function Refuse<Given extends AnyVariables>({
  account,
  document,
  kind,
  of,
}: {
  account: Account;
  document: TypedDocumentNode<object, Given>;
  kind: 'plain' | 'bad';
  of: typeof said.reject;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const call = useCall(document);
  const next = useNext();
  const close = (): void => {
    call.reset();
    setOpen(false);
  };
  async function decide(reason: string): Promise<void> {
    const { data } = await call.run({ input: { developerId: account.id, reason } } as unknown as Given);
    if (!data) return;
    setOpen(false);
    await next(of.done(account.name), account.id);
  }
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {of.name}
      </Button>
      <Window title={of.title(account.name)} text={of.text} open={isOpen} onClose={close}>
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={of.submit}
          kind={kind === 'bad' ? 'bad' : 'main'}
          send={({ reason }) => void decide(reason!)}
        >
          <TextField name="reason" label={words.common.reason} hint={of.hint} maxLength={500} required autoFocus />
        </CallForm>
      </Window>
    </>
  );
}

const SERVICES = Object.entries(words.services) as [Service, string][];

function Approve({ account, withServices }: { account: Account; withServices: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const call = useCall(APPROVE);
  const limit = useFeeLimit(!withServices || !isOpen);
  const next = useNext();
  async function approve(values: Record<string, string>): Promise<void> {
    const chosen = SERVICES.filter(([service]) => values[service]);
    const services = chosen.map(([service]) => ({ service, fee: Number(values[`fee-${service}`] || 0) }));
    const input = { developerId: account.id, ...(services.length > 0 ? { services } : {}) };
    const { data } = await call.run({ input });
    if (!data?.approveDeveloper) return;
    setOpen(false);
    const { name } = account;
    await next(data.approveDeveloper.proposal ? said.approvedFees(name) : said.approved(name), account.id);
  }
  return (
    <>
      <Button kind="main" onClick={() => setOpen(true)}>
        {said.approve}
      </Button>
      <Window
        title={said.approveTitle(account.name)}
        text={withServices ? said.approveText : said.approveAlone}
        open={isOpen}
        onClose={() => {
          call.reset();
          setOpen(false);
        }}
      >
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={said.approve}
          send={(values) => void approve(values)}
        >
          {withServices ? (
            <fieldset className="grants">
              <legend>{said.services}</legend>
              {SERVICES.map(([service, name]) => (
                <div key={service} className="grant">
                  <label className="tick">
                    <input type="checkbox" name={service} /> {name}
                  </label>
                  <input
                    type="number"
                    name={`fee-${service}`}
                    aria-label={said.fee(name)}
                    placeholder={said.free}
                    min={0}
                    max={10_000}
                    step={0.01}
                    inputMode="decimal"
                  />
                </div>
              ))}
            </fieldset>
          ) : null}
          {limit === undefined ? null : (
            <p className="hint">
              <strong>{said.feeLimit(rupees(limit))}</strong>
            </p>
          )}
        </CallForm>
      </Window>
    </>
  );
}
