import { Field, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import type { Operator as OperatorRow, OperatorType } from '../core/operators.js';
import { OperatorTypeEnum, Output } from './graphql-types.js';
import { NodeType } from './node.js';
import { DthOpcodeEnum, MobileOpcodeEnum } from './opcodes.js';
import { CircleCode, Rupees } from './scalars.js';

@NodeType<Operator>('opr', {
  description: 'Operator whose prepaid mobile numbers or DTH subscriptions can be recharged.',
})
export class Operator {
  id!: string;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field(() => OperatorTypeEnum, { description: 'Type of connection that the operator serves.' })
  type!: OperatorType;

  @Field(() => Int, {
    description: 'Operator code (SP key) for `operatorSpKey` in `recharge` and in the filter of `orders`.',
  })
  spKey!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Operator code for plan lookups, as text. `mobileOpcode` and `dthOpcode` return the same code as the enum value that inputs accept.',
  })
  opcode!: string;

  @Field(() => MobileOpcodeEnum, {
    nullable: true,
    description: 'Operator code for the input of `mobilePlans`. Null for a DTH operator.',
  })
  mobileOpcode!: string | null;

  @Field(() => DthOpcodeEnum, {
    nullable: true,
    description: 'Operator code for the inputs of `dthPlans` and `dthInfo`. Null for a mobile operator.',
  })
  dthOpcode!: string | null;

  @Field(() => Rupees, { nullable: true, description: 'Minimum recharge amount. Null if unknown.' })
  minAmount!: Paise | null;
}

@Output({ description: 'A telecom circle.' })
export class Circle {
  @Field(() => CircleCode, { description: 'Circle code for `circle` in `mobilePlans` and `recharge`.' })
  code!: string;

  @Field({ description: 'Display name.' })
  name!: string;
}

@Output({ description: 'A bank whose credit card bills can be fetched and paid.' })
export class Bank {
  @Field({ description: 'Bank code for `opcode` in `fetchCardBill` and `payCardBill`.' })
  opcode!: string;

  @Field({ description: 'Display name.' })
  name!: string;
}

/** Returns the view of an operator. The view contains only the first SP key; inputs accept every SP key of the operator. */
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
