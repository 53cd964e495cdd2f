import { registerEnumType } from 'type-graphql';

/** GraphQL's names of the words that the code and the provider use. */
export const LeadStatusEnum = {
  PENDING: 'pending',
  SUBMITTED: 'submitted',
  SUCCESS: 'success',
  APPROVED: 'approved',
  FAILED: 'failed',
  REJECTED: 'rejected',
} as const;
registerEnumType(LeadStatusEnum, {
  name: 'LeadStatus',
  description: 'Where a lead stands at the provider.',
  valuesConfig: {
    PENDING: { description: 'Created; the customer has not applied yet.' },
    SUBMITTED: { description: 'The application is with the bank.' },
    SUCCESS: { description: 'The application is complete. No fee.' },
    APPROVED: { description: 'Granted. The per-lead fee is charged when this is seen for the first time.' },
    FAILED: { description: 'The application could not be completed.' },
    REJECTED: { description: 'Refused by the bank.' },
  },
});

export const GenderEnum = { MALE: 'Male', FEMALE: 'Female', OTHER: 'Other' } as const;
registerEnumType(GenderEnum, {
  name: 'Gender',
  description: 'Gender of a customer.',
  valuesConfig: {
    MALE: { description: 'Male.' },
    FEMALE: { description: 'Female.' },
    OTHER: { description: 'Any other.' },
  },
});

export const CustomerCategoryEnum = { INDIVIDUAL: 'Individual', NON_INDIVIDUAL: 'Non-Individual' } as const;
registerEnumType(CustomerCategoryEnum, {
  name: 'CustomerCategory',
  description: 'What kind of customer applies.',
  valuesConfig: {
    INDIVIDUAL: { description: 'A person.' },
    NON_INDIVIDUAL: { description: 'A company or another organisation.' },
  },
});
