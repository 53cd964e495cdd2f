import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useRequiresApproval } from '../approval-rules.js';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Button, Window } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Account } from './developer.js';

const UNLOCK = graphql(`
  mutation Unlock($input: UnlockProductionInput!) {
    unlockProduction(input: $input) {
      approvalRequest {
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
/** The decisions that this account is open to; whoever only reads sees none. */
export function Decisions({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  const isAdmin = useViewer().user.role === 'ADMIN';
  const canReview = usePermission('approveDeveloper');
  const of = { account, reload };
  const unlockTakesTwo = useRequiresApproval('UNLOCK', !isAdmin);
  const toReview = account.onboardingStatus === 'KYC_SUBMITTED';
  const isApproved = account.onboardingStatus === 'APPROVED';
  return (
    <>
      {account.kycSubmittedAt && canReview ? (
        <Link
          to="/kyc/accounts/$developerId"
          params={{ developerId: account.id }}
          className="button"
          data-kind={toReview ? 'main' : undefined}
        >
          {toReview ? said.review : said.kyc}
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
          hint={unlockTakesTwo ? said.unlockSecond : words.decisions.noSecondApprover}
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

/** Where two people decide, the first one has made an approval request. */
const isWaiting = (data: object): boolean =>
  Object.values(data).some((payload: { approvalRequest?: object | null } | null) => Boolean(payload?.approvalRequest));

/** A button, the dialog that says what it does, and the reason where the audit log wants one. */
function Decision<Given extends AnyVariables & { input: { developerId: string } }>({
  account,
  document,
  kind,
  name,
  title,
  text,
  hint,
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
  /** Who decides it, where that is not always one person. */
  hint?: string;
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
    showMessage(isWaiting(data) ? words.common.pendingApproval(title(account.name)) : done(account.name));
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
          document={document as TypedDocumentNode}
          busy={call.isRunning}
          submit={kind === 'live' ? title(account.name) : name}
          kind={kind}
          send={({ reason }) => void decide(reason)}
        >
          {hint === undefined ? null : <p className="hint">{hint}</p>}
          {withReason ? (
            <TextField name="reason" label={words.common.reason} maxLength={500} required autoFocus />
          ) : null}
        </CallForm>
      </Window>
    </>
  );
}
