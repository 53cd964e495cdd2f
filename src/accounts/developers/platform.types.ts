import { Field, ID } from 'type-graphql';
import { ApprovalRequest } from '../../approval-requests/approval-request.types.js';
import type { Environment } from '../../core/environment.js';
import { EnvironmentEnum, Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Input, Pattern, Text } from '../../graphql-toolkit/rules.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { Reason } from '../account.changes.js';
import { Developer, WhiteLabel } from './developer.types.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@Input({ description: 'A new white label.' })
export class CreateWhiteLabelInput {
  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;

  @Field(() => RechargeProviderEnum, { description: 'Performs the recharges of all its developers.' })
  rechargeProvider!: RechargeProvider;
}

@Input({ description: 'Another name of a white label.' })
export class RenameWhiteLabelInput {
  @Field(() => ID, { description: 'The white label.' })
  whiteLabelId!: string;

  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;
}

@Input({ description: 'A white label that is to take no more developers.' })
export class DisableWhiteLabelInput {
  @Field(() => ID, { description: 'The white label.' })
  whiteLabelId!: string;

  @Reason()
  reason!: string;
}

@Input({ description: 'A disabled white label that is to take developers again.' })
export class EnableWhiteLabelInput {
  @Field(() => ID, { description: 'The white label.' })
  whiteLabelId!: string;

  @Reason()
  reason!: string;
}

@Output({ description: 'A decision about a white label.' })
export class WhiteLabelPayload {
  @Field(() => WhiteLabel, { description: 'The white label as it is now.' })
  whiteLabel!: WhiteLabel;
}

@Input({ description: 'Whose recharges a provider performs: exactly one of developer and white label.' })
export class AssignRechargeProviderInput {
  @Field(() => ID, { nullable: true, description: 'A platform developer.' })
  @Agrees<AssignRechargeProviderInput>(
    ({ developerId, whiteLabelId }) => (developerId === undefined) !== (whiteLabelId === undefined),
    'Give exactly one of developerId and whiteLabelId.',
  )
  developerId?: string;

  @Field(() => ID, { nullable: true, description: 'A white label, with all its developers.' })
  whiteLabelId?: string;

  @Field(() => RechargeProviderEnum, { description: 'The provider.' })
  provider!: RechargeProvider;
}

@Output({ description: 'What a provider was assigned to: one of the two is set.' })
export class AssignRechargeProviderPayload {
  @Field(() => Developer, { nullable: true, description: 'The developer, when one was named.' })
  developer!: Developer | null;

  @Field(() => WhiteLabel, { nullable: true, description: 'The white label, when one was named.' })
  whiteLabel!: WhiteLabel | null;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change; null when the change is made.',
  })
  approvalRequest!: ApprovalRequest | null;
}

@Input({ description: 'The customer that leads are created for when a request names none.' })
export class SetDefaultLeadCustomerInput {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field({ description: 'The encrypted customer id that leads without one are created for.' })
  @Pattern(
    /^[A-Za-z0-9_+/=-]{1,200}$/,
    'Must be an encrypted customer id: 1 to 200 letters, digits and the signs - _ + / =, without blanks.',
  )
  customerId!: string;
}

@Output({ description: 'The customer that leads without one are created for, in one environment.' })
export class DefaultLeadCustomer {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'The customer; null where none is set: such leads are refused.' })
  customerId!: string | null;
}

@Output({ description: 'The customer that leads without one are created for.' })
export class SetDefaultLeadCustomerPayload {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field({ description: 'The customer.' })
  customerId!: string;
}
