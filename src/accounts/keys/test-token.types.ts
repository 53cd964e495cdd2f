import { Field, Int } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Input, Range } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';

@Input({ description: 'A token to try things with in UAT.' })
export class CreateTestTokenInput {
  @Field(() => Int, { nullable: true, defaultValue: 900, description: 'How long it lives: 60 to 3,600 seconds.' })
  @Range(60, 3_600)
  expiresInSeconds!: number;
}

@Output({ description: 'A token of the UAT host. It is shown once.' })
export class CreateTestTokenPayload {
  @Field({ description: 'Send it to the UAT host as Authorization: Bearer <token>.' })
  token!: string;

  @Field(() => Instant, {
    description: 'When it ends, used or not; before that with the session in which it was made.',
  })
  expiresAt!: Date;

  @Field({ description: 'The UAT host, the one that takes it.' })
  baseUrl!: string;
}
