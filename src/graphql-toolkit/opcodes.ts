import { type OperatorType, operators } from '../core/operators.js';
import { words } from './words.js';

/** Each code with its operator's name, as the code table has them. */
const opcodes = (type: OperatorType): Record<string, string> =>
  Object.fromEntries(
    operators.filter((operator) => operator.type === type).map(({ opcode, name }) => [opcode, `${name}.`]),
  );

/** interface.md 2.12, opcodes: a code of the other family does not exist here, so it is refused before anything is charged. */
export const MobileOpcodeEnum = words('MobileOpcode', 'Mobile operators as plan lookups name them.', opcodes('mobile'));

export const DthOpcodeEnum = words(
  'DthOpcode',
  'DTH operators as plan and customer lookups name them.',
  opcodes('dth'),
);
