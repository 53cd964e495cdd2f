import { Field, ID } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import { Viewer } from '../accounts/people/session.types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Distinct, Email, IndianMobile, Input, NewPassword, Pan, Pattern, Text } from '../graphql-toolkit/rules.js';
import { MAX_DOCUMENTS } from './kyc-document.js';

@Input({ description: 'Details of a new account.' })
export class SignUpInput {
  @Field({ description: 'Name of the person or business, at most 100 characters.' })
  @Text(100)
  name!: string;

  @Field({ description: 'Email address. Receives a confirmation link.' })
  @Email()
  email!: string;

  @Field({ description: 'Password, 12 to 200 characters.' })
  @NewPassword()
  password!: string;

  @Field({ description: 'Indian mobile number, 10 digits.' })
  @IndianMobile()
  mobile!: string;
}

@Output({ description: 'Result of a sign-up. The same for every email address.' })
export class SignUpPayload {
  @Field({
    description:
      'Always true, so that the response does not reveal whether the address has an account. An email explains the next step.',
  })
  accepted!: boolean;
}

@Input({ description: 'Token from the emailed link, and the password chosen at sign-up.' })
export class VerifyEmailInput {
  @Field({ description: 'Single-use token from the emailed link, valid for 24 hours.' })
  @Text(200)
  token!: string;

  @Field({ description: 'Password that was chosen at sign-up.' })
  @Text(200)
  password!: string;
}

@Output({ description: 'The new account.' })
export class VerifyEmailPayload {
  @Field(() => Viewer, { description: 'User of the new account. Sign in separately with `signIn`.' })
  viewer!: Viewer;
}

@Input({ description: 'KYC submission for review.' })
export class SubmitKycInput {
  @Field({ description: 'Name as on the PAN card, at most 100 characters.' })
  @Text(100)
  legalName!: string;

  @Field({ description: 'Permanent account number (PAN): 5 letters, 4 digits, 1 letter.' })
  @Pan()
  pan!: string;

  @Field(() => String, { nullable: true, description: 'GST number (GSTIN), 15 characters, if there is one.' })
  @Pattern(
    /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/i,
    'Must be a GSTIN: 2 digits, a PAN, and 3 characters, the second of which is Z.',
  )
  gstin?: string;

  @Field({ description: 'Registered address, at most 255 characters.' })
  @Text(255)
  address!: string;

  @Field({ description: 'Postal code, 6 digits.' })
  @Pattern(/^[1-9]\d{5}$/, 'Must be 6 digits and must not begin with 0.')
  pincode!: string;

  @Field(() => [ID], {
    description: `Document IDs returned by POST /kyc/documents: 1 to ${MAX_DOCUMENTS} distinct IDs.`,
  })
  @Distinct(1, MAX_DOCUMENTS)
  documentIds!: string[];
}

@Output({ description: 'The account after the KYC submission.' })
export class SubmitKycPayload {
  @Field(() => Developer, { description: 'Account, which is now under review.' })
  developer!: Developer;
}
