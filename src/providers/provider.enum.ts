import { words } from '../graphql-toolkit/words.js';
import { cardBillProvider, leadProvider, planProvider, rechargeProviders } from './registry.js';

/** Replaces all providers in UAT. */
export const SANDBOX = 'SANDBOX';

/** Providers, as stored in orders. */
export const ProviderEnum = words('Provider', 'Provider that processes the calls of developers.', {
  ...Object.fromEntries(rechargeProviders.map(({ name, description }) => [name, description])),
  [planProvider.name]: 'Provides lookups.',
  [cardBillProvider.name]: 'Fetches and pays card bills.',
  [leadProvider.name]: 'Accepts leads.',
  [SANDBOX]: 'Replaces all providers in UAT.',
});

/** Providers that process the payments of each kind. */
export const paymentProviders: Readonly<Record<'recharge' | 'card_payment', readonly string[]>> = {
  recharge: [...rechargeProviders.map(({ name }) => name), SANDBOX],
  card_payment: [cardBillProvider.name, SANDBOX],
};
