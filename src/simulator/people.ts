import { pickFrom } from './fingerprint.js';

const firstNames = [
  'Aarav',
  'Ananya',
  'Arjun',
  'Deepa',
  'Farhan',
  'Gauri',
  'Harish',
  'Ishita',
  'Karthik',
  'Lakshmi',
  'Manoj',
  'Nandini',
  'Omkar',
  'Pooja',
  'Rahul',
  'Sneha',
  'Tanvi',
  'Uday',
  'Vikram',
  'Zoya',
] as const;

const lastNames = [
  'Agarwal',
  'Banerjee',
  'Chauhan',
  'Das',
  'Fernandes',
  'Gowda',
  'Iyer',
  'Joshi',
  'Khan',
  'Mehta',
  'Nair',
  'Patel',
  'Reddy',
  'Sharma',
  'Singh',
  'Thakur',
  'Verma',
  'Yadav',
] as const;

/** A made-up person for an identifier, always the same one. */
export const personOf = (identifier: string): { firstName: string; lastName: string } => ({
  firstName: pickFrom('first name', identifier, firstNames),
  lastName: pickFrom('last name', identifier, lastNames),
});
