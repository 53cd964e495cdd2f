import { type Circle, circles } from '../core/circles.js';
import { type Operator, operators } from '../core/operators.js';
import { pick } from './fingerprint.js';

/** Who serves a number series, by its first two digits; made up, but stable. */
const operatorOfSeries: Readonly<Record<string, string>> = {
  '60': 'jio',
  '62': 'jio',
  '63': 'jio',
  '70': 'jio',
  '72': 'jio',
  '79': 'jio',
  '82': 'jio',
  '87': 'jio',
  '89': 'jio',
  '73': 'vi',
  '74': 'vi',
  '77': 'vi',
  '84': 'vi',
  '90': 'vi',
  '91': 'vi',
  '92': 'vi',
  '95': 'vi',
  '64': 'bsnl-topup',
  '83': 'bsnl-topup',
  '94': 'bsnl-topup',
};

const operatorById = new Map(operators.map((operator) => [operator.id, operator]));
const haryana = circles.find((circle) => circle.code === '96');

/** What the providers' operator lookups know: the operator of every Indian mobile number. Undefined for other numbers. */
export function subscriberOf(mobile: string): { operator: Operator; circle: Circle } | undefined {
  if (!/^[6-9]\d{9}$/.test(mobile)) return undefined;
  const operator = operatorById.get(operatorOfSeries[mobile.slice(0, 2)] ?? 'airtel');
  const circle = circleOfSeries(mobile.slice(0, 5));
  return operator && circle && { operator, circle };
}

/** Numbers of one series belong to one circle; 94684 is the provider's own example. */
const circleOfSeries = (series: string): Circle | undefined =>
  series === '94684' ? haryana : circles[pick('circle', series, circles.length)];
