import type { Circle } from '../../core/circles.js';

/** Finds the circle of a mobile number, for recharges at a provider that needs one. */
export interface CircleFinder {
  /** @param mobile 10 digits. Undefined when the provider does not know it, answers oddly or fails; never throws for that. */
  findCircle(mobile: string): Promise<Circle | undefined>;
}
