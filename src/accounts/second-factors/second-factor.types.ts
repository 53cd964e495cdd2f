import { Field, ID } from 'type-graphql';
import { ApprovalRequest } from '../../approval-requests/approval-request.types.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';
import type { SecondFactorKind } from '../account.entities.js';
import { User } from '../people/people.types.js';
import { CODE_LENGTH, PASSKEY_LENGTH, Viewer } from '../people/session.types.js';

const NAME_LENGTH = 60;

const SecondFactorKindEnum = words<SecondFactorKind>('SecondFactorKind', 'What a user shows beside the password.', {
  totp: 'One-time codes of an authenticator (RFC 6238): six digits, every 30 seconds others.',
  passkey: 'A passkey (WebAuthn) of a device or a security key. It signs in without a password too.',
  recovery_codes: 'Codes on paper for whoever has lost the others; each counts once.',
});

@Output({ description: 'One of the second factors of a user.' })
export class SecondFactor {
  @Field(() => ID, { description: 'Its number, for removeSecondFactor.' })
  id!: string;

  @Field(() => SecondFactorKindEnum, { description: 'What it is.' })
  kind!: SecondFactorKind;

  @Field({ description: 'As its user calls it; of recovery codes how many are left.' })
  name!: string;

  @Field(() => Instant, { description: 'When it was added.' })
  addedAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When it was shown last; null before that.' })
  lastUsedAt!: Date | null;
}

@Input({ description: 'A second factor that is to be added.' })
class WithPassword {
  @Field({ description: 'The password of the signed-in user.' })
  @Text(200)
  currentPassword!: string;
}

@Input({ description: 'An authenticator that is to be added.' })
export class StartTotpInput extends WithPassword {}

@Output({ description: 'What an authenticator needs. It counts once a code of it was confirmed.' })
export class StartTotpPayload {
  @Field({ description: 'The secret in base32, to be typed in. It is shown this once.' })
  secret!: string;

  @Field({ description: 'The same as an otpauth:// URI, to be shown as a QR code.' })
  uri!: string;
}

@Input({ description: 'A second factor that is being added.' })
class WithName {
  @Field(() => String, { nullable: true, description: 'How you will know it again in the list of your factors.' })
  @Text(NAME_LENGTH)
  name?: string;
}

@Input({ description: 'The first code of an authenticator that is being added.' })
export class ConfirmTotpInput extends WithName {
  @Field({ description: 'Six digits, as the authenticator shows them now.' })
  @Text(CODE_LENGTH)
  code!: string;
}

@Output({ description: 'A second factor that was added.' })
class FactorAdded {
  @Field(() => Viewer, { description: 'Whose it is.' })
  viewer!: Viewer;

  @Field(() => [String], {
    description: 'With the first factor: codes for whoever loses it, each good once and shown this once. Else empty.',
  })
  recoveryCodes!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      'With the first factor: the token of the session that takes the place of this one, which ends with all others of the user. Browsers have it as a cookie. Else null.',
  })
  token!: string | null;

  @Field(() => Instant, { nullable: true, description: 'When that session ends.' })
  expiresAt!: Date | null;
}

@Output({ description: 'An authenticator that was added.' })
export class ConfirmTotpPayload extends FactorAdded {}

@Input({ description: 'A passkey that is to be added.' })
export class StartPasskeyInput extends WithPassword {}

@Output({ description: 'What a browser needs to make a passkey.' })
export class StartPasskeyPayload {
  @Field({
    description:
      'JSON of the options of navigator.credentials.create, as WebAuthn level 3 writes them; good for 5 minutes.',
  })
  options!: string;
}

@Input({ description: 'A passkey that was made.' })
export class ConfirmPasskeyInput extends WithName {
  @Field({ description: 'What toJSON() of the made credential gives, as JSON text.' })
  @Text(PASSKEY_LENGTH)
  passkey!: string;
}

@Output({ description: 'A passkey that was added.' })
export class ConfirmPasskeyPayload extends FactorAdded {}

/** What an answer of a passkey counts for, and nothing else. */
const PasskeyUseEnum = words('PasskeyUse', 'What a passkey is shown for.', {
  sign_in: 'To open a session, alone or beside a password.',
  confirm: 'In the session of this request, for confirmSecondFactor.',
});
export type PasskeyUse = WordOf<typeof PasskeyUseEnum>;

@Input({ description: 'Somebody who is to show a passkey.' })
export class StartPasskeySignInInput {
  @Field(() => PasskeyUseEnum, { defaultValue: 'sign_in', description: 'What for.' })
  use!: PasskeyUse;
}

@Output({ description: 'What a browser needs to have a passkey shown.' })
export class StartPasskeySignInPayload {
  @Field({
    description:
      'JSON of the options of navigator.credentials.get, as WebAuthn level 3 writes them; good for 5 minutes, once.',
  })
  options!: string;
}

@Input({ description: 'A second factor that is shown once more: exactly one of code and passkey.' })
export class ConfirmSecondFactorInput {
  @Field(() => String, { nullable: true, description: 'A code of the authenticator, or a recovery code.' })
  @Text(CODE_LENGTH)
  code?: string;

  @Field(() => String, { nullable: true, description: 'What toJSON() of the shown credential gives, as JSON text.' })
  @Text(PASSKEY_LENGTH)
  passkey?: string;

  @Field({ defaultValue: false, description: 'New recovery codes; those of before count no more.' })
  newRecoveryCodes!: boolean;
}

@Output({ description: 'A session in which a second factor was shown.' })
export class ConfirmSecondFactorPayload {
  @Field(() => Viewer, { description: 'Who showed it.' })
  viewer!: Viewer;

  @Field(() => Instant, { description: 'Until then nothing asks for it again with STEP_UP_REQUIRED.' })
  confirmedUntil!: Date;

  @Field(() => [String], { description: 'The new ones, shown this once; empty when none were asked for.' })
  recoveryCodes!: string[];
}

@Input({ description: 'A second factor that is to count no more.' })
export class RemoveSecondFactorInput {
  @Field(() => ID, { description: 'Its id, as secondFactors shows it.' })
  id!: string;
}

@Output({ description: 'What is left after a second factor was removed.' })
export class RemoveSecondFactorPayload {
  @Field(() => Viewer, { description: 'Whose it was.' })
  viewer!: Viewer;
}

@Input({ description: 'Somebody who has lost every second factor.' })
export class ResetSecondFactorsInput {
  @Field(() => ID, { description: 'Id of the user.' })
  userId!: string;

  @Reason()
  reason!: string;
}

@Output({ description: 'Somebody who has no second factor any more.' })
export class ResetSecondFactorsPayload {
  @Field(() => User, { description: 'The user as it is now.' })
  user!: User;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request; null when the second factors are removed.',
  })
  approvalRequest!: ApprovalRequest | null;
}
