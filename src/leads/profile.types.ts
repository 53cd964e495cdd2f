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

const CustomerCategoryEnum = words('CustomerCategory', 'What kind of customer applies.', {
  Individual: 'A person.',
  'Non-Individual': 'A company or another organisation.',
});

/** Occupation 2 reports its income by tax return, every other one by salary (interface.md 4.10, profile). */
const SELF_EMPLOYED = 2;

/** Forms send both incomes: the one that does not apply counts as 0, whatever they hold. */
export const incomeOf = ({
  occupation,
  monthlySalary,
  itrAmount,
}: Pick<UpsertProfileInput, 'occupation' | 'monthlySalary' | 'itrAmount'>) =>
  occupation === SELF_EMPLOYED
    ? { monthlySalaryPaise: ZERO, itrAmountPaise: itrAmount }
    : { monthlySalaryPaise: monthlySalary, itrAmountPaise: ZERO };

/** What is missing is reported as missing, and not as wrong. */
const salaryFits = ({ occupation, monthlySalary }: Partial<UpsertProfileInput>): boolean =>
  monthlySalary === undefined || occupation === SELF_EMPLOYED || monthlySalary >= 0n;
const returnFits = ({ occupation, itrAmount }: Partial<UpsertProfileInput>): boolean =>
  itrAmount === undefined || occupation !== SELF_EMPLOYED || itrAmount > 0n;

/** The provider's encrypted ids have no documented length; this only bounds what is hashed and sent on. */
export const CUSTOMER_ID_LENGTH = 512;

/** Nobody was born before this, or after today. */
const EARLIEST_BIRTH = '1900-01-01';
const isBirthDate = ({ dob }: Partial<UpsertProfileInput>): boolean =>
  dob === undefined || (dob >= EARLIEST_BIRTH && dob <= indianDay(new Date()));

@Input({ description: 'A customer of a financial product. Every field is needed again when the customer is updated.' })
export class UpsertProfileInput {
  @Field({ description: 'At most 50 characters.' })
  @Text(50)
  firstName!: string;

  @Field({ description: 'At most 50 characters.' })
  @Text(50)
  lastName!: string;

  @Field({ description: '10-digit Indian mobile number. A number that is known already updates its customer.' })
  @IndianMobile()
  mobile!: string;

  @Field({ description: 'Email address.' })
  @Email()
  email!: string;

  @Field(() => CalendarDate, { description: 'Date of birth.' })
  @Agrees(isBirthDate, 'Must be a date from 1900 on that is not in the future.', 'RANGE')
  dob!: string;

  @Field(() => Int, { description: 'Company id, see leadCompanies.' })
  @PositiveInteger()
  company!: number;

  @Field(() => Int, { description: 'Occupation id, see leadOccupations; 2 means self-employed.' })
  @PositiveInteger()
  occupation!: number;

  @Field(() => Rupees, { description: 'Rupees. Counts as 0 when occupation is 2.' })
  @Agrees(salaryFits, 'Must not be negative.', { rule: 'RANGE', min: 0 })
  monthlySalary!: Paise;

  @Field(() => Rupees, {
    description:
      'Rupees, the income of the last tax return: greater than 0 when occupation is 2. Counts as 0 otherwise.',
  })
  @Agrees(returnFits, 'Must be greater than 0 when occupation is 2.')
  itrAmount!: Paise;

  @Field(() => GenderEnum, { description: 'Gender.' })
  gender!: 'Male' | 'Female' | 'Other';

  @Field(() => Int, { description: 'Pincode id, see leadPincodes.' })
  @PositiveInteger()
  pincode!: number;

  @Field({ description: 'At most 255 characters. Line breaks become spaces.' })
  @TextOfLines(255)
  address!: string;

  @Field(() => CustomerCategoryEnum, { description: 'A person or an organisation.' })
  category!: 'Individual' | 'Non-Individual';

  @Field(() => Int, { description: 'Product category id, see productCategories.' })
  @PositiveInteger()
  categoryId!: number;

  @Field({ description: 'Permanent account number, 10 characters; lower case is accepted.' })
  @Pan()
  pan!: string;

  @Field(() => String, {
    nullable: true,
    description: 'From a previous profile call. A known mobile number is updated without it, too.',
  })
  @Text(CUSTOMER_ID_LENGTH)
  customerId?: string;
}

@Output({ description: 'A customer of the lead provider.' })
export class Customer {
  @Field({ description: 'Encrypted id of the customer, for createLead and for updates.' })
  customerId!: string;

  @Field({ description: 'Echo of the request.' })
  mobile!: string;

  @Field(() => Int, { description: 'Echo of the request.' })
  categoryId!: number;

  @Field(() => String, { nullable: true, description: 'Null unless the provider names a product.' })
  productId!: string | null;
}

@Output({ implements: Charged, description: 'A customer profile that was created or updated. Never billed.' })
export class UpsertProfilePayload extends Charged {
  @Field(() => Customer, { description: 'The customer.' })
  customer!: Customer;
}
