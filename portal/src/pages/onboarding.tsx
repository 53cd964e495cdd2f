import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { useCall } from '../call.js';
import type { OnboardingQuery, SubmitKycInput } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { NoPage } from '../no-page.js';
import { At, CallForm, Card, PageHead, TextField, useTitle } from '../parts.js';
import { useMay, useViewer } from '../people.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { Documents, Handed } from './kyc-documents.js';
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
          doneAt
          waitsForUs
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
          left
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
const SAVE = graphql(`
  mutation SaveDraft($input: SaveKycDraftInput!) {
    saveKycDraft(input: $input) {
      developer {
        id
        kycDraft {
          legalName
          pan
          gstin
          address
          pincode
        }
      }
    }
  }
`);
const SUBMIT = graphql(`
  mutation HandIn($input: SubmitKycInput!) {
    submitKyc(input: $input) {
      developer {
        id
        onboardingStatus
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
type Account = NonNullable<NonNullable<OnboardingQuery['viewer']>['developer']>;
type Draft = NonNullable<Account['kycDraft']>;

export function Onboarding(): ReactNode {
  useTitle(said.title);
  const owner = useMay('submitKyc');
  const account = useViewer().developer;
  const [read, again] = useQuery({ query: ONBOARDING, variables: { owner }, pause: !account });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  if (!account) return <NoPage />;
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload}>
        {({ viewer }) => (viewer?.developer ? <Shown account={viewer.developer} reload={reload} /> : null)}
      </Loaded>
    </>
  );
}

function Shown({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  const { onboardingStatus: status, kycDraft, kyc } = account;
  return (
    <div className="beside">
      <div className="stack">
        {status === 'KYC_CHANGES_WANTED' || status === 'REJECTED' ? (
          <section className={status === 'REJECTED' ? 'notice' : 'notice asks'} role="alert">
            <h2>{status === 'REJECTED' ? said.rejected : said.changes}</h2>
            <p>{account.rejectionReason}</p>
            <p className="quiet">{said.mend}</p>
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

const TYPED_MS = 800;

/** Keeps what is typed, a moment after the last key and when a field is left. */
function useDraft() {
  const call = useCall(SAVE);
  const [state, setState] = useState<'none' | 'saving' | 'saved' | 'notSaved'>('none');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<HTMLFormElement>(undefined);
  async function save(): Promise<void> {
    clearTimeout(timer.current);
    const form = waiting.current;
    if (!form) return;
    waiting.current = undefined;
    setState('saving');
    const { data, failure } = await call.run({ input: Object.fromEntries(new FormData(form)) });
    if (data) return setState('saved');
    // refused, or another one is under way: what was typed goes with the next
    waiting.current ??= form;
    if (failure) setState('notSaved');
    else timer.current = setTimeout(() => void save(), TYPED_MS);
  }
  return {
    state,
    typed: (form: HTMLFormElement) => {
      waiting.current = form;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), TYPED_MS);
    },
    leave: () => void save(),
    /** It is handed in: there is no draft any more. */
    end: () => {
      clearTimeout(timer.current);
      waiting.current = undefined;
    },
  };
}

const formOf = (target: EventTarget): HTMLFormElement | null => (target as HTMLInputElement).form ?? null;

function KycForm({
  draft,
  earlier,
  reload,
}: {
  draft: Draft;
  earlier: NonNullable<Account['kyc']>['documents'];
  reload: () => void;
}): ReactNode {
  const call = useCall(SUBMIT);
  const kept = useDraft();
  const [left, setLeft] = useState<readonly string[]>([]);
  const again = earlier.filter(({ id }) => !left.includes(id));
  const documentIds = [...again, ...draft.documents].map(({ id }) => id);
  const [lacksDocument, setLacksDocument] = useState(false);
  async function handIn({ gstin, ...typed }: Record<string, string>): Promise<void> {
    setLacksDocument(documentIds.length === 0);
    if (documentIds.length === 0) return;
    kept.end();
    const input = { ...typed, ...(gstin ? { gstin } : {}), documentIds } as SubmitKycInput;
    const { data } = await call.run({ input });
    if (!data?.submitKyc) return;
    say(said.submitted);
    reload();
  }
  return (
    <>
      <Card title={said.documents}>
        <Documents
          draft={draft}
          earlier={earlier}
          isLeft={(id) => left.includes(id)}
          toggle={(id) => setLeft(left.includes(id) ? left.filter((one) => one !== id) : [...left, id])}
          reload={reload}
        />
      </Card>
      <Card title={said.owner}>
        {/* what bubbles up of its fields */}
        <div
          onInput={({ target }) => {
            const form = formOf(target);
            if (form) kept.typed(form);
          }}
          onBlur={kept.leave}
        >
          <CallForm
            failure={call.failure}
            message={lacksDocument && documentIds.length === 0 ? said.noDocument : undefined}
            busy={call.isRunning}
            submit={said.submit}
            send={(values) => void handIn(values)}
            extra={
              <span role="status" className="quiet small grow">
                {kept.state === 'none' ? null : said[kept.state]}
              </span>
            }
          >
            <TextField
              name="legalName"
              label={said.legalName}
              hint={said.legalNameHint}
              start={draft.legalName ?? ''}
              maxLength={100}
              autoComplete="organization"
              required
            />
            <div className="pair">
              <TextField
                name="pan"
                label={said.pan}
                hint={said.panHint}
                start={draft.pan ?? ''}
                maxLength={10}
                pattern="[A-Za-z]{5}[0-9]{4}[A-Za-z]"
                title={said.panRule}
                autoCapitalize="characters"
                autoComplete="off"
                spellCheck={false}
                required
              />
              <TextField
                name="gstin"
                label={said.gstin}
                hint={said.gstinHint}
                start={draft.gstin ?? ''}
                maxLength={15}
                autoCapitalize="characters"
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <TextField
              name="address"
              label={said.address}
              start={draft.address ?? ''}
              maxLength={255}
              autoComplete="street-address"
              required
            />
            <TextField
              name="pincode"
              label={said.pincode}
              start={draft.pincode ?? ''}
              maxLength={6}
              pattern="[1-9][0-9]{5}"
              title={said.pincodeRule}
              inputMode="numeric"
              autoComplete="postal-code"
              required
            />
          </CallForm>
        </div>
      </Card>
    </>
  );
}

const HandedIn = ({ kyc, isRead }: { kyc: NonNullable<Account['kyc']>; isRead: boolean }): ReactNode => (
  <Card
    title={said.handedIn}
    side={
      <span className="quiet small">
        <At at={kyc.submittedAt} />
      </span>
    }
  >
    {isRead ? null : <p>{said.reading}</p>}
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

function Live({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  const call = useCall(ASK);
  const mayAsk = useMay('requestProduction');
  const { productionRequest: asked, productionUnlocked } = account;
  async function ask(message: string | undefined): Promise<void> {
    const { data } = await call.run({ input: message ? { message } : {} });
    if (!data?.requestProduction) return;
    say(said.asked);
    reload();
  }
  return (
    <Card title={said.live} edge="live">
      {productionUnlocked ? (
        <p>
          {said.isLive}{' '}
          <Link to="/keys" className="link">
            {said.keys}
          </Link>
        </p>
      ) : asked ? (
        <>
          <p>
            <strong>{said.asked}</strong> <At at={asked.requestedAt} />
          </p>
          {asked.message ? <blockquote>{asked.message}</blockquote> : null}
          <p className="quiet">{said.askedText}</p>
        </>
      ) : (
        <>
          <p className="quiet">{said.liveText}</p>
          {mayAsk ? (
            <CallForm
              failure={call.failure}
              busy={call.isRunning}
              submit={said.ask}
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
