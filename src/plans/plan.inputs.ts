import { Field } from 'type-graphql';
import { Input, ListedCircle, TenDigits, Text } from '../graphql-toolkit/rules.js';
import { CircleCode } from '../graphql-toolkit/scalars.js';
import { DthOpcodeEnum, MobileOpcodeEnum } from './plan.opcodes.js';

const KEY =
  'Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. So do equal requests without one.';

@Input({ description: 'The operator of which mobile number is looked for.' })
export class OperatorFindInput {
  @Field({ description: 'Exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'The plans of which mobile number, operator and circle are asked for.' })
export class MobilePlansInput {
  @Field({ description: 'Exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => MobileOpcodeEnum, { description: 'The operator, as operatorFind tells it.' })
  opcode!: string;

  @Field(() => CircleCode, { description: 'The circle, as operatorFind tells it.' })
  @ListedCircle()
  circle!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'Which DTH subscription is asked about.' })
export class DthLookupInput {
  @Field({ description: 'Subscriber or VC number, at most 32 characters.' })
  @Text(32)
  dthNumber!: string;

  @Field(() => DthOpcodeEnum, { description: 'The DTH operator.' })
  opcode!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}
