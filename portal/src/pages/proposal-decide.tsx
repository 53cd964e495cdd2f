import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { ProposalQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { sayResults } from '../outcome.js';
import { Button } from '../parts.js';
import { useMay, useViewer } from '../people.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { deedOf } from './proposals.js';

const APPROVE = graphql(`
  mutation ApproveProposal($input: ApproveProposalInput!) {
    approveProposal(input: $input) {
      outcome {
        ... on ProposalCarriedOut {
          proposal {
            id
            state
            decidedAt
            mayApprove
            decidedBy {
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
const REFUSE = graphql(`
  mutation RefuseProposal($input: RefuseProposalInput!) {
    refuseProposal(input: $input) {
      proposal {
        id
        state
        decidedAt
        mayApprove
        decidedBy {
          name
          user {
            id
          }
        }
        refusalReason
      }
    }
  }
`);

const said = words.proposals;
export type ShownProposal = Extract<NonNullable<ProposalQuery['node']>, { state: unknown }>;

/** What the viewer may do about it: carry it out, refuse it, or take the own one back. */
export function Decide({ proposal, done }: { proposal: ShownProposal; done: () => void }): ReactNode {
  const [isRefusing, setRefusing] = useState(false);
  const isOwn = proposal.author.user?.id === useViewer().user.id;
  const mayRefuse = useMay('refuseProposal');
  if (isRefusing) return <Refuse proposal={proposal} isOwn={isOwn} done={done} back={() => setRefusing(false)} />;
  const refuse = mayRefuse ? (
    <Button kind="bad" onClick={() => setRefusing(true)}>
      {isOwn ? said.withdraw : said.refuse}
    </Button>
  ) : null;
  if (proposal.mayApprove) return <Approve proposal={proposal} done={done} refuse={refuse} />;
  return (
    <>
      <p className="hint">{isOwn ? said.own : said.forOthers}</p>
      <div className="form-actions">{refuse}</div>
    </>
  );
}

function Approve({
  proposal,
  done,
  refuse,
}: {
  proposal: ShownProposal;
  done: () => void;
  refuse: ReactNode;
}): ReactNode {
  const call = useCall(APPROVE);
  const deed = deedOf(proposal);
  async function approve({ reason, insist }: Record<string, string>): Promise<void> {
    const input = {
      proposalId: proposal.id,
      reason: reason || undefined,
      allowRecentSend: insist === 'on' || undefined,
    };
    const { data } = await call.run({ input });
    const outcome = data?.approveProposal?.outcome;
    if (!outcome) return;
    const results = 'results' in outcome ? outcome.results : null;
    if (results) sayResults(deed, results);
    else say(said.carriedOut(deed));
    done();
  }
  return (
    <CallForm
      failure={call.failure}
      busy={call.isRunning}
      document={APPROVE}
      submit={deed}
      decides
      kind={proposal.environment === 'PRODUCTION' ? 'live' : 'main'}
      send={(values) => void approve(values)}
      extra={refuse}
    >
      <TextField name="reason" label={said.approveReason} hint={words.decisions.reasonHint} maxLength={500} />
      {call.failure?.code === 'SENT_RECENTLY' ? (
        <label className="tick">
          <input type="checkbox" name="insist" />
          {words.decisions.insist}
        </label>
      ) : null}
    </CallForm>
  );
}

function Refuse({
  proposal,
  isOwn,
  done,
  back,
}: {
  proposal: ShownProposal;
  isOwn: boolean;
  done: () => void;
  back: () => void;
}): ReactNode {
  const call = useCall(REFUSE);
  async function refuse(reason: string): Promise<void> {
    const { data } = await call.run({ input: { proposalId: proposal.id, reason } });
    if (!data) return;
    say((isOwn ? said.withdrawnDone : said.refused)(deedOf(proposal)));
    done();
  }
  return (
    <CallForm
      failure={call.failure}
      document={REFUSE}
      busy={call.isRunning}
      submit={isOwn ? said.withdrawSubmit : said.refuseSubmit}
      kind="bad"
      send={({ reason }) => void refuse(reason!)}
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
