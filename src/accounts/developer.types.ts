import { Field, ID, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { DeveloperId, OnboardingStatus } from '../core/principal.js';
import type { Service as ServiceKey } from '../core/services.js';
import {
  EnvironmentEnum,
  OnboardingStatusEnum,
  Output,
  PageInfo,
  ServiceEnum,
} from '../graphql-toolkit/graphql-types.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { Proposal } from '../proposals/proposal.types.js';
import type { RechargeProvider } from '../providers/registry.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@Output({ description: 'A reseller whose developers share one recharge provider.' })
export class WhiteLabel {
  @Field(() => ID, { description: 'Id of the white label.' })
  id!: string;

  @Field({ description: 'Unique name.' })
  name!: string;

  @Field(() => RechargeProviderEnum, { description: 'Performs the recharges of all its developers.' })
  rechargeProvider!: RechargeProvider;
}

@Output({ description: 'One service key of a developer.' })
export class ServiceAccess {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Whether the developer may call it.' })
  enabled!: boolean;

  @Field(() => Rupees, { description: 'Charged per call in Production, in rupees; UAT is free.' })
  fee!: Paise;
}

@Output({ description: 'A client id and what is known of its secret.' })
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

  @Field(() => Instant, { nullable: true, description: 'When it stopped working.' })
  revokedAt!: Date | null;
}

@Output({ description: 'A new key. The secret is shown this once.' })
export class IssuedCredential {
  @Field({ description: 'Public identifier.' })
  clientId!: string;

  @Field({ description: 'The API secret; only a keyed hash of it is stored.' })
  apiSecret!: string;

  @Field(() => EnvironmentEnum, { description: 'Where it works.' })
  environment!: Environment;
}

@Output({ description: 'An integrator’s account.' })
export class Developer {
  @Field(() => ID, { description: 'Id of the developer.' })
  id!: DeveloperId;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'E-mail address.' })
  email!: string;

  @Field(() => Instant, { description: 'When the account was made.' })
  createdAt!: Date;

  @Field(() => OnboardingStatusEnum, { description: 'How far the account has come.' })
  onboardingStatus!: OnboardingStatus;

  @Field(() => String, { nullable: true, description: 'Why an admin rejected the account.' })
  rejectionReason!: string | null;

  @Field({ description: 'Whether Production keys may exist and work.' })
  productionUnlocked!: boolean;

  @Field(() => Instant, {
    nullable: true,
    description: 'Since when no key of it works; null while it is not suspended.',
  })
  suspendedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it is suspended.' })
  suspensionReason!: string | null;

  @Field(() => RechargeProviderEnum, {
    description: 'Performs the recharges: the white label’s when there is one, else the developer’s own.',
  })
  rechargeProvider!: RechargeProvider;

  @Field(() => WhiteLabel, { nullable: true, description: 'Null for a platform developer.' })
  whiteLabel!: WhiteLabel | null;

  @Field(() => Int, { nullable: true, description: 'Calls per minute and endpoint; null means the usual limit.' })
  rateLimitPerMinute!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Days without use after which a token of it ends; null means as usual.',
  })
  tokenIdleDays!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Days after which a token of it ends although it is used; null means as usual.',
  })
  tokenMaxDays!: number | null;
}

@Output({ description: 'A developer with its position in the list.' })
export class DeveloperEdge {
  @Field({ description: 'Position in the list.' })
  cursor!: string;

  @Field(() => Developer, { description: 'The developer.' })
  node!: Developer;
}

@Output({ description: 'A page of developers, newest first.' })
export class DeveloperConnection {
  @Field(() => [DeveloperEdge], { description: 'The developers.' })
  edges!: DeveloperEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many match on all pages.' })
  totalCount!: number;
}

@Output({ description: 'What a provider was assigned to: one of the two is set.' })
export class AssignRechargeProviderResult {
  @Field(() => Developer, { nullable: true, description: 'The developer, when one was named.' })
  developer!: Developer | null;

  @Field(() => WhiteLabel, { nullable: true, description: 'The white label, when one was named.' })
  whiteLabel!: WhiteLabel | null;
}

@Output({ description: 'A decision about a developer, carried out or proposed.' })
export class DeveloperPayload {
  @Field(() => Developer, { description: 'The account as it is now.' })
  developer!: Developer;

  @Field(() => Proposal, { nullable: true, description: 'What waits for a second person; null when it is done.' })
  proposal!: Proposal | null;
}

@Output({ description: 'A decision about a key.' })
export class CredentialPayload {
  @Field(() => Credential, { description: 'The key as it is now.' })
  credential!: Credential;

  @Field(() => Developer, { description: 'Whose it is.' })
  developer!: Developer;
}
