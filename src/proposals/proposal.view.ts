import { changesOf } from '../audit/audit.reader.js';
import type { Environment } from '../core/environment.js';
import {
  changeOf,
  isAboutMoney,
  type ProposalAction,
  type ProposalState,
  type StoredProposal,
} from './proposal.store.js';
import type { Proposal, ShownAction } from './proposal.types.js';

/**
 * What clients are shown of an action: that an order is decided is one, whatever it is decided to be, and so is every way to another
 * recharge provider.
 */
const SHOWN: Readonly<Record<ProposalAction, ShownAction>> = {
  'wallet.credit': 'credit',
  'wallet.debit': 'debit',
  'order.settle': 'resolve',
  'order.refund': 'resolve',
  'orders.resolve': 'resolve_many',
  'order.reverse': 'reverse',
  'order.charge_again': 'charge_again',
  'developer.unlock_production': 'unlock_production',
  'service_access.set': 'set_fee',
  'developer.assign_provider': 'assign_provider',
  'developer.set_white_label': 'assign_provider',
  'white_label.assign_provider': 'assign_provider',
  'user.set_role': 'set_role',
  'provider.set_availability': 'set_provider_availability',
  'orders.set_hold': 'set_order_hold',
};

/** Those that are stored of some that are shown. */
export const storedActions = (shown: readonly ShownAction[]): ProposalAction[] =>
  (Object.keys(SHOWN) as ProposalAction[]).filter((action) => shown.includes(SHOWN[action]));

const stateOf = ({ decision, expired }: StoredProposal): ProposalState => decision ?? (expired ? 'expired' : 'waiting');

/** Play money needs no second person: what is about an order is about real money. */
const environmentOf = ({ payload, amountPaise }: StoredProposal): Environment | null =>
  (payload as { environment?: Environment }).environment ?? (amountPaise === null ? null : 'production');

/** A proposal as staff see it. */
export const proposalView = (proposal: StoredProposal): Proposal => ({
  id: proposal.id,
  state: stateOf(proposal),
  action: SHOWN[proposal.action],
  storedAction: proposal.action,
  environment: environmentOf(proposal),
  subject: proposal.subject,
  reference: proposal.key,
  proposedBy: proposal.proposedBy,
  proposerActive: proposal.proposerActive,
  aboutMoney: isAboutMoney(proposal),
  decider: proposal.decidedBy,
  at: proposal.createdAt,
  decidedAt: proposal.decidedAt,
  reason: proposal.reason,
  amount: proposal.amountPaise,
  changes: changesOf(changeOf(proposal)),
  expiresAt: proposal.expiresAt,
  developerId: proposal.developerId,
  orderId: proposal.orderId,
});
