import type { ApprovalRequestAction, ApprovalRequestState, Provider } from './generated/documents.js';
import type { Where } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface ApprovalRequestSearch extends Where {
  state?: ApprovalRequestState | undefined;
  action?: ApprovalRequestAction | undefined;
  requestedByMe?: true | undefined;
  /** The one that is open beside the list. */
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

export interface ReviewSearch extends Where {
  provider?: Provider | undefined;
  /** Placed at least so many hours ago. */
  hours?: number | undefined;
  conflicting?: boolean | undefined;
  /** The one whose evidence is open beside the list. */
  order?: string | undefined;
}

export const reviewSearch = (search: Record<string, unknown>): ReviewSearch => ({
  provider: oneOf(search.provider, words.performers),
  hours: Number.isInteger(search.hours) && Number(search.hours) > 0 ? Number(search.hours) : undefined,
  conflicting: typeof search.conflicting === 'boolean' ? search.conflicting : undefined,
  after: textIn(search.after),
  before: textIn(search.before),
  order: textIn(search.order),
});
