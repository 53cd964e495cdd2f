import type { Environment, OrderKind, Provider } from './generated/documents.js';
import { words } from './words.js';

/** Who performs payments of each kind in Production. */
export const PERFORMERS: Record<OrderKind, readonly Provider[]> = {
  RECHARGE: Object.keys(words.providers) as (keyof typeof words.providers)[],
  CARD_PAYMENT: ['INSPAY'],
};

/** Who may have performed orders of a kind, or with an operator, which recharges alone have: lists refuse to look for others. */
export function performersOf(
  { kind, operator }: { kind?: OrderKind | undefined; operator?: number | undefined },
  environment: Environment,
): readonly Provider[] {
  if (environment === 'UAT') return ['SANDBOX'];
  const only = operator === undefined ? kind : 'RECHARGE';
  return only === undefined ? Object.values(PERFORMERS).flat() : PERFORMERS[only];
}
