import { Field } from 'type-graphql';
import { Reason } from '../accounts/account.changes.js';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import { EnvironmentInfo } from '../code-tables/environments.resolver.js';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Input, Text } from '../graphql-toolkit/rules.js';

@Input({ description: 'New orders that are to be held, or taken again.' })
export class SetOrderHoldInput {
  @Field(() => EnvironmentEnum, { description: 'Where.' })
  environment!: Environment;

  @Field({ description: 'Whether they are held.' })
  held!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'What callers and developers read while orders are held, 1 to 200 characters; left out when they are taken again.',
  })
  @Text(200)
  @Agrees<SetOrderHoldInput>(
    ({ held, notice }) => held !== true || (notice !== undefined && notice !== null),
    'Is required where orders are held: callers and developers read it.',
    'REQUIRED',
  )
  @Agrees<SetOrderHoldInput>(
    ({ held, notice }) => held !== false || notice === undefined || notice === null,
    'Must be left out where orders are taken again: nobody would read it.',
  )
  notice?: string | null;

  @Reason({ nullable: true })
  reason?: string | null;
}

@Output({ description: 'A decision about new orders.' })
export class OrderHoldPayload {
  @Field(() => EnvironmentInfo, { description: 'The environment as it is now.' })
  environment!: EnvironmentInfo;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change; null when the change is made.',
  })
  approvalRequest!: ApprovalRequest | null;
}
