import { Field, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import type { Operator as OperatorRow, OperatorType } from '../core/operators.js';
import { OperatorTypeEnum, Output } from './graphql-types.js';
import { NodeType } from './node.js';
import { DthOpcodeEnum, MobileOpcodeEnum } from './opcodes.js';
import { CircleCode, Rupees } from './scalars.js';

@NodeType<Operator>('opr', { description: 'A company whose prepaid numbers or subscriptions can be recharged.' })
export class Operator {
  /** A word, the key of its id. */
  id!: string;

  @Field({ description: 'Name to show.' })
  name!: string;

  @Field(() => OperatorTypeEnum, { description: 'What is recharged.' })
  type!: OperatorType;

  @Field(() => Int, { description: 'Pass it as `operatorSpKey` to `recharge`, or to the filter of `orders`.' })
  spKey!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Operator code in plan lookups, as text. `mobileOpcode` and `dthOpcode` have the types of the inputs.',
  })
  opcode!: string;

  @Field(() => MobileOpcodeEnum, {
    nullable: true,
    description: 'Operator code for the input of `mobilePlans`; null for a DTH operator.',
  })
  mobileOpcode!: string | null;

  @Field(() => DthOpcodeEnum, {
    nullable: true,
    description: 'Operator code for the inputs of `dthPlans` and `dthInfo`; null for a mobile operator.',
  })
  dthOpcode!: string | null;

  @Field(() => Rupees, { nullable: true, description: 'The least that it takes; null when nobody says so.' })
  minAmount!: Paise | null;
}

@Output({ description: 'A telecom circle.' })
export class Circle {
  @Field(() => CircleCode, { description: 'Pass it to `mobilePlans`, or to `recharge` as `circle`.' })
  code!: string;

  @Field({ description: 'Name to show.' })
  name!: string;
}

@Output({ description: 'A bank whose credit card bills can be fetched and paid.' })
export class Bank {
  @Field({ description: 'Pass it to `fetchCardBill` and `payCardBill`.' })
  opcode!: string;

  @Field({ description: 'Name to show.' })
  name!: string;
}

/** Of several SP keys, the first one is offered; all are taken. */
export const operatorView = ({ id, name, type, spKeys: [spKey], opcode }: OperatorRow): Operator => ({
  id,
  name,
  type,
  spKey: spKey!,
  opcode,
  mobileOpcode: type === 'mobile' ? opcode : null,
  dthOpcode: type === 'dth' ? opcode : null,
  minAmount: null,
});
