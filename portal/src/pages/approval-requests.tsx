import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rupees } from '../format.js';
import type {
  ApprovalRequestAction,
  ApprovalRequestState,
  ApprovalRequestsQuery,
  Role,
} from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, Pager, pageOf, Select, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { useRead } from '../read.js';
import type { ApprovalRequestSearch } from '../review-search.js';
import { words } from '../words.js';
import { ApprovalRequestDrawer } from './approval-request-drawer.js';

const APPROVAL_REQUESTS = graphql(`
  query ApprovalRequests($first: Int, $after: String, $last: Int, $before: String, $filter: ApprovalRequestFilter) {
    approvalRequests(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
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
          resolvedAt
          requestedBy {
            name
            user {
              id
            }
          }
          resolvedBy {
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

const said = words.approvalRequests;
const STATES = Object.keys(words.approvalRequestStates) as ApprovalRequestState[];

const variablesOf = ({ after, before, state, action, requestedByMe }: ApprovalRequestSearch) => ({
  ...pageOf({ after, before }),
  filter: { state: state && [state], action: action && [action], requestedByMe },
});

/** What a second person has to decide; what waits comes first, and what became of the others is a choice. */
export function ApprovalRequests(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/approval-requests' });
  const [read, again] = useRead({ query: APPROVAL_REQUESTS, variables: variablesOf(asked) });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const ids = read.data?.approvalRequests?.edges.map(({ node }) => node.id) ?? [];
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Filters asked={asked} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ approvalRequests }) => (approvalRequests ? <Table found={approvalRequests} asked={asked} /> : null)}
      </Loaded>
      <ApprovalRequestDrawer asked={asked} next={nextOf(ids, asked.approvalRequest)} reload={reload} />
    </>
  );
}

/** Who has decided about one goes on with the next. */
const nextOf = (ids: string[], id: string | undefined): string | undefined => {
  const others = ids.filter((one) => one !== id);
  return others[Math.min(Math.max(ids.indexOf(id ?? ''), 0), others.length - 1)];
};

function Filters({ asked: { state = 'PENDING', action, requestedByMe } }: { asked: ApprovalRequestSearch }): ReactNode {
  const filter = useFilter();
  return (
    <search className="filters">
      <div className="chips" role="group" aria-label={said.state}>
        {STATES.map((one) => (
          <Chip
            key={one}
            on={state === one}
            toggle={() => filter({ state: one === 'PENDING' ? undefined : one, approvalRequest: undefined })}
          >
            {words.approvalRequestStates[one]}
          </Chip>
        ))}
        <Chip
          on={requestedByMe === true}
          toggle={() => filter({ requestedByMe: requestedByMe ? undefined : true, approvalRequest: undefined })}
        >
          {said.requestedByMe}
        </Chip>
      </div>
      <Select
        name="action"
        label={said.action}
        emptyLabel={said.allActions}
        selected={action}
        choices={Object.entries(words.approvalRequestActions)}
        extraFilters={{ approvalRequest: undefined }}
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
  user?.name ?? developer?.name ?? whiteLabel?.name ?? (provider ? words.providerNames[provider] : undefined);

/** Whether one administrator has suspended the user in an emergency already. */
export const confirmsEmergency = ({ action, changes }: Pick<Named, 'action' | 'changes'>): boolean =>
  action === 'SUSPEND_USER' && changes.some(({ field, before }) => field === 'suspension' && before === 'emergency');

/** What it would do, as the button that does it says it. */
export function deedOf(approvalRequest: Named): string {
  const { action, resolution, amount, reference, environment, developer, user, whiteLabel, changes, correction } =
    approvalRequest;
  const money = rupees(amount ?? 0);
  const name = aboutOf(approvalRequest) ?? said.nobody;
  const where = words.environments[environment ?? 'PRODUCTION'];
  const role = changes.find(({ field }) => field === 'role')?.after?.toUpperCase() as Role | undefined;
  const deeds: Record<ApprovalRequestAction, () => string> = {
    CREDIT: () => said.credit(money, name),
    DEBIT: () => said.debit(money, name),
    CORRECT_WALLET: () => said.correct(rupees(correction?.difference ?? 0), name),
    RESOLVE: () => (resolution === 'SUCCESS' ? said.settle(money, name) : said.refund(money, name)),
    RESOLVE_MANY: () => said.resolveMany(money, reference),
    REVERSE: () => said.reverse(money, name),
    REVERSE_REFUND: () => said.reverseRefund(money, name),
    UNLOCK_PRODUCTION: () => said.unlock(name),
    SET_ROLE: () => said.role(name, role ? words.roles[role] : said.otherRole),
    SUSPEND_USER: () => (confirmsEmergency(approvalRequest) ? said.confirmSuspension(name) : said.suspend(name)),
    REINSTATE_USER: () => said.reinstate(name),
    REMOVE_USER: () => said.remove(name),
    RESET_SECOND_FACTORS: () => said.resetFactors(name),
    INVITE_USER: () => said.invite(user?.name ?? said.nobody, name),
    SET_FEE: () => said.fee(name),
    ASSIGN_PROVIDER: () => (developer && whiteLabel ? said.moveTo(name, whiteLabel.name) : said.provider(name)),
    SET_PROVIDER_AVAILABILITY: () => said.switchOn(name, where),
    RESUME_ORDERS: () => said.resumeOrders(where),
  };
  return deeds[action]();
}

const toneOf: Record<ApprovalRequestState, 'wait' | 'good' | 'bad' | 'quiet'> = {
  PENDING: 'wait',
  APPROVED: 'good',
  REJECTED: 'bad',
  EXPIRED: 'quiet',
};
type Decided = Pick<Found['edges'][number]['node'], 'state' | 'requestedBy' | 'resolvedBy'>;

export const StateBadge = ({
  approvalRequest: { state, requestedBy, resolvedBy },
}: {
  approvalRequest: Decided;
}): ReactNode =>
  state === 'REJECTED' && requestedBy.user?.id === resolvedBy?.user?.id ? (
    <Badge tone="quiet">{said.withdrawn}</Badge>
  ) : (
    <Badge tone={toneOf[state]}>{words.approvalRequestStates[state]}</Badge>
  );

type Found = NonNullable<ApprovalRequestsQuery['approvalRequests']>;

function Table({ found, asked }: { found: Found; asked: ApprovalRequestSearch }): ReactNode {
  const isFiltered = asked.state !== undefined || asked.action !== undefined || asked.requestedByMe !== undefined;
  if (found.edges.length === 0)
    return isFiltered ? (
      <Empty
        action={
          <Link to="/approval-requests" className="button">
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
              <Row key={node.id} approvalRequest={node} asked={asked} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} total={found.totalCount} />
    </>
  );
}

const Row = ({
  approvalRequest,
  asked,
}: {
  approvalRequest: Found['edges'][number]['node'];
  asked: ApprovalRequestSearch;
}): ReactNode => (
  <tr className="opens" data-open={approvalRequest.id === asked.approvalRequest || undefined}>
    <td className="name-cell">
      <Link
        to="/approval-requests"
        search={{ ...asked, approvalRequest: approvalRequest.id }}
        data-row={approvalRequest.id}
      >
        {words.approvalRequestActions[approvalRequest.action]}
      </Link>
      <span className="quiet small">
        {movesMoney(approvalRequest) ? approvalRequest.reference : deedOf(approvalRequest)}
      </span>
    </td>
    <td data-name={said.about}>{aboutOf(approvalRequest) ?? '–'}</td>
    <td data-name={said.state}>
      <span className="row">
        <StateBadge approvalRequest={approvalRequest} />
        {approvalRequest.environment === 'PRODUCTION' ? (
          <Badge tone="live">{words.environments.PRODUCTION}</Badge>
        ) : null}
      </span>
    </td>
    <td data-name={said.by}>{approvalRequest.requestedBy.name}</td>
    <td data-name={said.at}>
      <Timestamp at={approvalRequest.at} />
    </td>
    <td className="amount" data-name={said.amount}>
      {typeof approvalRequest.amount === 'number' ? rupees(approvalRequest.amount) : '–'}
    </td>
  </tr>
);
