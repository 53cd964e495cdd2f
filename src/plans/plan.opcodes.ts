import { registerEnumType } from 'type-graphql';
import { type OperatorType, opcodesOf, operators } from '../core/operators.js';

/** Each code with its operator's name, as the code table has them. */
const describedBy = (type: OperatorType): Record<string, { description: string }> =>
  Object.fromEntries(
    operators
      .filter((operator) => operator.type === type)
      .map(({ opcode, name }) => [opcode, { description: `${name}.` }]),
  );

/** interface.md 2.12, opcodes: a code of the other family does not exist here, so it is refused before anything is charged. */
export const MobileOpcodeEnum = opcodesOf('mobile');
registerEnumType(MobileOpcodeEnum, {
  name: 'MobileOpcode',
  description: 'Mobile operators as plan lookups name them.',
  valuesConfig: describedBy('mobile'),
});

export const DthOpcodeEnum = opcodesOf('dth');
registerEnumType(DthOpcodeEnum, {
  name: 'DthOpcode',
  description: 'DTH operators as plan and customer lookups name them.',
  valuesConfig: describedBy('dth'),
});
