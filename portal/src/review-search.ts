import type { ApprovalRequestAction, ApprovalRequestState, Provider } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface ApprovalRequestSearch extends PageSearch {
  state?: ApprovalRequestState | undefined;
  action?: ApprovalRequestAction | undefined;
  requestedByMe?: true | undefined;
  /** ID of the approval request that the drawer displays. */
  approvalRequest?: string | undefined;
}

export const approvalRequestSearch = (search: Record<string, unknown>): ApprovalRequestSearch => ({
  state: oneOf(search.state, words.approvalRequestStates),
  action: oneOf(search.action, words.approvalRequestActions),
  requestedByMe: search.requestedByMe === true ? true : undefined,
  after: textIn(search.after),
  before: textIn(search.before),
  approvalRequest: textIn(search.approvalRequest),
});

export interface ReviewSearch extends PageSearch {
  provider?: Provider | undefined;
  /** Only orders created at least this number of hours ago. */
  hours?: number | undefined;
  conflicting?: boolean | undefined;
  /** ID of the order that the drawer displays. */
  order?: string | undefined;
}

export const reviewSearch = (search: Record<string, unknown>): ReviewSearch => ({
  provider: oneOf(search.provider, words.providerNames),
  hours: Number.isInteger(search.hours) && Number(search.hours) > 0 ? Number(search.hours) : undefined,
  conflicting: typeof search.conflicting === 'boolean' ? search.conflicting : undefined,
  after: textIn(search.after),
  before: textIn(search.before),
  order: textIn(search.order),
});
