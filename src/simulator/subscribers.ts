import { circleOfCode } from '../core/circles.js';
import { operatorOfOpcode } from '../core/operators.js';
import { sampleSubscriber } from '../samples/subscribers.js';

/** The provider's own example. */
const example = { series: '94684', operator: operatorOfOpcode('BT')!, circle: circleOfCode('96')! };

/** What the providers' operator lookups know: who serves an Indian mobile number, and where. Undefined for other numbers. */
export function subscriberOf(mobile: string): ReturnType<typeof sampleSubscriber> | undefined {
  if (!/^[6-9]\d{9}$/.test(mobile)) return undefined;
  return mobile.startsWith(example.series) ? example : sampleSubscriber(mobile);
}
