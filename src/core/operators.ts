export type OperatorType = 'mobile' | 'dth';

export interface Operator {
  id: string;
  name: string;
  type: OperatorType;
  /** Numeric operator codes of RoundPay, which are the values of operator_sp_key. */
  spKeys: readonly number[];
  /** Operator code for lookups, interface.md 2.12 (A, V, J, BT, BS; ATV, STV, DTV, TTV, VTV). */
  opcode: string;
  /** Operator name at Mokshiq. */
  mokshiq: string;
  /** Other names that providers use for the same company. */
  alsoCalled: readonly string[];
}

/** Operator codes of interface.md 2.12 and of the providers' public code. Verify them with the provider before going live. */
export const operators: readonly Operator[] = [
  {
    id: 'airtel',
    name: 'Airtel',
    type: 'mobile',
    spKeys: [3],
    opcode: 'A',
    mokshiq: 'Airtel',
    alsoCalled: ['Bharti Airtel'],
  },
  {
    id: 'vi',
    name: 'Vi',
    type: 'mobile',
    spKeys: [37, 12],
    opcode: 'V',
    mokshiq: 'Vodafone',
    alsoCalled: ['Vodafone', 'Idea', 'Vodafone Idea'],
  },
  { id: 'jio', name: 'Jio', type: 'mobile', spKeys: [116], opcode: 'J', mokshiq: 'Jio', alsoCalled: ['Reliance Jio'] },
  {
    id: 'bsnl-topup',
    name: 'BSNL Topup',
    type: 'mobile',
    spKeys: [4],
    opcode: 'BT',
    mokshiq: 'BSNL',
    alsoCalled: ['BSNL'],
  },
  {
    id: 'bsnl-special',
    name: 'BSNL Special',
    type: 'mobile',
    spKeys: [5],
    opcode: 'BS',
    mokshiq: 'BSNL',
    alsoCalled: [],
  },
  {
    id: 'airtel-dth',
    name: 'Airtel Digital TV',
    type: 'dth',
    spKeys: [51],
    opcode: 'ATV',
    mokshiq: 'Airtel Digital TV',
    alsoCalled: [],
  },
  {
    id: 'sun-direct',
    name: 'Sun Direct',
    type: 'dth',
    spKeys: [54],
    opcode: 'STV',
    mokshiq: 'Sun Direct',
    alsoCalled: [],
  },
  { id: 'dish-tv', name: 'Dish TV', type: 'dth', spKeys: [53], opcode: 'DTV', mokshiq: 'Dish TV', alsoCalled: [] },
  {
    id: 'tata-play',
    name: 'Tata Play',
    type: 'dth',
    spKeys: [55],
    opcode: 'TTV',
    mokshiq: 'Tata Sky',
    alsoCalled: ['Tata Sky'],
  },
  {
    id: 'videocon-d2h',
    name: 'Videocon d2h',
    type: 'dth',
    spKeys: [56],
    opcode: 'VTV',
    mokshiq: 'Videocon D2h',
    alsoCalled: [],
  },
];

const bySpKey = new Map(operators.flatMap((operator) => operator.spKeys.map((key) => [key, operator] as const)));
const byOpcode = new Map(operators.map((operator) => [operator.opcode, operator]));
const byName = new Map(
  operators
    .toReversed()
    .flatMap((operator) => [operator.name, ...operator.alsoCalled].map((name) => [fold(name), operator] as const)),
);

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export const operatorOfSpKey = (spKey: number): Operator | undefined => bySpKey.get(spKey);
/**
 * Returns all SP keys of the operator with this SP key. For an SP key that is not listed, the result contains only that SP key.
 */
export const spKeysOf = (spKey: number): readonly number[] => operatorOfSpKey(spKey)?.spKeys ?? [spKey];
/** Returns a map of each opcode to itself for one operator type: the values of its enum, in GraphQL and in REST. */
export const opcodesOf = (type: OperatorType): Readonly<Record<string, string>> =>
  Object.fromEntries(operators.filter((operator) => operator.type === type).map(({ opcode }) => [opcode, opcode]));
export const operatorOfOpcode = (opcode: string): Operator | undefined => byOpcode.get(opcode);
/**
 * Finds an operator by a provider's company name; plain "BSNL" is the top-up operator. Returns undefined if the name is not
 * listed.
 */
export const operatorOfName = (name: string): Operator | undefined => byName.get(fold(name));

/**
 * Returns the problem with an SP key for an operator type, if any. Unknown positive keys are accepted, because the provider
 * validates them.
 */
export function operatorKeyProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined {
  if (!Number.isSafeInteger(operatorSpKey) || operatorSpKey < 1) return 'must be a positive integer';
  const operator = operatorOfSpKey(operatorSpKey);
  if (!operator || operator.type === operatorType) return undefined;
  return `belongs to ${operator.name}, a ${operator.type} operator, not to a ${operatorType} operator`;
}
