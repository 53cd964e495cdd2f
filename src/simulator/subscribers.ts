import { circleOfCode } from '../core/circles.js';
import { operatorOfOpcode } from '../core/operators.js';
import { sampleSubscriber } from '../samples/subscribers.js';

/** Example of the provider. */
const example = { series: '94684', operator: operatorOfOpcode('BT')!, circle: circleOfCode('96')! };

/**
 * Returns the operator and circle of an Indian mobile number, for the operator lookups of providers. Returns undefined for other
 * numbers.
 */
export function subscriberOf(mobile: string): ReturnType<typeof sampleSubscriber> | undefined {
  if (!/^[6-9]\d{9}$/.test(mobile)) return undefined;
  return mobile.startsWith(example.series) ? example : sampleSubscriber(mobile);
}
