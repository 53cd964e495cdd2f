import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { ApprovalRequestQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { showResults } from '../outcome.js';
import { Button } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { deedOf } from './approval-requests.js';

const APPROVE = graphql(`
  mutation ApproveApprovalRequest($input: ApproveApprovalRequestInput!) {
    approveApprovalRequest(input: $input) {
      outcome {
        ... on ApprovalRequestApproved {
          approvalRequest {
            id
            state
            resolvedAt
            canApprove
            resolvedBy {
              name
              user {
                id
              }
            }
            order {
              id
              status
            }
          }
          developer {
            id
            productionUnlocked
            rechargeProvider
            wallets {
              id
              balance
              held
            }
          }
          results {
            orderId
            result
            code
          }
        }
      }
    }
  }
`);
const REJECT = graphql(`
  mutation RejectApprovalRequest($input: RejectApprovalRequestInput!) {
    rejectApprovalRequest(input: $input) {
      approvalRequest {
        id
        state
        resolvedAt
        canApprove
        resolvedBy {
          name
          user {
            id
          }
        }
        rejectionReason
      }
    }
  }
`);

const said = words.approvalRequests;
export type ShownApprovalRequest = Extract<NonNullable<ApprovalRequestQuery['node']>, { state: unknown }>;

/** Actions of the viewer: approve or reject a request, or withdraw their own. */
export function Decide({
  approvalRequest,
  done,
}: {
  approvalRequest: ShownApprovalRequest;
  done: () => void;
}): ReactNode {
  const [isRejecting, setRejecting] = useState(false);
  const isOwn = approvalRequest.requestedBy.user?.id === useViewer().user.id;
  const canReject = usePermission('rejectApprovalRequest');
  if (isRejecting)
    return <Reject approvalRequest={approvalRequest} isOwn={isOwn} done={done} back={() => setRejecting(false)} />;
  const reject = canReject ? (
    <Button kind="bad" onClick={() => setRejecting(true)}>
      {isOwn ? said.withdraw : said.reject}
    </Button>
  ) : null;
  if (approvalRequest.canApprove) return <Approve approvalRequest={approvalRequest} done={done} reject={reject} />;
  return (
    <>
      <p className="hint">{isOwn ? said.own : said.notAllowed}</p>
      <div className="form-actions">{reject}</div>
    </>
  );
}

function Approve({
  approvalRequest,
  done,
  reject,
}: {
  approvalRequest: ShownApprovalRequest;
  done: () => void;
  reject: ReactNode;
}): ReactNode {
  const call = useCall(APPROVE);
  const deed = deedOf(approvalRequest);
  async function approve({ reason, insist }: Record<string, string>): Promise<void> {
    const input = {
      approvalRequestId: approvalRequest.id,
      reason: reason || undefined,
      allowRecentSend: insist === 'on' || undefined,
    };
    const { data } = await call.run({ input });
    const outcome = data?.approveApprovalRequest?.outcome;
    if (!outcome) return;
    const results = 'results' in outcome ? outcome.results : null;
    if (results) showResults(deed, results);
    else showMessage(said.approved(deed));
    done();
  }
  return (
    <CallForm
      failure={call.failure}
      busy={call.isRunning}
      document={APPROVE}
      submit={deed}
      isResolution
      kind={approvalRequest.environment === 'PRODUCTION' ? 'live' : 'main'}
      send={(values) => void approve(values)}
      extra={reject}
    >
      <TextField name="reason" label={said.approveReason} hint={words.decisions.reasonHint} maxLength={500} />
      {call.failure?.code === 'SENT_RECENTLY' ? (
        <label className="tick">
          <input type="checkbox" name="insist" />
          {words.decisions.allowRecentSend}
        </label>
      ) : null}
    </CallForm>
  );
}

function Reject({
  approvalRequest,
  isOwn,
  done,
  back,
}: {
  approvalRequest: ShownApprovalRequest;
  isOwn: boolean;
  done: () => void;
  back: () => void;
}): ReactNode {
  const call = useCall(REJECT);
  async function reject(reason: string): Promise<void> {
    const { data } = await call.run({ input: { approvalRequestId: approvalRequest.id, reason } });
    if (!data) return;
    showMessage((isOwn ? said.withdrawnDone : said.rejected)(deedOf(approvalRequest)));
    done();
  }
  return (
    <CallForm
      failure={call.failure}
      document={REJECT}
      busy={call.isRunning}
      submit={isOwn ? said.withdrawSubmit : said.rejectSubmit}
      kind="bad"
      send={({ reason }) => void reject(reason!)}
      extra={<Button onClick={back}>{said.back}</Button>}
    >
      <TextField
        name="reason"
        label={words.decisions.reason}
        hint={words.decisions.reasonHint}
        maxLength={500}
        required
        autoFocus
      />
    </CallForm>
  );
}
