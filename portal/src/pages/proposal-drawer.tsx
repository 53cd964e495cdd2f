import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useCall } from '../call.js';
import { Changes } from '../changes.js';
import type { ProposalSearch } from '../decision-search.js';
import { Drawer } from '../drawer.js';
import { rupees } from '../format.js';
import type { ProposalAction, ProposalQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { sayResults } from '../outcome.js';
import { At, Badge, Button, CallForm, Empty, TextField } from '../parts.js';
import { useMay, useViewer } from '../people.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { deedOf, StateBadge } from './proposals.js';

const PROPOSAL = graphql(`
  query Proposal($id: ID!) {
    node(id: $id) {
      ... on Proposal {
        id
        state
        action
        resolution
        environment
        amount
        subject
        reference
        reason
        at
        expiresAt
        decidedAt
        mayApprove
        author {
          name
          user {
            id
          }
        }
        decidedBy {
          name
        }
        developer {
          id
          name
        }
        order {
          id
          status
          accountNumber
          card
        }
        orders {
          orderId
          outcome
          amount
        }
        changes {
          field
          before
          after
        }
      }
    }
  }
`);
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
        }
      }
    }
  }
`);

const said = words.proposals;
type Shown = Extract<NonNullable<ProposalQuery['node']>, { state: unknown }>;
const isProposal = (node: ProposalQuery['node']): node is Shown => node !== null && 'state' in node;

/** One proposal beside the list; when it is decided, the next one is there. */
export function ProposalDrawer({
  asked: { proposal: id, after, before },
  next,
  reload,
}: {
  asked: ProposalSearch;
  next: string | undefined;
  reload: () => void;
}): ReactNode {
  const filter = useFilter();
  const [read, again] = useQuery({ query: PROPOSAL, variables: { id: id ?? '' }, pause: id === undefined });
  const go = (to: string | undefined): void => {
    filter({ proposal: to, after, before });
    reload();
  };
  const node = read.data?.node ?? null;
  return (
    <Drawer
      title={isProposal(node) ? deedOf(node) : said.title}
      open={id !== undefined}
      onClose={() => filter({ proposal: undefined, after, before })}
    >
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
        {() =>
          isProposal(node) ? (
            // what was typed belongs to the one that it was typed for
            <Details key={node.id} proposal={node} done={() => go(next)} />
          ) : (
            <Empty>{said.missing}</Empty>
          )
        }
      </Loaded>
    </Drawer>
  );
}

function Details({ proposal, done }: { proposal: Shown; done: () => void }): ReactNode {
  const { developer, order, orders, changes } = proposal;
  return (
    <>
      {typeof proposal.amount === 'number' ? <p className="sum">{rupees(proposal.amount)}</p> : null}
      <span className="row">
        <StateBadge state={proposal.state} />
        {proposal.environment === 'PRODUCTION' ? <Badge tone="live">{words.environments.PRODUCTION}</Badge> : null}
      </span>
      <Effect proposal={proposal} />
      <dl className="facts">
        {developer ? (
          <>
            <dt>{said.about}</dt>
            <dd>
              <Link to="/developers/$developerId" params={{ developerId: developer.id }}>
                {developer.name}
              </Link>
            </dd>
          </>
        ) : null}
        {order ? (
          <>
            <dt>{said.order}</dt>
            <dd>
              <code>{order.accountNumber ?? order.card}</code> · {words.orders[order.status]}
            </dd>
          </>
        ) : null}
        <dt>{said.why}</dt>
        <dd>{proposal.reason || said.noReason}</dd>
        <dt>{said.reference}</dt>
        <dd>
          <code>{proposal.reference}</code>
        </dd>
        <dt>{said.by}</dt>
        <dd>
          {proposal.author.name}, <At at={proposal.at} />
        </dd>
        {proposal.decidedAt ? (
          <>
            <dt>{said.decidedBy}</dt>
            <dd>
              {proposal.decidedBy ? `${proposal.decidedBy.name}, ` : null}
              <At at={proposal.decidedAt} />
            </dd>
          </>
        ) : (
          <>
            <dt>{said.expires}</dt>
            <dd>
              <At at={proposal.expiresAt} />
            </dd>
          </>
        )}
      </dl>
      {changes.length ? <Changes changes={changes} head={[said.before, said.after]} /> : null}
      {orders?.length ? (
        <ul className="list">
          {orders.map(({ orderId, outcome, amount }) => (
            <li key={orderId}>
              <div>
                <code>{orderId}</code>
              </div>
              <span>{outcome === 'SUCCESS' ? said.settle(rupees(amount)) : said.refund(rupees(amount))}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {proposal.state === 'WAITING' ? <Decide proposal={proposal} done={done} /> : null}
    </>
  );
}

const effects: Partial<Record<ProposalAction, string>> = {
  CREDIT: said.effect.credit,
  DEBIT: said.effect.debit,
  REVERSE: said.effect.reverse,
  CHARGE_AGAIN: said.effect.chargeAgain,
  RESOLVE_MANY: said.effect.many,
};
/** Where the money goes; what moves none shows its changes. */
function Effect({ proposal: { action, resolution } }: { proposal: Shown }): ReactNode {
  const effect =
    action === 'RESOLVE' ? (resolution === 'SUCCESS' ? said.effect.settle : said.effect.refund) : effects[action];
  return effect === undefined ? null : <p className="quiet">{effect}</p>;
}

/** What the viewer may do about it: carry it out, refuse it, or take the own one back. */
function Decide({ proposal, done }: { proposal: Shown; done: () => void }): ReactNode {
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

function Approve({ proposal, done, refuse }: { proposal: Shown; done: () => void; refuse: ReactNode }): ReactNode {
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
      submit={deed}
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
  proposal: Shown;
  isOwn: boolean;
  done: () => void;
  back: () => void;
}): ReactNode {
  const call = useCall(REFUSE);
  async function refuse(reason: string): Promise<void> {
    const { data } = await call.run({ input: { proposalId: proposal.id, reason } });
    if (!data) return;
    say(said.refused(deedOf(proposal)));
    done();
  }
  return (
    <CallForm
      failure={call.failure}
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
