import { Field } from 'type-graphql';
import { Reason } from '../accounts/account.changes.js';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import { EnvironmentInfo } from '../code-tables/environments.resolver.js';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../graphql-toolkit/rules.js';

@Input({ description: 'Pause of new orders.' })
export class PauseOrdersInput {
  @Field(() => EnvironmentEnum, { description: 'Environment whose orders are paused.' })
  environment!: Environment;

  @Field({
    description:
      'Notice for callers and developers, 1 to 200 characters. If orders are already paused, it replaces the previous notice.',
  })
  @Text(200)
  notice!: string;

  @Reason({ nullable: true })
  reason?: string | null;
}

@Input({ description: 'Environment whose orders are to be resumed.' })
export class ResumeOrdersInput {
  @Field(() => EnvironmentEnum, { description: 'Environment whose orders are resumed.' })
  environment!: Environment;

  @Reason({ nullable: true })
  reason?: string | null;
}

@Output({ description: 'Result of pausing or resuming orders.' })
export class OrderPausePayload {
  @Field(() => EnvironmentInfo, { description: 'Environment after the change.' })
  environment!: EnvironmentInfo;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change. Null if the change was made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
