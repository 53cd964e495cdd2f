/** What a lead can be (interface.md 3.1, lead status). The words are the provider's too. */
export const leadStatuses = ['pending', 'submitted', 'success', 'approved', 'failed', 'rejected'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** The status behind a provider's word; undefined for a word outside the six, which says nothing about the lead. */
export const leadStatusOf = (word: string): LeadStatus | undefined => leadStatuses.find((status) => status === word);

/** A lead of which no status was ever returned is on its way. */
export const INITIAL_STATUS: LeadStatus = 'pending';
