import { Field, Int } from 'type-graphql';
import { ApprovalRequest } from '../../approval-requests/approval-request.types.js';
import type { Environment } from '../../core/environment.js';
import type { ErrorCode } from '../../core/errors.js';
import type { Paise } from '../../core/money.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import type { Service as ServiceKey } from '../../core/services.js';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import {
  EnvironmentEnum,
  ErrorCodeEnum,
  OnboardingStatusEnum,
  Output,
  ServiceEnum,
} from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import type { RechargeProvider } from '../../providers/registry.js';
import type { DeveloperFilter } from './developer.inputs.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@NodeType<WhiteLabel>('wlb', { description: 'A reseller whose developers share one recharge provider.' })
export class WhiteLabel {
  id!: string;

  @Field({ description: 'Unique name.' })
  name!: string;

  @Field(() => RechargeProviderEnum, { description: 'Performs the recharges of all its developers.' })
  rechargeProvider!: RechargeProvider;

  @Field(() => Instant, { nullable: true, description: 'Since when it takes no developers; null while it does.' })
  disabledAt?: Date | null;
}

const accessKey = ({ developerId, service }: ServiceAccess): string => `${developerId}.${service}`;

@NodeType<ServiceAccess>('sac', { description: 'One service key of a developer.' }, accessKey)
export class ServiceAccess {
  developerId!: DeveloperId;
  /** When it was switched or its fee was set, and by whom, as the audit log names them; undefined where nobody ever did. */
  changed?: { at: Date; by: string } | undefined;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Whether the developer may call it.' })
  enabled!: boolean;

  @Field(() => Rupees, { description: 'Charged per call in Production, in rupees; UAT is free.' })
  fee!: Paise;
}

@Output({ description: 'A call of the API that was rejected because of its caller, with 403 or `WRONG_HOST`.' })
export class RejectedCall {
  @Field(() => EnvironmentEnum, { description: 'Environment of the API key or token.' })
  environment!: Environment;

  @Field(() => Instant, { description: 'Time of the response.' })
  at!: Date;

  @Field(() => ErrorCodeEnum, { description: 'Error code of the response.' })
  code!: ErrorCode;

  @Field({ description: 'Request ID of the response, as in `X-Request-Id`. `search` finds the account by it.' })
  requestId!: string;

  @Field({ description: 'Method and path of a REST call, or `GraphQL` and the name of the field.' })
  operation!: string;
}

@NodeType<Developer>('dev', { description: 'An integrator’s account.' })
export class Developer {
  id!: DeveloperId;
  /** Whom `approvedBy` shows, as the audit log names them. */
  approver!: string | null;
  /** What `goLive` shows. */
  emailVerifiedAt!: Date | null;
  productionUnlockedAt!: Date | null;
  /** The last time that live access was asked for. */
  requestedAt!: Date | null;
  requestMessage!: string | null;

  @Field(() => Int, {
    description:
      'The `user.id` of the API: a short number to name the account by. Nothing is found by it but in the console’s search.',
  })
  accountNumber!: number;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field(() => Instant, { description: 'When the account was made.' })
  createdAt!: Date;

  @Field(() => OnboardingStatusEnum, { description: 'How far the account has come.' })
  onboardingStatus!: OnboardingStatus;

  @Field(() => Instant, { nullable: true, description: 'When KYC was handed in last; null before it was.' })
  kycSubmittedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the account was rejected, or what has to be mended in its KYC; null in every other state.',
  })
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

  @Field(() => Instant, {
    nullable: true,
    description:
      'When it was closed for good: nobody signs in to it, and it cannot be reinstated. Null while it is open.',
  })
  closedAt!: Date | null;

  @Field(() => RechargeProviderEnum, {
    description: 'Performs the recharges: the white label’s when there is one, else the developer’s own.',
  })
  rechargeProvider!: RechargeProvider;

  @Field(() => RechargeProviderEnum, {
    description: 'The developer’s own provider, which counts while it is under no white label.',
  })
  ownRechargeProvider!: RechargeProvider;

  @Field(() => WhiteLabel, { nullable: true, description: 'Null for a platform developer.' })
  whiteLabel!: WhiteLabel | null;

  @Field(() => Int, { nullable: true, description: 'Calls per minute and endpoint; null means the usual limit.' })
  rateLimitPerMinute!: number | null;

  @Field(() => Int, {
    description:
      'So many seconds a recharge without a key that is equal to a performed one is refused; 0: it is performed, with a warning.',
  })
  duplicateGuardSeconds!: number;

  @Field(() => Int, { description: 'Minutes without a request after which a session of a user of the account ends.' })
  sessionIdleMinutes!: number;

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

@Output({ description: 'A page of developers.' })
export class DeveloperConnection extends connectionOf('Developer', Developer, {
  one: 'developer',
  edge: 'A developer with its position in the list.',
  cursor: 'Position in the list.',
}) {
  /** What `totalCount` counts. */
  filter!: DeveloperFilter;
}

@Output({ description: 'A decision about a developer, carried out or requested.' })
export class DeveloperPayload {
  @Field(() => Developer, { description: 'The account as it is now.' })
  developer!: Developer;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change; null when the change is made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
