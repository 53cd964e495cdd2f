import type { ProposalAction, ProposalState, Provider } from './generated/documents.js';
import type { Where } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface ProposalSearch extends Where {
  state?: ProposalState | undefined;
  action?: ProposalAction | undefined;
  mine?: true | undefined;
  /** The one that is open beside the list. */
  proposal?: string | undefined;
}

export const proposalSearch = (search: Record<string, unknown>): ProposalSearch => ({
  state: oneOf(search.state, words.proposalStates),
  action: oneOf(search.action, words.proposalActions),
  mine: search.mine === true ? true : undefined,
  after: textIn(search.after),
  before: textIn(search.before),
  proposal: textIn(search.proposal),
});

export interface ReviewSearch extends Where {
  provider?: Provider | undefined;
  /** Placed at least so many hours ago. */
  hours?: number | undefined;
  contradicted?: boolean | undefined;
  /** The one whose evidence is open beside the list. */
  order?: string | undefined;
}

export const reviewSearch = (search: Record<string, unknown>): ReviewSearch => ({
  provider: oneOf(search.provider, words.performers),
  hours: Number.isInteger(search.hours) && Number(search.hours) > 0 ? Number(search.hours) : undefined,
  contradicted: typeof search.contradicted === 'boolean' ? search.contradicted : undefined,
  after: textIn(search.after),
  before: textIn(search.before),
  order: textIn(search.order),
});
