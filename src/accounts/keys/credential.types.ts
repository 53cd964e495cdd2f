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
  { description: 'A client id and what is known of its secret.' },
  ({ clientId }) => clientId,
)
export class Credential {
  @Field({ description: 'Public identifier.' })
  clientId!: string;

  @Field(() => EnvironmentEnum, { description: 'Where it works.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free label.' })
  label!: string | null;

  @Field({ description: 'The end of the secret, to tell two keys apart.' })
  secretLast4!: string;

  @Field(() => Instant, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'Its last token exchange.' })
  lastUsedAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'Since when it is suspended; null while it works.' })
  suspendedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it is suspended.' })
  suspensionReason!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the API key starts to work. Requests with it are 401 before. Null for a key that worked from its creation.',
  })
  startsAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'When it ends by itself: it was rotated.' })
  expiresAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'When it was ended.' })
  revokedAt!: Date | null;
}

@Output({ description: 'A decision about a key.' })
export class CredentialPayload {
  @Field(() => Credential, { description: 'The key as it is now.' })
  credential!: Credential;

  @Field(() => Developer, { description: 'Whose it is.' })
  developer!: Developer;
}

@Output({ description: 'A new key. The secret is shown this once.' })
export class CreateCredentialPayload extends CredentialPayload {
  @Field({ description: 'The API secret; only a keyed hash of it is stored.' })
  apiSecret!: string;
}

@Input({ description: 'A new key.' })
export class CreateCredentialInput {
  @Field(() => EnvironmentEnum, { description: 'Where it works.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free label.' })
  @Text(100)
  label?: string;
}

@Input({ description: 'Which key.' })
class OfKey {
  @Field({ description: 'The key.' })
  @Text(100)
  clientId!: string;
}

const RevokedKeyEndpointsEnum = words(
  'RevokedKeyEndpoints',
  'Action for the webhook endpoints that were created with a revoked API key.',
  {
    keep: 'Keeps the webhook endpoints of the key enabled, without the key.',
    disable: 'Disables the webhook endpoints of the key immediately. Use this if the key may be compromised.',
  },
);
export type RevokedKeyEndpoints = WordOf<typeof RevokedKeyEndpointsEnum>;

@Input({ description: 'A key that is to end.' })
export class RevokeCredentialInput extends OfKey {
  @Field(() => RevokedKeyEndpointsEnum, {
    nullable: true,
    description: 'Needed when the key made webhook endpoints that are still enabled.',
  })
  endpoints?: RevokedKeyEndpoints;
}

@Input({ description: 'API key that has not started and is to be cancelled.' })
export class CancelCredentialInput extends OfKey {}

@Input({ description: 'A key that another one takes the place of.' })
export class RotateCredentialInput extends OfKey {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 24,
    description: 'How many hours both work, up to 168; 0: the old one ends at once.',
  })
  @Range(0, 168)
  overlapHours!: number;
}

@Input({ description: 'A key that is to be stopped.' })
export class SuspendCredentialInput extends OfKey {
  @Reason()
  reason!: string;
}

@Input({ description: 'A stopped key that may go on.' })
export class ReinstateCredentialInput extends OfKey {
  @Reason({ nullable: true })
  reason?: string;
}
