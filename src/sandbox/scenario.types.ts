import { Field } from 'type-graphql';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { DeclineReasonEnum } from '../orders/views/order.types.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import { decliningScenarios, reasonsToDecline, type Scenario, scenarios } from '../providers/sandbox/scenarios.js';

const ScenarioEnum = words(
  'SandboxOutcome',
  'Simulated outcome of a sandbox call.',
  Object.fromEntries(Object.entries(scenarios).map(([name, { description }]) => [name, description])),
);

const TARGET = 'Set exactly one of the idempotency key and the number of the call.';

@Input({ description: 'Simulated outcome of the next call with the given idempotency key or number.' })
export class SetSandboxScenarioInput {
  @Field(() => ScenarioEnum, { description: 'Simulated outcome.' })
  outcome!: Scenario;

  @Field(() => DeclineReasonEnum, {
    nullable: true,
    description:
      'Decline reason. Only for DECLINE and PENDING_THEN_FAILURE, and only for payments, because failed lookups return no reason.',
  })
  @Agrees<SetSandboxScenarioInput>(
    ({ outcome, reason }) => reason === undefined || outcome === undefined || decliningScenarios.includes(outcome),
    'Must be omitted unless the outcome is a decline.',
  )
  @Agrees<SetSandboxScenarioInput>(
    ({ reason }) => reason === undefined || reasonsToDecline.some((value) => value === reason),
    `Must be one of ${reasonsToDecline.join(', ')}.`,
    { rule: 'ENUM', allowed: reasonsToDecline },
  )
  reason?: DeclineReason;

  @Field(() => String, {
    nullable: true,
    description: 'Idempotency key of the next call: `client_request_id`, or `orderid` of a bill payment or lookup.',
  })
  @Text(100)
  @Agrees<SetSandboxScenarioInput>(
    ({ clientRequestId, accountNumber }) => (clientRequestId === undefined) !== (accountNumber === undefined),
    TARGET,
  )
  clientRequestId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Number of the next call: an account, mobile or DTH number. For a card bill, the mobile number.',
  })
  @Text(32)
  accountNumber?: string;
}

@Output({ description: 'Scenario that was set. The next call with this idempotency key or number uses it.' })
export class SetSandboxScenarioPayload {
  @Field(() => ScenarioEnum, { description: 'Simulated outcome.' })
  outcome!: Scenario;

  @Field(() => DeclineReasonEnum, {
    nullable: true,
    description: 'Decline reason. Null for the default reason or another outcome.',
  })
  reason!: DeclineReason | null;

  @Field(() => String, {
    nullable: true,
    description: 'Idempotency key of the call. Null if the scenario is for a number.',
  })
  clientRequestId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Number (mobile, DTH or card) that the scenario applies to. Null if the scenario applies to an idempotency key.',
  })
  accountNumber!: string | null;

  @Field(() => Instant, { description: 'Time an unused scenario expires.' })
  expiresAt!: Date;
}
