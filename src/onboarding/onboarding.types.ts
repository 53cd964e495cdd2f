import { Field, ID } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import { Viewer } from '../accounts/people/session.types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Distinct, Email, IndianMobile, Input, NewPassword, Pan, Pattern, Text } from '../graphql-toolkit/rules.js';
import { MAX_DOCUMENTS } from './kyc-document.js';

@Input({ description: 'A new account.' })
export class SignUpInput {
  @Field({ description: 'Name of the person or business, at most 100 characters.' })
  @Text(100)
  name!: string;

  @Field({ description: 'Email address; a link to confirm it is mailed there.' })
  @Email()
  email!: string;

  @Field({ description: 'At least 12, at most 200 characters.' })
  @NewPassword()
  password!: string;

  @Field({ description: 'Indian mobile number, 10 digits.' })
  @IndianMobile()
  mobile!: string;
}

@Output({ description: 'The answer to every sign-up.' })
export class SignUpPayload {
  @Field({ description: 'Always true: it reveals nothing about the address. An email tells what to do.' })
  accepted!: boolean;
}

@Input({ description: 'Confirms an email address.' })
export class VerifyEmailInput {
  @Field({ description: 'From the mailed link; good for 24 hours.' })
  @Text(200)
  token!: string;

  @Field({ description: 'The password that was chosen in that sign-up.' })
  @Text(200)
  password!: string;
}

@Output({ description: 'A new account.' })
export class VerifyEmailPayload {
  @Field(() => Viewer, { description: 'Whose account it is. Signing in is a step of its own.' })
  viewer!: Viewer;
}

@Input({ description: 'What an admin decides on.' })
export class SubmitKycInput {
  @Field({ description: 'Name as the PAN has it, at most 100 characters.' })
  @Text(100)
  legalName!: string;

  @Field({ description: 'Permanent account number: 5 letters, 4 digits, 1 letter.' })
  @Pan()
  pan!: string;

  @Field(() => String, { nullable: true, description: 'GST number, 15 characters, where there is one.' })
  @Pattern(
    /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/i,
    'Must be a GSTIN: 2 digits, a PAN, and 3 characters of which the second is Z.',
  )
  gstin?: string;

  @Field({ description: 'Registered address, at most 255 characters.' })
  @Text(255)
  address!: string;

  @Field({ description: 'Postal code, 6 digits.' })
  @Pattern(/^[1-9]\d{5}$/, 'Must be 6 digits, the first one not 0.')
  pincode!: string;

  @Field(() => [ID], { description: `What POST /kyc/documents returned: 1 to ${MAX_DOCUMENTS} documents.` })
  @Distinct(1, MAX_DOCUMENTS)
  documentIds!: string[];
}

@Output({ description: 'KYC that was handed in.' })
export class SubmitKycPayload {
  @Field(() => Developer, { description: 'The account, which waits for an admin.' })
  developer!: Developer;
}
