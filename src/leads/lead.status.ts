import { type WordOf, words } from '../graphql-toolkit/words.js';

/** Status of a lead (interface.md 3.1, lead status). The provider uses the same words. */
export const LeadStatusEnum = words('LeadStatus', 'Status of a lead at the provider.', {
  pending: 'The lead was created. The customer has not applied yet.',
  submitted: 'The application was submitted to the bank.',
  success: 'The application is complete. No fee.',
  approved: 'The application was approved. The fee per lead is charged when this status is first returned.',
  failed: 'The application could not be completed.',
  rejected: 'The bank rejected the application.',
});
export type LeadStatus = WordOf<typeof LeadStatusEnum>;
export const leadStatuses = Object.values(LeadStatusEnum);

/** Returns the status for a provider's word. Returns undefined for a word other than the six, which does not change the lead. */
export const leadStatusOf = (text: string): LeadStatus | undefined => leadStatuses.find((status) => status === text);

/** Status of a lead until the provider returns one. */
export const INITIAL_STATUS: LeadStatus = 'pending';
