import { type OperatorType, operatorOfSpKey } from '../core/operators.js';

/** Any positive key passes, except one that is known to belong to the other operator type. The provider judges unknown keys. */
export function operatorKeyProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined {
  if (!Number.isSafeInteger(operatorSpKey) || operatorSpKey < 1) return 'must be a positive integer';
  const operator = operatorOfSpKey(operatorSpKey);
  if (!operator || operator.type === operatorType) return undefined;
  return `belongs to ${operator.name}, a ${operator.type} operator, not to a ${operatorType} operator`;
}
