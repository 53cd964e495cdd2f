import { type WordOf, words } from '../graphql-toolkit/words.js';

/** What a lead can be (interface.md 3.1, lead status). The words are the provider's too. */
export const LeadStatusEnum = words('LeadStatus', 'Where a lead stands at the provider.', {
  pending: 'Created; the customer has not applied yet.',
  submitted: 'The application is with the bank.',
  success: 'The application is complete. No fee.',
  approved: 'Granted. The per-lead fee is charged when this is seen for the first time.',
  failed: 'The application could not be completed.',
  rejected: 'Refused by the bank.',
});
export type LeadStatus = WordOf<typeof LeadStatusEnum>;
export const leadStatuses = Object.values(LeadStatusEnum);

/** The status behind a provider's word; undefined for a word outside the six, which says nothing about the lead. */
export const leadStatusOf = (word: string): LeadStatus | undefined => leadStatuses.find((status) => status === word);

/** A lead of which no status was ever returned is on its way. */
export const INITIAL_STATUS: LeadStatus = 'pending';
