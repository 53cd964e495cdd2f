import { words } from '../graphql-toolkit/words.js';
import { cardBillProvider, leadProvider, planProvider, rechargeProviders } from './registry.js';

/** Answers in the place of all of them in UAT. */
export const SANDBOX = 'SANDBOX';

/** Whoever answers calls, as orders name them. */
export const ProviderEnum = words('Provider', 'Who answers the calls of developers.', {
  ...Object.fromEntries(rechargeProviders.map(({ name, description }) => [name, description])),
  [planProvider.name]: 'Answers lookups.',
  [cardBillProvider.name]: 'Fetches and pays card bills.',
  [leadProvider.name]: 'Takes leads.',
  [SANDBOX]: 'Answers for all of them in UAT.',
});

/** Who performs payments of each kind. */
export const performers: Readonly<Record<'recharge' | 'card_payment', readonly string[]>> = {
  recharge: [...rechargeProviders.map(({ name }) => name), SANDBOX],
  card_payment: [cardBillProvider.name, SANDBOX],
};
