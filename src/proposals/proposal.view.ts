import type { Environment } from '../core/environment.js';
import type { ProposalAction, ProposalState, StoredProposal } from './proposal.store.js';
import type { Proposal, ShownAction } from './proposal.types.js';

/** What clients are shown of an action: that an order is decided is one, whatever it is decided to be. */
const SHOWN: Readonly<Record<ProposalAction, ShownAction>> = {
  'wallet.credit': 'credit',
  'wallet.debit': 'debit',
  'order.settle': 'resolve',
  'order.refund': 'resolve',
  'orders.resolve': 'resolve_many',
  'order.reverse': 'reverse',
  'order.charge_again': 'charge_again',
};

/** Those that are stored of some that are shown. */
export const storedActions = (shown: readonly ShownAction[]): ProposalAction[] =>
  (Object.keys(SHOWN) as ProposalAction[]).filter((action) => shown.includes(SHOWN[action]));

const stateOf = ({ decision, expired }: StoredProposal): ProposalState => decision ?? (expired ? 'expired' : 'waiting');

/** A proposal as staff see it. */
export const proposalView = (proposal: StoredProposal): Proposal => ({
  id: proposal.id,
  state: stateOf(proposal),
  action: SHOWN[proposal.action],
  storedAction: proposal.action,
  // play money needs no second person: what is about an order is about real money
  environment: (proposal.payload as { environment?: Environment }).environment ?? 'production',
  subject: proposal.subject,
  reference: proposal.key,
  proposedBy: proposal.proposedBy,
  proposerActive: proposal.proposerActive,
  decider: proposal.decidedBy,
  at: proposal.createdAt,
  decidedAt: proposal.decidedAt,
  reason: proposal.reason,
  amount: proposal.amountPaise,
  expiresAt: proposal.expiresAt,
  developerId: proposal.developerId,
  orderId: proposal.orderId,
});
