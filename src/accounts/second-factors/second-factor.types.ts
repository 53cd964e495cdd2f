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

const SecondFactorKindEnum = words<SecondFactorKind>('SecondFactorKind', 'Kind of second factor.', {
  totp: 'One-time codes of an authenticator app (RFC 6238): six digits that change every 30 seconds.',
  passkey: 'Passkey (WebAuthn) on a device or security key. Also allows sign-in without a password.',
  recovery_codes: 'Single-use recovery codes for a user who has lost the other factors.',
});

@Output({ description: 'Second factor of a user.' })
export class SecondFactor {
  @Field(() => ID, { description: 'ID of the second factor, for `removeSecondFactor`.' })
  id!: string;

  @Field(() => SecondFactorKindEnum, { description: 'Kind of second factor.' })
  kind!: SecondFactorKind;

  @Field({ description: 'Name set by the user; for recovery codes, the number of codes left.' })
  name!: string;

  @Field(() => Instant, { description: 'Time the second factor was added.' })
  addedAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time of the last verification. Null if the second factor was never used.',
  })
  lastUsedAt!: Date | null;
}

@Input({ description: 'Second factor to add.' })
class WithPassword {
  @Field({ description: 'Password of the signed-in user.' })
  @Text(200)
  currentPassword!: string;
}

@Input({ description: 'Authenticator app to add.' })
export class StartTotpInput extends WithPassword {}

@Output({ description: 'Setup data for an authenticator app, which is active after `confirmTotp`.' })
export class StartTotpPayload {
  @Field({ description: 'Secret in base32, for manual entry. Shown only once.' })
  secret!: string;

  @Field({ description: 'Secret as an otpauth:// URI, for a QR code.' })
  uri!: string;
}

@Input({ description: 'Name of a second factor.' })
class WithName {
  @Field(() => String, { nullable: true, description: 'Name of the factor in your list of second factors.' })
  @Text(NAME_LENGTH)
  name?: string;
}

@Input({ description: 'First code of the authenticator app.' })
export class ConfirmTotpInput extends WithName {
  @Field({ description: 'Current six-digit code.' })
  @Text(CODE_LENGTH)
  code!: string;
}

@Output({ description: 'Result of adding a second factor.' })
class FactorAdded {
  @Field(() => Viewer, { description: 'User who added the second factor.' })
  viewer!: Viewer;

  @Field(() => [String], {
    description: 'Single-use recovery codes, if this is the first second factor; otherwise empty. Shown only once.',
  })
  recoveryCodes!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      'Token of the session that replaces this session, if this is the first second factor; otherwise null. All previous sessions of the user are revoked. Browsers receive the token as a cookie.',
  })
  token!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the new session expires. Null if there is no new session.',
  })
  expiresAt!: Date | null;
}

@Output({ description: 'Result of adding an authenticator app.' })
export class ConfirmTotpPayload extends FactorAdded {}

@Input({ description: 'Passkey to add.' })
export class StartPasskeyInput extends WithPassword {}

@Output({ description: 'Options for creating a passkey.' })
export class StartPasskeyPayload {
  @Field({
    description: 'Options for `navigator.credentials.create`, as JSON (WebAuthn Level 3). Valid for 5 minutes.',
  })
  options!: string;
}

@Input({ description: 'Passkey created by the browser.' })
export class ConfirmPasskeyInput extends WithName {
  @Field({ description: '`toJSON()` of the created credential, as JSON text.' })
  @Text(PASSKEY_LENGTH)
  passkey!: string;
}

@Output({ description: 'Result of adding a passkey.' })
export class ConfirmPasskeyPayload extends FactorAdded {}

/** Purpose of a passkey request. A response is valid only for the purpose for which it was requested. */
const PasskeyUseEnum = words('PasskeyUse', 'Purpose of a passkey response.', {
  sign_in: 'Sign-in, with or without a password.',
  confirm: 'Step-up verification in the session of the request, with `confirmSecondFactor`.',
});
export type PasskeyUse = WordOf<typeof PasskeyUseEnum>;

@Input({ description: 'Purpose of a passkey request.' })
export class StartPasskeySignInInput {
  @Field(() => PasskeyUseEnum, { defaultValue: 'sign_in', description: 'Purpose of the passkey response.' })
  use!: PasskeyUse;
}

@Output({ description: 'Options for requesting a passkey.' })
export class StartPasskeySignInPayload {
  @Field({
    description: 'Options for `navigator.credentials.get`, as JSON (WebAuthn Level 3). Valid once, for 5 minutes.',
  })
  options!: string;
}

@Input({ description: 'Second factor to verify. Set exactly one of `code` and `passkey`.' })
export class ConfirmSecondFactorInput {
  @Field(() => String, { nullable: true, description: 'Code of the authenticator app, or a recovery code.' })
  @Text(CODE_LENGTH)
  code?: string;

  @Field(() => String, { nullable: true, description: '`toJSON()` of the credential, as JSON text.' })
  @Text(PASSKEY_LENGTH)
  passkey?: string;

  @Field({
    defaultValue: false,
    description: 'Whether to create new recovery codes. If true, the previous codes are no longer valid.',
  })
  newRecoveryCodes!: boolean;
}

@Output({ description: 'Result of step-up verification.' })
export class ConfirmSecondFactorPayload {
  @Field(() => Viewer, { description: 'User who verified the second factor.' })
  viewer!: Viewer;

  @Field(() => Instant, { description: 'Time until which no further step-up verification is required.' })
  confirmedUntil!: Date;

  @Field(() => [String], { description: 'New recovery codes, shown only once. Empty if none were requested.' })
  recoveryCodes!: string[];
}

@Input({ description: 'Second factor to remove.' })
export class RemoveSecondFactorInput {
  @Field(() => ID, { description: 'ID of the second factor, from `User.secondFactors`.' })
  id!: string;
}

@Output({ description: 'Result of removing a second factor.' })
export class RemoveSecondFactorPayload {
  @Field(() => Viewer, { description: 'User whose second factor was removed.' })
  viewer!: Viewer;
}

@Input({ description: 'User whose second factors are to be removed.' })
export class ResetSecondFactorsInput {
  @Field(() => ID, { description: 'ID of the user.' })
  userId!: string;

  @Reason()
  reason!: string;
}

@Output({ description: 'The updated user, or the approval request for the reset.' })
export class ResetSecondFactorsPayload {
  @Field(() => User, { description: 'The user after the change.' })
  user!: User;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the reset. Null if the second factors were removed.',
  })
  approvalRequest!: ApprovalRequest | null;
}
