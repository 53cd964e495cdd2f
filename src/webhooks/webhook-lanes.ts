import type { Environment } from '../core/environment.js';

/** Class of deliveries. The job queue separates lanes by priority. */
export interface Lane {
  priority: number;
  environment: Environment;
  /** Whether the lane is for retries, and for deliveries of paused endpoints. */
  isRetry: boolean;
}

/** Lanes in the order in which slots are assigned. */
export const lanes: readonly Lane[] = [
  { priority: 3, environment: 'production', isRetry: false },
  { priority: 2, environment: 'production', isRetry: true },
  { priority: 1, environment: 'uat', isRetry: false },
  { priority: 0, environment: 'uat', isRetry: true },
];

export const laneOf = (environment: Environment, isRetry: boolean): Lane =>
  lanes.find((lane) => lane.environment === environment && lane.isRetry === isRetry)!;

/** Maximum numbers of concurrent deliveries. UAT uses only test funds, so it has separate slots. */
export interface Shares {
  /** Number of slots in one process, by environment. */
  places: Record<Environment, number>;
  /**
   * Limit per developer for all endpoints and processes, so that a receiver that never responds does not delay the events of
   * others.
   */
  perDeveloper: Record<Environment, number>;
}

export const defaultShares: Shares = { places: { production: 24, uat: 8 }, perDeveloper: { production: 8, uat: 2 } };

/** Returns the slots of a lane. Retries have half of the slots, so that first attempts always find a free one. */
const partOf = (total: number, { isRetry }: Lane): number => (isRetry ? Math.ceil(total / 2) : total);

/** Returns the maximum number of concurrent jobs of one developer in a lane. */
export const shareOf = (lane: Lane, { perDeveloper }: Shares): number => partOf(perDeveloper[lane.environment], lane);

/** Returns the number of free slots of a lane, given the running deliveries. */
export function capacityOf(lane: Lane, { places }: Shares, running: Iterable<Lane>): number {
  const neighbours = [...running].filter(({ environment }) => environment === lane.environment);
  const total = places[lane.environment];
  const same = neighbours.filter(({ isRetry }) => isRetry === lane.isRetry);
  return Math.min(total - neighbours.length, partOf(total, lane) - same.length);
}
