import { Field, ID } from 'type-graphql';
import { Input, Text } from '../../graphql-toolkit/rules.js';

const REASON = 'Why, for the audit trail; 1 to 500 characters.';

@Input({ description: 'An account that is to be stopped.' })
export class SuspendDeveloperInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field({ description: REASON })
  @Text(500)
  reason!: string;
}

@Input({ description: 'A stopped account that may go on.' })
export class ReinstateDeveloperInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => String, { nullable: true, description: REASON })
  @Text(500)
  reason?: string;
}

@Input({ description: 'An account whose live access ends.' })
export class LockProductionInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field({ description: REASON })
  @Text(500)
  reason!: string;
}

@Input({ description: 'A key that is to be stopped.' })
export class SuspendCredentialInput {
  @Field({ description: 'The key.' })
  @Text(100)
  clientId!: string;

  @Field({ description: REASON })
  @Text(500)
  reason!: string;
}

@Input({ description: 'A stopped key that may go on.' })
export class ReinstateCredentialInput {
  @Field({ description: 'The key.' })
  @Text(100)
  clientId!: string;

  @Field(() => String, { nullable: true, description: REASON })
  @Text(500)
  reason?: string;
}

@Input({ description: 'Somebody who may not sign in any more.' })
export class SuspendUserInput {
  @Field(() => ID, { description: 'Id of the user.' })
  userId!: string;

  @Field({ description: REASON })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Somebody who may sign in again.' })
export class ReinstateUserInput {
  @Field(() => ID, { description: 'Id of the user.' })
  userId!: string;

  @Field(() => String, { nullable: true, description: REASON })
  @Text(500)
  reason?: string;
}
