import { words } from '../graphql-toolkit/words.js';

export const GenderEnum = words('Gender', 'Gender of a customer.', {
  Male: 'Male.',
  Female: 'Female.',
  Other: 'Any other.',
});

export const CustomerCategoryEnum = words('CustomerCategory', 'What kind of customer applies.', {
  Individual: 'A person.',
  'Non-Individual': 'A company or another organisation.',
});
