import type { Environment } from '../core/environment.js';

/** Deliveries of one kind. The job queue keeps them apart by their priority. */
export interface Lane {
  priority: number;
  environment: Environment;
  /** Attempts after the first, and deliveries whose endpoint was paused. */
  isRetry: boolean;
}

/** In the order in which places are given out. */
export const lanes: readonly Lane[] = [
  { priority: 3, environment: 'production', isRetry: false },
  { priority: 2, environment: 'production', isRetry: true },
  { priority: 1, environment: 'uat', isRetry: false },
  { priority: 0, environment: 'uat', isRetry: true },
];

export const laneOf = (environment: Environment, isRetry: boolean): Lane =>
  lanes.find((lane) => lane.environment === environment && lane.isRetry === isRetry)!;

/** How many deliveries are under way at once. UAT costs play money only, so it has places of its own and takes none from production. */
export interface Shares {
  /** In one process. */
  places: Record<Environment, number>;
  /** Of one developer, over all endpoints and processes: a receiver that never answers keeps nobody else's events waiting. */
  perDeveloper: Record<Environment, number>;
}

export const usualShares: Shares = { places: { production: 24, uat: 8 }, perDeveloper: { production: 8, uat: 2 } };

/** Retries get half of everything, so that first attempts find a place beside any number of them. */
const partOf = (whole: number, { isRetry }: Lane): number => (isRetry ? Math.ceil(whole / 2) : whole);

/** What one developer may have under way when a job of the lane is taken. */
export const shareOf = (lane: Lane, { perDeveloper }: Shares): number => partOf(perDeveloper[lane.environment], lane);

/** Places that a lane still has, beside what is under way. */
export function roomIn(lane: Lane, { places }: Shares, running: Iterable<Lane>): number {
  const neighbours = [...running].filter(({ environment }) => environment === lane.environment);
  const whole = places[lane.environment];
  const same = neighbours.filter(({ isRetry }) => isRetry === lane.isRetry);
  return Math.min(whole - neighbours.length, partOf(whole, lane) - same.length);
}
