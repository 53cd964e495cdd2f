import { Field, Int } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Input, Range } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';

@Input({ description: 'Test token for UAT.' })
export class CreateTestTokenInput {
  @Field(() => Int, { nullable: true, defaultValue: 900, description: 'Token lifetime in seconds, from 60 to 3,600.' })
  @Range(60, 3_600)
  expiresInSeconds!: number;
}

@Output({ description: 'Test token for the UAT host. Shown only once.' })
export class CreateTestTokenPayload {
  @Field({ description: 'Test token. Send it to the UAT host in the header `Authorization: Bearer <token>`.' })
  token!: string;

  @Field(() => Instant, {
    description:
      'Time the token expires, whether or not it is used. It expires earlier if the session that created it ends.',
  })
  expiresAt!: Date;

  @Field({ description: 'Base URL of the UAT host, which accepts the token.' })
  baseUrl!: string;
}
