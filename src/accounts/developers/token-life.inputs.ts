import { Field, ID, Int } from 'type-graphql';
import { Input, PositiveInteger } from '../../graphql-toolkit/rules.js';

@Input({ description: 'How long the tokens of one developer live; at most as long as usual.' })
export class SetTokenLifeInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => Int, { description: 'Days without use after which a token ends.' })
  @PositiveInteger()
  idleDays!: number;

  @Field(() => Int, { description: 'Days after which it ends although it is used.' })
  @PositiveInteger()
  maxDays!: number;
}

@Input({ description: 'A developer whose tokens live as long as usual again.' })
export class ResetTokenLifeInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;
}
