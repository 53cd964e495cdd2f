import { Field, Int } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import type { Service as ServiceKey } from '../../core/services.js';
import {
  EnvironmentEnum,
  OnboardingStatusEnum,
  Output,
  PageInfo,
  ServiceEnum,
} from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import { Proposal } from '../../proposals/proposal.types.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@NodeType<WhiteLabel>('wlb', { description: 'A reseller whose developers share one recharge provider.' })
export class WhiteLabel {
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

  @Field(() => Instant, { nullable: true, description: 'When it ends by itself: it was rotated.' })
  expiresAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'When it was ended.' })
  revokedAt!: Date | null;
}

@NodeType<Developer>('dev', { description: 'An integrator’s account.' })
export class Developer {
  id!: DeveloperId;
  /** Whom `approvedBy` shows, as the audit trail names them. */
  approver!: string | null;

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

  @Field(() => Instant, { nullable: true, description: 'When it was approved.' })
  approvedAt!: Date | null;

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
    description:
      'So many seconds a recharge without a key that is equal to a performed one is refused; 0: it is performed, with a warning.',
  })
  duplicateGuardSeconds!: number;

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

/** Which developers; all of them where nothing is said. */
export interface DeveloperFilter {
  search?: string;
  status?: OnboardingStatus;
  suspended?: boolean;
  productionUnlocked?: boolean;
  /** A UUID. */
  whiteLabelId?: string;
}

@Output({ description: 'A page of developers.' })
export class DeveloperConnection {
  /** What `totalCount` counts. */
  filter!: DeveloperFilter;

  @Field(() => [DeveloperEdge], { description: 'The developers.' })
  edges!: DeveloperEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}

@Output({ description: 'What a provider was assigned to: one of the two is set.' })
export class AssignRechargeProviderPayload {
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

@Output({ description: 'A new key. The secret is shown this once.' })
export class CreateCredentialPayload extends CredentialPayload {
  @Field({ description: 'The API secret; only a keyed hash of it is stored.' })
  apiSecret!: string;
}

@Output({ description: 'A decision about a white label.' })
export class WhiteLabelPayload {
  @Field(() => WhiteLabel, { description: 'The white label as it is now.' })
  whiteLabel!: WhiteLabel;
}

@Output({ description: 'The customer that leads without one are created for.' })
export class SetDefaultLeadCustomerPayload {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field({ description: 'The customer.' })
  customerId!: string;
}
