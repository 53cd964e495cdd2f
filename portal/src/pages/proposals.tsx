import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProposalSearch } from '../decision-search.js';
import { rupees } from '../format.js';
import type { ProposalAction, ProposalState, ProposalsQuery, Role } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, Select, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { At, Badge, Empty, PageHead, TableBox, useTitle } from '../parts.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { ProposalDrawer } from './proposal-drawer.js';

const PROPOSALS = graphql(`
  query Proposals($first: Int, $after: String, $last: Int, $before: String, $filter: ProposalFilter) {
    proposals(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          state
          action
          resolution
          environment
          amount
          reference
          at
          expiresAt
          decidedAt
          author {
            name
            user {
              id
            }
          }
          decidedBy {
            name
            user {
              id
            }
          }
          developer {
            id
            name
          }
          user {
            id
            name
          }
          whiteLabel {
            id
            name
          }
          provider
          correction {
            difference
          }
          changes {
            field
            before
            after
          }
        }
      }
    }
  }
`);

const said = words.proposals;
const STATES = Object.keys(words.proposalStates) as ProposalState[];

const variablesOf = ({ after, before, state, action, mine }: ProposalSearch) => ({
  ...pageOf({ after, before }),
  filter: { state: state && [state], action: action && [action], mine },
});

/** What a second person has to decide; what waits comes first, and what became of the others is a choice. */
export function Proposals(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/proposals' });
  const [read, again] = useRead({ query: PROPOSALS, variables: variablesOf(asked) });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const ids = read.data?.proposals?.edges.map(({ node }) => node.id) ?? [];
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Filters asked={asked} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ proposals }) => (proposals ? <Table found={proposals} asked={asked} /> : null)}
      </Loaded>
      <ProposalDrawer asked={asked} next={nextOf(ids, asked.proposal)} reload={reload} />
    </>
  );
}

/** Who has decided about one goes on with the next. */
const nextOf = (ids: string[], id: string | undefined): string | undefined => {
  const others = ids.filter((one) => one !== id);
  return others[Math.min(Math.max(ids.indexOf(id ?? ''), 0), others.length - 1)];
};

function Filters({ asked: { state = 'WAITING', action, mine } }: { asked: ProposalSearch }): ReactNode {
  const filter = useFilter();
  return (
    <search className="filters">
      <div className="chips" role="group" aria-label={said.state}>
        {STATES.map((one) => (
          <Chip
            key={one}
            on={state === one}
            toggle={() => filter({ state: one === 'WAITING' ? undefined : one, proposal: undefined })}
          >
            {words.proposalStates[one]}
          </Chip>
        ))}
        <Chip on={mine === true} toggle={() => filter({ mine: mine ? undefined : true, proposal: undefined })}>
          {said.mine}
        </Chip>
      </div>
      <Select
        name="action"
        label={said.action}
        none={said.allActions}
        asked={action}
        choices={Object.entries(words.proposalActions)}
        also={{ proposal: undefined }}
      />
    </search>
  );
}

type Named = Pick<
  Found['edges'][number]['node'],
  'action' | 'resolution' | 'amount' | 'reference' | 'environment' | 'developer' | 'user' | 'whiteLabel' | 'provider'
> & {
  correction?: { difference: number } | null;
  changes: readonly { field: string; before?: string | null; after?: string | null }[];
};

/** What moves none has no reference of anybody: its deed and its changes say all. */
export const movesMoney = ({ amount }: Pick<Named, 'amount'>): boolean => typeof amount === 'number';

/** Whom or what it is about, by name. */
export const aboutOf = ({ developer, user, whiteLabel, provider }: Named): string | undefined =>
  user?.name ?? developer?.name ?? whiteLabel?.name ?? (provider ? words.performers[provider] : undefined);

/** Whether one administrator has suspended the user in an emergency already. */
export const confirmsEmergency = ({ action, changes }: Pick<Named, 'action' | 'changes'>): boolean =>
  action === 'SUSPEND_USER' && changes.some(({ field, before }) => field === 'suspension' && before === 'emergency');

/** What it would do, as the button that does it says it. */
export function deedOf(proposal: Named): string {
  const { action, resolution, amount, reference, environment, developer, user, whiteLabel, changes, correction } =
    proposal;
  const money = rupees(amount ?? 0);
  const name = aboutOf(proposal) ?? said.nobody;
  const where = words.environments[environment ?? 'PRODUCTION'];
  const role = changes.find(({ field }) => field === 'role')?.after?.toUpperCase() as Role | undefined;
  const deeds: Record<ProposalAction, () => string> = {
    CREDIT: () => said.credit(money, name),
    DEBIT: () => said.debit(money, name),
    CORRECT_WALLET: () => said.correct(rupees(correction?.difference ?? 0), name),
    RESOLVE: () => (resolution === 'SUCCESS' ? said.settle(money, name) : said.refund(money, name)),
    RESOLVE_MANY: () => said.resolveMany(money, reference),
    REVERSE: () => said.reverse(money, name),
    REVERSE_REFUND: () => said.reverseRefund(money, name),
    UNLOCK_PRODUCTION: () => said.unlock(name),
    SET_ROLE: () => said.role(name, role ? words.roles[role] : said.otherRole),
    SUSPEND_USER: () => (confirmsEmergency(proposal) ? said.confirmSuspension(name) : said.suspend(name)),
    REINSTATE_USER: () => said.reinstate(name),
    REMOVE_USER: () => said.remove(name),
    RESET_SECOND_FACTORS: () => said.resetFactors(name),
    INVITE_USER: () => said.invite(user?.name ?? said.nobody, name),
    SET_FEE: () => said.fee(name),
    ASSIGN_PROVIDER: () => (developer && whiteLabel ? said.moveTo(name, whiteLabel.name) : said.provider(name)),
    SET_PROVIDER_AVAILABILITY: () => said.switchOn(name, where),
    SET_ORDER_HOLD: () => said.orderHold(where),
  };
  return deeds[action]();
}

const toneOf: Record<ProposalState, 'wait' | 'good' | 'bad' | 'quiet'> = {
  WAITING: 'wait',
  CARRIED_OUT: 'good',
  REFUSED: 'bad',
  EXPIRED: 'quiet',
};
type Decided = Pick<Found['edges'][number]['node'], 'state' | 'author' | 'decidedBy'>;

export const StateBadge = ({ proposal: { state, author, decidedBy } }: { proposal: Decided }): ReactNode =>
  state === 'REFUSED' && author.user?.id === decidedBy?.user?.id ? (
    <Badge tone="quiet">{said.withdrawn}</Badge>
  ) : (
    <Badge tone={toneOf[state]}>{words.proposalStates[state]}</Badge>
  );

type Found = NonNullable<ProposalsQuery['proposals']>;

function Table({ found, asked }: { found: Found; asked: ProposalSearch }): ReactNode {
  const isFiltered = asked.state !== undefined || asked.action !== undefined || asked.mine !== undefined;
  if (found.edges.length === 0)
    return isFiltered ? (
      <Empty
        action={
          <Link to="/proposals" className="button">
            {said.clear}
          </Link>
        }
      >
        {said.noneOf}
      </Empty>
    ) : (
      <Empty>{said.none}</Empty>
    );
  return (
    <>
      <TableBox label={said.title}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{said.action}</th>
              <th scope="col">{said.about}</th>
              <th scope="col">{said.state}</th>
              <th scope="col">{said.by}</th>
              <th scope="col">{said.at}</th>
              <th scope="col" className="amount">
                {said.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <Row key={node.id} proposal={node} asked={asked} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} total={found.totalCount} />
    </>
  );
}

const Row = ({ proposal, asked }: { proposal: Found['edges'][number]['node']; asked: ProposalSearch }): ReactNode => (
  <tr className="opens" data-open={proposal.id === asked.proposal || undefined}>
    <td className="name-cell">
      <Link to="/proposals" search={{ ...asked, proposal: proposal.id }} data-row={proposal.id}>
        {words.proposalActions[proposal.action]}
      </Link>
      <span className="quiet small">{movesMoney(proposal) ? proposal.reference : deedOf(proposal)}</span>
    </td>
    <td data-name={said.about}>{aboutOf(proposal) ?? '–'}</td>
    <td data-name={said.state}>
      <span className="row">
        <StateBadge proposal={proposal} />
        {proposal.environment === 'PRODUCTION' ? <Badge tone="live">{words.environments.PRODUCTION}</Badge> : null}
      </span>
    </td>
    <td data-name={said.by}>{proposal.author.name}</td>
    <td data-name={said.at}>
      <At at={proposal.at} />
    </td>
    <td className="amount" data-name={said.amount}>
      {typeof proposal.amount === 'number' ? rupees(proposal.amount) : '–'}
    </td>
  </tr>
);
