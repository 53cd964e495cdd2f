import type { StoredProposal } from './proposal.store.js';
import type { Proposal } from './proposal.types.js';

/** A proposal as staff see it. */
export const proposalView = (proposal: StoredProposal): Proposal => ({
  id: proposal.id,
  action: proposal.action,
  subject: proposal.subject,
  reference: proposal.key,
  by: proposal.proposerName,
  at: proposal.createdAt,
  reason: proposal.reason,
  amount: proposal.amountPaise,
  expiresAt: proposal.expiresAt,
  developerId: proposal.developerId,
  orderId: proposal.orderId,
});
