import { type Circle, circles } from '../core/circles.js';
import { type Operator, operators } from '../core/operators.js';
import { samplePerson } from './people.js';
import { sampleDigits, sampleInteger, samplePick } from './values.js';

const mobileOperators = ['airtel', 'jio', 'vi', 'bsnl-topup'].map(
  (id) => operators.find((operator) => operator.id === id)!,
);
const minimumRecharges = ['100', '150', '200', '250', '300'];

/**
 * Returns a sample subscriber. All numbers of a series (the first five digits) belong to one operator and circle, as in real
 * allocations.
 */
export function sampleSubscriber(mobile: string): { operator: Operator; circle: Circle } {
  const series = mobile.slice(0, 5);
  return {
    operator: samplePick(`company:${series}`, mobileOperators),
    circle: samplePick(`circle:${series}`, circles),
  };
}

/** Returns the name of the operator in lookups. */
export const companyOf = ({ id, name }: Operator): string => (id === 'bsnl-topup' ? 'BSNL' : name);

/** Returns a customer of a DTH operator, with amounts as decimal text. */
export function sampleDthCustomer(opcode: string, dthNumber: string) {
  const seed = `dth:${opcode}:${dthNumber}`;
  return {
    name: samplePerson(seed),
    balance: `${sampleInteger(`balance:${seed}`, 0, 899)}.${sampleDigits(`paise:${seed}`, 2)}`,
    minimumRecharge: samplePick(`minimum:${seed}`, minimumRecharges),
  };
}
