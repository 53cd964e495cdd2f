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
  @Field({ description: 'Client ID.' })
  @Text(100)
  clientId!: string;

  @Field({ description: 'API secret, shown once when the API key was created.' })
  @Text(200)
  apiSecret!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the API key. Must be the environment of this host.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free-text label of the device or server.' })
  @Text(255)
  deviceName?: string;
}

const AccountRoleEnum = words('AccountRole', 'Role of the owner of a token.', {
  developer: 'Calls the API for its own account.',
});

@NodeType<Account>(
  'acc',
  { description: 'Account behind a token, with the permissions of the token.' },
  ({ environment, developerId }) => `${environment}_${developerId}`,
)
export class Account {
  /** Part of the node ID, together with the environment, because permissions differ between the environments. */
  developerId!: DeveloperId;

  @Field(() => Int, { description: 'Account number; `user.id` in REST.' })
  accountNumber!: number;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the token.' })
  environment!: Environment;

  @Field(() => [AccountRoleEnum], { description: 'Always DEVELOPER only.' })
  roles!: 'developer'[];

  @Field(() => [ServiceEnum], { description: 'Services enabled for the account.' })
  permissions!: Service[];

  @Field(() => Int, { description: 'Maximum number of calls per minute and endpoint.' })
  rateLimitPerMinute!: number;
}

@Output({ description: 'A Bearer token.' })
export class IssueTokenPayload {
  @Field({ description: 'Bearer token. Send it in the header `Authorization: Bearer <token>`.' })
  token!: string;

  @Field({ description: 'Always Bearer.' })
  tokenType!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment of the credentials.' })
  environment!: Environment;

  @Field({ description: 'Host to use for API calls in this environment.' })
  baseUrl!: string;

  @Field(() => Instant, {
    description: 'Time the token expires if it is not used. Every use extends it, up to a maximum lifetime.',
  })
  expiresAt!: Date;

  @Field(() => Account, { description: 'Account of the token.' })
  account!: Account;
}
