import { Field } from 'type-graphql';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';

export const GoLiveStepNameEnum = words('GoLiveStepName', 'Step from sign-up to the first order in Production.', {
  email_confirmed: 'The email address was confirmed.',
  kyc_submitted: 'KYC was submitted. Incomplete while changes are requested.',
  kyc_approved: 'The account was approved. API keys for UAT can be created.',
  first_uat_success: 'A recharge or payment succeeded in UAT.',
  production_requested: 'Production access was requested, or granted without a request.',
  production_unlocked: 'Production access was granted. API keys for Production can be created.',
  first_credit: 'Money was added to the Production wallet.',
});
export type GoLiveStepName = WordOf<typeof GoLiveStepNameEnum>;

@Output({ description: 'Step that an account completes before its first Production order, and the state of the step.' })
export class GoLiveStep {
  @Field(() => GoLiveStepNameEnum, { description: 'Name of the step.' })
  step!: GoLiveStepName;

  @Field(() => Instant, { nullable: true, description: 'Time the step was completed. Null if it is not complete.' })
  completedAt!: Date | null;

  @Field({ description: 'Whether the step is under review by staff; the developer has nothing to do.' })
  isInReview!: boolean;
}

@Output({ description: 'Pending request for Production access.' })
export class ProductionRequest {
  @Field(() => Instant, { description: 'Time of the request.' })
  requestedAt!: Date;

  @Field(() => String, { nullable: true, description: 'Message from the developer. Null if there is none.' })
  message!: string | null;
}

@Input({ description: 'Request for Production access, for review by an administrator.' })
export class RequestProductionInput {
  @Field(() => String, {
    nullable: true,
    description: 'Planned use, for example the product and the number of orders per day. At most 500 characters.',
  })
  @Text(500)
  message?: string;
}
