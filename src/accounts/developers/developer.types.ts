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

@NodeType<WhiteLabel>('wlb', { description: 'Reseller whose developers share one recharge provider.' })
export class WhiteLabel {
  id!: string;

  @Field({ description: 'Unique name.' })
  name!: string;

  @Field(() => RechargeProviderEnum, {
    description: 'Provider that processes the recharges of all developers of the white label.',
  })
  rechargeProvider!: RechargeProvider;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the white label was disabled. A disabled white label accepts no developers. Null if it is enabled.',
  })
  disabledAt?: Date | null;
}

const accessKey = ({ developerId, service }: ServiceAccess): string => `${developerId}.${service}`;

@NodeType<ServiceAccess>('sac', { description: 'Access of a developer to one service.' }, accessKey)
export class ServiceAccess {
  developerId!: DeveloperId;
  /** Time and actor (as in the audit log) of the last change of access or fee. Undefined if there was none. */
  changed?: { at: Date; by: string } | undefined;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Whether the developer can call the service.' })
  enabled!: boolean;

  @Field(() => Rupees, { description: 'Fee per call in Production, in rupees. Calls in UAT are free.' })
  fee!: Paise;
}

@Output({ description: 'API call that was rejected because of its caller, with status 403 or `WRONG_HOST`.' })
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

@NodeType<Developer>('dev', { description: 'Account of an integrator.' })
export class Developer {
  id!: DeveloperId;
  /** Actor that the field `approvedBy` displays, as in the audit log. */
  approver!: string | null;
  /** Time the address was verified. Used by `goLive`. */
  emailVerifiedAt!: Date | null;
  productionUnlockedAt!: Date | null;
  /** Time of the last request for Production access. */
  requestedAt!: Date | null;
  requestMessage!: string | null;

  @Field(() => Int, {
    description: 'Account number; `user.id` in REST. To look an account up by its number, use the console search.',
  })
  accountNumber!: number;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field(() => Instant, { description: 'Time the account was created.' })
  createdAt!: Date;

  @Field(() => OnboardingStatusEnum, { description: 'Onboarding state of the account.' })
  onboardingStatus!: OnboardingStatus;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time of the latest KYC submission. Null if nothing was submitted.',
  })
  kycSubmittedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the rejection, or the requested changes to the KYC. Null in all other states.',
  })
  rejectionReason!: string | null;

  @Field(() => Instant, { nullable: true, description: 'Time the account was approved. Null if it was not approved.' })
  approvedAt!: Date | null;

  @Field({ description: 'Whether Production API keys can be created and used.' })
  productionUnlocked!: boolean;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the account was suspended. Its API keys do not work. Null if it is not suspended.',
  })
  suspendedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for the suspension. Null if the account is not suspended.',
  })
  suspensionReason!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the account was permanently closed. No user can sign in to a closed account, and it cannot be reinstated. Null if it is open.',
  })
  closedAt!: Date | null;

  @Field(() => RechargeProviderEnum, {
    description:
      'Provider that processes the recharges: the provider of the white label if there is one, otherwise that of the developer.',
  })
  rechargeProvider!: RechargeProvider;

  @Field(() => RechargeProviderEnum, {
    description: 'Provider set for the developer directly. Used only if the developer has no white label.',
  })
  ownRechargeProvider!: RechargeProvider;

  @Field(() => WhiteLabel, {
    nullable: true,
    description: 'White label of the developer. Null for a platform developer.',
  })
  whiteLabel!: WhiteLabel | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of calls per minute and endpoint. Null for the default limit.',
  })
  rateLimitPerMinute!: number | null;

  @Field(() => Int, {
    description:
      'Duration of the duplicate guard, in seconds: a recharge without an idempotency key that repeats a successful recharge is rejected for this time. With 0, it is processed with a warning.',
  })
  duplicateGuardSeconds!: number;

  @Field(() => Int, {
    description: 'Number of minutes without a request after which a session of a user of the account expires.',
  })
  sessionIdleMinutes!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of days without use after which a token of the account expires. Null for the default.',
  })
  tokenIdleDays!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum lifetime of a token of the account in days, even if it is used. Null for the default.',
  })
  tokenMaxDays!: number | null;
}

@Output({ description: 'A page of developers.' })
export class DeveloperConnection extends connectionOf('Developer', Developer, {
  singular: 'developer',
  edge: 'A developer and its pagination cursor.',
  cursor: 'Pagination cursor of the developer.',
}) {
  /** Filter by which `totalCount` counts. */
  filter!: DeveloperFilter;
}

@Output({ description: 'The updated account, or the approval request for the change.' })
export class DeveloperPayload {
  @Field(() => Developer, { description: 'The account after the change.' })
  developer!: Developer;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change. Null if the change was made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
