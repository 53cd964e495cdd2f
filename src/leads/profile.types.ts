import { Field, Int } from 'type-graphql';
import { indianDay } from '../core/clock.js';
import { type Paise, ZERO } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import {
  Agrees,
  Email,
  IndianMobile,
  Input,
  Pan,
  PositiveInteger,
  Text,
  TextOfLines,
} from '../graphql-toolkit/rules.js';
import { CalendarDate, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { Charged } from '../ledger/charged.types.js';

const GenderEnum = words('Gender', 'Gender of a customer.', {
  Male: 'Male.',
  Female: 'Female.',
  Other: 'Any other.',
});

const CustomerCategoryEnum = words('CustomerCategory', 'Kind of customer.', {
  Individual: 'Individual.',
  'Non-Individual': 'A company or another organization.',
});

/**
 * Occupation of self-employed customers. It reports the income of the tax return; every other occupation reports the salary
 * (interface.md 4.10, profile).
 */
const SELF_EMPLOYED = 2;

/** Returns the income that applies. Forms send both incomes. The one that does not apply is set to 0, whatever its value. */
export const incomeOf = ({
  occupation,
  monthlySalary,
  itrAmount,
}: Pick<UpsertProfileInput, 'occupation' | 'monthlySalary' | 'itrAmount'>) =>
  occupation === SELF_EMPLOYED
    ? { monthlySalaryPaise: ZERO, itrAmountPaise: itrAmount }
    : { monthlySalaryPaise: monthlySalary, itrAmountPaise: ZERO };

/** Returns whether the salary fits the occupation. A missing value is reported as missing, not as invalid. */
const isValidSalary = ({ occupation, monthlySalary }: Partial<UpsertProfileInput>): boolean =>
  monthlySalary === undefined || occupation === SELF_EMPLOYED || monthlySalary >= 0n;
const isValidReturn = ({ occupation, itrAmount }: Partial<UpsertProfileInput>): boolean =>
  itrAmount === undefined || occupation !== SELF_EMPLOYED || itrAmount > 0n;

/**
 * Maximum length of a customer ID. Encrypted IDs of the provider have no documented length. This limit only bounds the text that
 * is hashed and forwarded.
 */
export const CUSTOMER_ID_LENGTH = 512;

/** Earliest valid date of birth; the latest is today. */
const EARLIEST_BIRTH = '1900-01-01';
const isBirthDate = ({ dob }: Partial<UpsertProfileInput>): boolean =>
  dob === undefined || (dob >= EARLIEST_BIRTH && dob <= indianDay(new Date()));

@Input({ description: 'Customer of a financial product. All required fields must also be sent for an update.' })
export class UpsertProfileInput {
  @Field({ description: 'First name, at most 50 characters.' })
  @Text(50)
  firstName!: string;

  @Field({ description: 'Last name, at most 50 characters.' })
  @Text(50)
  lastName!: string;

  @Field({
    description:
      '10-digit Indian mobile number. If the number already belongs to a customer, that customer is updated.',
  })
  @IndianMobile()
  mobile!: string;

  @Field({ description: 'Email address.' })
  @Email()
  email!: string;

  @Field(() => CalendarDate, { description: 'Date of birth.' })
  @Agrees(isBirthDate, 'Must be a date between 1 January 1900 and today.', 'RANGE')
  dob!: string;

  @Field(() => Int, { description: 'Company ID from `leadCompanies`.' })
  @PositiveInteger()
  company!: number;

  @Field(() => Int, { description: 'Occupation ID from `leadOccupations`. 2 means self-employed.' })
  @PositiveInteger()
  occupation!: number;

  @Field(() => Rupees, { description: 'Monthly salary in rupees. Ignored and set to 0 if `occupation` is 2.' })
  @Agrees(isValidSalary, 'Must not be negative.', { rule: 'RANGE', min: 0 })
  monthlySalary!: Paise;

  @Field(() => Rupees, {
    description:
      'Income of the last tax return, in rupees. Must be greater than 0 if `occupation` is 2; otherwise ignored and set to 0.',
  })
  @Agrees(isValidReturn, 'Must be greater than 0 if occupation is 2.')
  itrAmount!: Paise;

  @Field(() => GenderEnum, { description: 'Gender.' })
  gender!: 'Male' | 'Female' | 'Other';

  @Field(() => Int, { description: 'Pincode ID from `leadPincodes`.' })
  @PositiveInteger()
  pincode!: number;

  @Field({ description: 'Address, at most 255 characters. Line breaks become spaces.' })
  @TextOfLines(255)
  address!: string;

  @Field(() => CustomerCategoryEnum, { description: 'Individual or organization.' })
  category!: 'Individual' | 'Non-Individual';

  @Field(() => Int, { description: 'Product category ID from `productCategories`.' })
  @PositiveInteger()
  categoryId!: number;

  @Field({ description: 'Permanent account number (PAN), 10 characters. Lowercase letters are accepted.' })
  @Pan()
  pan!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Customer ID from an earlier `upsertProfile`. Optional for an update, because the mobile number identifies the customer too.',
  })
  @Text(CUSTOMER_ID_LENGTH)
  customerId?: string;
}

@Output({ description: 'Customer of the lead provider.' })
export class Customer {
  @Field({ description: 'Encrypted ID of the customer, for `createLead` and updates.' })
  customerId!: string;

  @Field({ description: 'Mobile number of the request.' })
  mobile!: string;

  @Field(() => Int, { description: 'Product category ID of the request.' })
  categoryId!: number;

  @Field(() => String, { nullable: true, description: 'Product ID. Null unless the provider returns one.' })
  productId!: string | null;
}

@Output({ implements: Charged, description: 'Created or updated customer profile. Never billed.' })
export class UpsertProfilePayload extends Charged {
  @Field(() => Customer, { description: 'Created or updated customer.' })
  customer!: Customer;
}
