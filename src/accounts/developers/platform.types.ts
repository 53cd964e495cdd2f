import { Field, ID } from 'type-graphql';
import { ApprovalRequest } from '../../approval-requests/approval-request.types.js';
import type { Environment } from '../../core/environment.js';
import { EnvironmentEnum, Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Input, Pattern, Text } from '../../graphql-toolkit/rules.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { Reason } from '../account.changes.js';
import { Developer, WhiteLabel } from './developer.types.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@Input({ description: 'White label to create.' })
export class CreateWhiteLabelInput {
  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;

  @Field(() => RechargeProviderEnum, {
    description: 'Provider that processes the recharges of all developers of the white label.',
  })
  rechargeProvider!: RechargeProvider;
}

@Input({ description: 'New name of a white label.' })
export class RenameWhiteLabelInput {
  @Field(() => ID, { description: 'ID of the white label.' })
  whiteLabelId!: string;

  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;
}

@Input({ description: 'White label to disable.' })
export class DisableWhiteLabelInput {
  @Field(() => ID, { description: 'ID of the white label.' })
  whiteLabelId!: string;

  @Reason()
  reason!: string;
}

@Input({ description: 'White label to enable.' })
export class EnableWhiteLabelInput {
  @Field(() => ID, { description: 'ID of the white label.' })
  whiteLabelId!: string;

  @Reason()
  reason!: string;
}

@Output({ description: 'The updated white label.' })
export class WhiteLabelPayload {
  @Field(() => WhiteLabel, { description: 'The white label after the change.' })
  whiteLabel!: WhiteLabel;
}

@Input({ description: 'Provider to assign. Set exactly one of `developerId` and `whiteLabelId`.' })
export class AssignRechargeProviderInput {
  @Field(() => ID, { nullable: true, description: 'ID of a platform developer.' })
  @Agrees<AssignRechargeProviderInput>(
    ({ developerId, whiteLabelId }) => (developerId === undefined) !== (whiteLabelId === undefined),
    'Set exactly one of `developerId` and `whiteLabelId`.',
  )
  developerId?: string;

  @Field(() => ID, { nullable: true, description: 'ID of a white label. The provider applies to all its developers.' })
  whiteLabelId?: string;

  @Field(() => RechargeProviderEnum, { description: 'The provider.' })
  provider!: RechargeProvider;
}

@Output({ description: 'The updated developer or white label; one of the two is set.' })
export class AssignRechargeProviderPayload {
  @Field(() => Developer, { nullable: true, description: 'Updated developer. Null for a white label.' })
  developer!: Developer | null;

  @Field(() => WhiteLabel, { nullable: true, description: 'Updated white label. Null for a developer.' })
  whiteLabel!: WhiteLabel | null;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change. Null if the change was made.',
  })
  approvalRequest!: ApprovalRequest | null;
}

@Input({ description: 'Default lead customer of one environment.' })
export class SetDefaultLeadCustomerInput {
  @Field(() => EnvironmentEnum, { description: 'Environment that the default applies to.' })
  environment!: Environment;

  @Field({ description: 'Encrypted customer ID. Used for leads without a customer.' })
  @Pattern(
    /^[A-Za-z0-9_+/=-]{1,200}$/,
    'Must be an encrypted customer ID: 1 to 200 letters, digits and the characters - _ + / =, without spaces.',
  )
  customerId!: string;
}

@Output({ description: 'Default customer of an environment, which is used for leads without a customer ID.' })
export class DefaultLeadCustomer {
  @Field(() => EnvironmentEnum, { description: 'Environment that the default applies to.' })
  environment!: Environment;

  @Field(() => String, {
    nullable: true,
    description: 'Encrypted customer ID. Null if none is set; leads without a customer are then rejected.',
  })
  customerId!: string | null;
}

@Output({ description: 'The updated default lead customer.' })
export class SetDefaultLeadCustomerPayload {
  @Field(() => EnvironmentEnum, { description: 'Environment that the default applies to.' })
  environment!: Environment;

  @Field({ description: 'Encrypted customer ID.' })
  customerId!: string;
}
