import { Field, Int } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import { EnvironmentEnum, Output, ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { words } from '../../graphql-toolkit/words.js';

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

const AccountRoleEnum = words('AccountRole', 'What the owner of a token may be.', {
  developer: 'Calls the API for an account of its own.',
});

@NodeType<Account>(
  'acc',
  { description: 'The developer behind a token, and what the token may do.' },
  ({ environment, developerId }) => `${environment}_${developerId}`,
)
export class Account {
  /** Of its id, which has the environment too: what an account may do is said for each by itself. */
  developerId!: DeveloperId;

  @Field(() => Int, { description: 'Account number, as REST names the user.' })
  accountNumber!: number;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field(() => EnvironmentEnum, { description: 'Where the token works.' })
  environment!: Environment;

  @Field(() => [AccountRoleEnum], { description: 'Always DEVELOPER alone.' })
  roles!: 'developer'[];

  @Field(() => [ServiceEnum], { description: 'The services that are enabled.' })
  permissions!: Service[];

  @Field(() => Int, { description: 'Calls of one endpoint in a minute.' })
  rateLimitPerMinute!: number;
}

@Output({ description: 'A Bearer token.' })
export class IssueTokenPayload {
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

  @Field(() => Account, { description: 'Whose token it is.' })
  account!: Account;
}
