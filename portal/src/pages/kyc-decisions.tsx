import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { useFeeLimit } from '../approval-rules.js';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import { rupees } from '../format.js';
import type { Service } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Button, Window } from '../parts.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Account } from './kyc-review.js';

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
      approvalRequest {
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
/** After a decision the next one is there. */
function useNext(): (done: string, decided: string) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  return async (done, decided) => {
    showMessage(done);
    const { data } = await client.query(NEXT, {}, { requestPolicy: 'network-only' }).toPromise();
    const next = data?.developers?.edges.map(({ node }) => node.id).find((id) => id !== decided);
    if (next) await navigate({ to: '/kyc/accounts/$developerId', params: { developerId: next } });
    else await navigate({ to: '/kyc' });
  };
}

export function Decisions({ account }: { account: Account }): ReactNode {
  const withServices = usePermission('setServiceAccess');
  if (!usePermission('approveDeveloper')) return null;
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
          document={document as TypedDocumentNode}
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
    await next(data.approveDeveloper.approvalRequest ? said.approvedFees(name) : said.approved(name), account.id);
  }
  return (
    <>
      <Button kind="main" data-decide onClick={() => setOpen(true)}>
        {said.approve}
      </Button>
      <Window
        title={said.approveTitle(account.name)}
        text={withServices ? said.approveText : said.approveWithoutServices}
        open={isOpen}
        onClose={() => {
          call.reset();
          setOpen(false);
        }}
      >
        <CallForm
          failure={call.failure}
          document={APPROVE}
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
