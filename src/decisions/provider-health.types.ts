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

export const BreakerStateEnum = words<BreakerState>('BreakerState', 'Circuit breaker state of a provider.', {
  closed: 'Calls are allowed.',
  half_open: 'One test call is allowed. Other calls are rejected.',
  open: 'Too many calls failed. Calls are rejected immediately.',
});

@Output({ description: 'Health of a provider in an environment.' })
export class ProviderHealth {
  @Field(() => ProviderEnum, { description: 'Name of the provider.' })
  provider!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment. In UAT, the sandbox replaces all providers.' })
  environment!: Environment;

  @Field({ description: 'Whether new requests are sent to the provider. False if staff disabled it.' })
  available!: boolean;

  @Field(() => String, { nullable: true, description: 'Reason the provider is disabled. Null if it is enabled.' })
  unavailableReason!: string | null;

  @Field(() => BreakerStateEnum, {
    description:
      'Worst circuit breaker state of the provider’s connections, as seen by the process that responds. OPEN if the provider has no URL.',
  })
  breaker!: BreakerState;

  @Field(() => Float, {
    nullable: true,
    description:
      'Success rate, from 0 to 1, of charged calls that the provider resolved. Covers the last hour, at most the newest 10,000 calls. Manually resolved calls are excluded. Null if there were no calls.',
  })
  successRate!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      '95th percentile of the time from a call to its final status, in milliseconds. Covers the same calls as `successRate`. Null if there were no calls.',
  })
  p95Ms!: number | null;

  @Field(() => Int, { description: 'Number of Production payments without a final status.' })
  pendingPayments!: number;

  @Field(() => Rupees, { description: 'Sum of the pending payments, in rupees.' })
  pendingAmount!: Paise;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the oldest pending payment was placed. Null if no payment is pending.',
  })
  oldestPendingAt!: Date | null;

  @Field(() => Rupees, {
    nullable: true,
    description:
      'Maximum sum of pending payments, in rupees. Above the limit, the provider receives no new payments. Null if there is no limit.',
  })
  exposureLimit!: Paise | null;
}

@Input({ description: 'New availability of a provider.' })
export class SetProviderAvailabilityInput {
  @Field(() => ProviderEnum, { description: 'Provider to enable or disable.' })
  provider!: string;

  @Field(() => EnvironmentEnum, {
    description: 'Environment: UAT for the sandbox, PRODUCTION for all other providers.',
  })
  @Agrees<SetProviderAvailabilityInput>(
    ({ provider, environment }) => !environment || !provider || isSwitchable(environment, provider),
    'Must be UAT for the sandbox, and PRODUCTION for all other providers.',
  )
  environment!: Environment;

  @Field({ description: 'Whether new requests are sent to the provider.' })
  available!: boolean;

  @Reason()
  reason!: string;
}

@Output({ description: 'The updated provider.' })
export class ProviderHealthPayload {
  @Field(() => ProviderHealth, { description: 'Provider health after the change.' })
  health!: ProviderHealth;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change. Null if the change was made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
