import { Field } from 'type-graphql';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';

export const GoLiveStepNameEnum = words('GoLiveStepName', 'A step from the sign-up to the first order in Production.', {
  email_confirmed: 'The email address is confirmed.',
  kyc_submitted: 'KYC is handed in. Not done while something in it has to be mended.',
  kyc_approved: 'The account is approved: keys for UAT may be made.',
  first_uat_success: 'A recharge or payment has succeeded in UAT.',
  production_requested: 'Live access was asked for, or unlocked without.',
  production_unlocked: 'Live access is unlocked: keys for Production may be made.',
  first_credit: 'Money was put into the wallet of Production.',
});
export type GoLiveStepName = WordOf<typeof GoLiveStepNameEnum>;

@Output({ description: 'A step to live keys, and who has to take it.' })
export class GoLiveStep {
  @Field(() => GoLiveStepNameEnum, { description: 'Which one.' })
  step!: GoLiveStepName;

  @Field(() => Instant, { nullable: true, description: 'When it was done; null when it is not.' })
  completedAt!: Date | null;

  @Field({ description: 'Whether it is the operator’s turn: the developer has done all that it needs.' })
  isInReview!: boolean;
}

@Output({ description: 'Live access was asked for, and nobody has decided yet.' })
export class ProductionRequest {
  @Field(() => Instant, { description: 'When.' })
  requestedAt!: Date;

  @Field(() => String, { nullable: true, description: 'What the developer says with it.' })
  message!: string | null;
}

@Input({ description: 'What an admin reads before live access is unlocked.' })
export class RequestProductionInput {
  @Field(() => String, {
    nullable: true,
    description: 'What is planned: where the service will be used, how many orders a day. At most 500 characters.',
  })
  @Text(500)
  message?: string;
}
