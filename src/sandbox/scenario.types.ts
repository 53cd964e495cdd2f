import { Field } from 'type-graphql';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { DeclineReasonEnum } from '../orders/views/order.types.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import { declining, reasonsToDecline, type Scenario, scenarios } from '../providers/sandbox/scenarios.js';

const ScenarioEnum = words(
  'SandboxOutcome',
  'What a call of the sandbox comes to.',
  Object.fromEntries(Object.entries(scenarios).map(([name, { description }]) => [name, description])),
);

const TARGET = 'Give exactly one of your own key and the number of the call.';

@Input({ description: 'What the next call with a key, or about a number, comes to.' })
export class SetSandboxScenarioInput {
  @Field(() => ScenarioEnum, { description: 'What it comes to.' })
  outcome!: Scenario;

  @Field(() => DeclineReasonEnum, {
    nullable: true,
    description: 'Why it is declined: of DECLINE and PENDING_THEN_FAILURE. Lookups that fail name none.',
  })
  @Agrees<SetSandboxScenarioInput>(
    ({ outcome, reason }) => reason === undefined || outcome === undefined || declining.includes(outcome),
    'Must be left out where nothing is declined.',
  )
  @Agrees<SetSandboxScenarioInput>(
    ({ reason }) => reason === undefined || reasonsToDecline.some((one) => one === reason),
    `Must be one of ${reasonsToDecline.join(', ')}.`,
    { rule: 'ENUM', allowed: reasonsToDecline },
  )
  reason?: DeclineReason;

  @Field(() => String, {
    nullable: true,
    description: 'The next call with this key of yours: client_request_id, or the orderid of a bill payment or lookup.',
  })
  @Text(100)
  @Agrees<SetSandboxScenarioInput>(
    ({ clientRequestId, accountNumber }) => (clientRequestId === undefined) !== (accountNumber === undefined),
    TARGET,
  )
  clientRequestId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'The next call about this number: an account, mobile or DTH number, of a bill the mobile.',
  })
  @Text(32)
  accountNumber?: string;
}

@Output({ description: 'The outcome of one call: the next one with this key or number uses it up.' })
export class SetSandboxScenarioPayload {
  @Field(() => ScenarioEnum, { description: 'What it comes to.' })
  outcome!: Scenario;

  @Field(() => DeclineReasonEnum, { nullable: true, description: 'Why it is declined.' })
  reason!: DeclineReason | null;

  @Field(() => String, { nullable: true, description: 'Of the call with this key.' })
  clientRequestId!: string | null;

  @Field(() => String, { nullable: true, description: 'Of a call about this number.' })
  accountNumber!: string | null;

  @Field(() => Instant, { description: 'When it is forgotten unless a call has taken it.' })
  expiresAt!: Date;
}
