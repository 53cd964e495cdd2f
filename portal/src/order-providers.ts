import type { Environment, OrderKind, Provider } from './generated/documents.js';
import { words } from './words.js';

/** Providers of each order type in Production. */
export const PROVIDERS_OF: Record<OrderKind, readonly Provider[]> = {
  RECHARGE: Object.keys(words.providers) as (keyof typeof words.providers)[],
  CARD_PAYMENT: ['INSPAY'],
};

/**
 * Providers that can process orders of a type or operator. Queries with other providers are rejected. Only recharges have an
 * operator.
 */
export function providersOf(
  { kind, operator }: { kind?: OrderKind | undefined; operator?: number | undefined },
  environment: Environment,
): readonly Provider[] {
  if (environment === 'UAT') return ['SANDBOX'];
  const effectiveKind = operator === undefined ? kind : 'RECHARGE';
  return effectiveKind === undefined ? Object.values(PROVIDERS_OF).flat() : PROVIDERS_OF[effectiveKind];
}
