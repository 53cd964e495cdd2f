import { Field, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';

@Input({ description: 'Client credentials of one environment.' })
export class IssueTokenInput {
  @Field({ description: 'Public identifier.' })
  @Text(100)
  clientId!: string;

  @Field({ description: 'The API secret that was shown once.' })
  @Text(200)
  apiSecret!: string;

  @Field(() => EnvironmentEnum, { description: 'Must be the environment of this host.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free label.' })
  @Text(255)
  deviceName?: string;
}

@Output({ description: 'The developer behind a token.' })
export class User {
  @Field(() => Int, { description: 'Account number.' })
  id!: number;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'E-mail address.' })
  email!: string;

  @Field(() => [String], { description: 'Always developer.' })
  roles!: string[];

  @Field(() => [String], { description: 'The enabled service keys, such as operator_fetch.' })
  permissions!: string[];
}

@Output({ description: 'A Bearer token.' })
export class Token {
  @Field({ description: 'Send it as Authorization: Bearer <token>.' })
  token!: string;

  @Field({ description: 'Always Bearer.' })
  tokenType!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the credentials.' })
  environment!: Environment;

  @Field({ description: 'Host to use for API calls in this environment.' })
  baseUrl!: string;

  @Field(() => Instant, {
    description: 'When the token ends if it is not used until then; every use moves it on, up to a maximum.',
  })
  expiresAt!: Date;

  @Field(() => User, { description: 'Whose token it is.' })
  user!: User;
}
