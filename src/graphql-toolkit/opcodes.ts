import { type OperatorType, operators } from '../core/operators.js';
import { words } from './words.js';

/** Returns the operator codes with the names of their operators. */
const opcodes = (type: OperatorType): Record<string, string> =>
  Object.fromEntries(
    operators.filter((operator) => operator.type === type).map(({ opcode, name }) => [opcode, `${name}.`]),
  );

/**
 * interface.md 2.12, opcodes: the enum does not contain codes of the other operator type, so that they are rejected before
 * anything is charged.
 */
export const MobileOpcodeEnum = words(
  'MobileOpcode',
  'Operator code of a mobile operator in plan lookups.',
  opcodes('mobile'),
);

export const DthOpcodeEnum = words(
  'DthOpcode',
  'Operator code of a DTH operator in plan and customer lookups.',
  opcodes('dth'),
);
