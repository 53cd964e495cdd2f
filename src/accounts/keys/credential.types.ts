import { Field, Int } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import { EnvironmentEnum, Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, Range, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';
import { Developer } from '../developers/developer.types.js';

@NodeType<Credential>(
  'key',
  { description: 'API key: a client ID with details of its secret.' },
  ({ clientId }) => clientId,
)
export class Credential {
  @Field({ description: 'Client ID.' })
  clientId!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the API key.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free-text label.' })
  label!: string | null;

  @Field({ description: 'Last 4 characters of the secret.' })
  secretLast4!: string;

  @Field(() => Instant, { description: 'Time the API key was created.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time of the last token exchange with the API key. Null if there was none.',
  })
  lastUsedAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'Time the API key was suspended. Null if it is not suspended.' })
  suspendedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the suspension. Null if the API key is not suspended.',
  })
  suspensionReason!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the API key becomes valid; requests fail with 401 before this time. Null if it was valid when it was created.',
  })
  startsAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the API key expires after a rotation. Null if it was not rotated.',
  })
  expiresAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'Time the API key was revoked. Null if it was not revoked.' })
  revokedAt!: Date | null;
}

@Output({ description: 'The updated API key.' })
export class CredentialPayload {
  @Field(() => Credential, { description: 'The API key after the change.' })
  credential!: Credential;

  @Field(() => Developer, { description: 'Account of the API key.' })
  developer!: Developer;
}

@Output({ description: 'The new API key, with its secret. The secret is shown only once.' })
export class CreateCredentialPayload extends CredentialPayload {
  @Field({ description: 'API secret. Only a keyed hash of it is stored.' })
  apiSecret!: string;
}

@Input({ description: 'API key to create.' })
export class CreateCredentialInput {
  @Field(() => EnvironmentEnum, { description: 'Environment of the API key.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free-text label.' })
  @Text(100)
  label?: string;
}

@Input({ description: 'API key.' })
class ApiKeyInput {
  @Field({ description: 'Client ID of the API key.' })
  @Text(100)
  clientId!: string;
}

const RevokedKeyEndpointsEnum = words(
  'RevokedKeyEndpoints',
  'Action for the webhook endpoints that were created with a revoked API key.',
  {
    keep: 'Keeps the webhook endpoints of the API key enabled. They no longer belong to an API key.',
    disable: 'Disables the webhook endpoints of the API key immediately. Use this if the API key may be compromised.',
  },
);
export type RevokedKeyEndpoints = WordOf<typeof RevokedKeyEndpointsEnum>;

@Input({ description: 'API key to revoke.' })
export class RevokeCredentialInput extends ApiKeyInput {
  @Field(() => RevokedKeyEndpointsEnum, {
    nullable: true,
    description: 'Action for the webhook endpoints of the API key. Required if any of them are enabled.',
  })
  endpoints?: RevokedKeyEndpoints;
}

@Input({ description: 'API key to cancel. It must not have started.' })
export class CancelCredentialInput extends ApiKeyInput {}

@Input({ description: 'API key to rotate.' })
export class RotateCredentialInput extends ApiKeyInput {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 24,
    description:
      'Number of hours, up to 168, during which both API keys work. With 0, the old API key expires immediately.',
  })
  @Range(0, 168)
  overlapHours!: number;
}

@Input({ description: 'API key to suspend.' })
export class SuspendCredentialInput extends ApiKeyInput {
  @Reason()
  reason!: string;
}

@Input({ description: 'Suspended API key to reinstate.' })
export class ReinstateCredentialInput extends ApiKeyInput {
  @Reason({ nullable: true })
  reason?: string;
}
