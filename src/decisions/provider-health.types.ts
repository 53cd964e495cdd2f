import { Field, Float, Int } from 'type-graphql';
import { Reason } from '../accounts/account.changes.js';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Input } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import { isSwitchable } from '../providers/switches.js';
import type { BreakerState } from '../providers/undici-http-client.js';

export const BreakerStateEnum = words<BreakerState>('BreakerState', 'Whether calls are let through to a provider.', {
  closed: 'Calls go through.',
  half_open: 'One call is tried, the others are refused.',
  open: 'Too many calls failed: they are refused at once.',
});

@Output({ description: 'How a provider does in an environment.' })
export class ProviderHealth {
  @Field(() => ProviderEnum, { description: 'Which provider.' })
  provider!: string;

  @Field(() => EnvironmentEnum, { description: 'Where: in UAT the sandbox answers for all.' })
  environment!: Environment;

  @Field({ description: 'False while staff have switched it off: nothing new is sent to it.' })
  available!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it is switched off; null while it is not.' })
  unavailableReason!: string | null;

  @Field(() => BreakerStateEnum, {
    description:
      'Of its connections, as the process sees it that answers; the worst of them. OPEN where it has no URL.',
  })
  breaker!: BreakerState;

  @Field(() => Float, {
    nullable: true,
    description:
      'Of 1: how much of what was charged for and the provider decided succeeded, of the newest calls of the last hour, at most 10,000. What a person decided is left out. Null when there was none.',
  })
  successRate!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95 of 100 of these were decided within so many milliseconds; null when there was none.',
  })
  p95Ms!: number | null;

  @Field(() => Int, { description: 'Number of Production payments without a final status.' })
  pendingPayments!: number;

  @Field(() => Rupees, { description: 'Sum of the pending payments.' })
  pendingAmount!: Paise;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the oldest pending payment was placed. Null if no payment is pending.',
  })
  oldestPendingAt!: Date | null;

  @Field(() => Rupees, {
    nullable: true,
    description:
      'Largest sum of pending payments. Above the limit, the provider gets no new payments. Null if there is no limit.',
  })
  exposureLimit!: Paise | null;
}

@Input({ description: 'A provider that is to get nothing new, or to get it again.' })
export class SetProviderAvailabilityInput {
  @Field(() => ProviderEnum, { description: 'Which provider.' })
  provider!: string;

  @Field(() => EnvironmentEnum, { description: 'Where: UAT for the sandbox, PRODUCTION for all others.' })
  @Agrees<SetProviderAvailabilityInput>(
    ({ provider, environment }) => !environment || !provider || isSwitchable(environment, provider),
    'In UAT the sandbox answers for all providers, and in PRODUCTION it answers nothing.',
  )
  environment!: Environment;

  @Field({ description: 'Whether anything new is sent to it.' })
  available!: boolean;

  @Reason()
  reason!: string;
}

@Output({ description: 'A decision about a provider.' })
export class ProviderHealthPayload {
  @Field(() => ProviderHealth, { description: 'The provider as it is now.' })
  health!: ProviderHealth;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change; null when the change is made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
