import { registerEnumType } from 'type-graphql';
import { allProviders, cardBillProvider, leadProvider, planProvider, rechargeProviders } from './registry.js';

/** Answers in the place of all of them in UAT. */
const SANDBOX = 'SANDBOX';

const ABOUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rechargeProviders.map(({ name, description }) => [name, description])),
  [planProvider.name]: 'Answers lookups.',
  [cardBillProvider.name]: 'Fetches and pays card bills.',
  [leadProvider.name]: 'Takes leads.',
  [SANDBOX]: 'Answers for all of them in UAT.',
};

/** Whoever answers calls, as orders name them. */
export const ProviderEnum: Readonly<Record<string, string>> = Object.fromEntries(
  [...allProviders.map(({ name }) => name), SANDBOX].map((name) => [name, name]),
);
registerEnumType(ProviderEnum, {
  name: 'Provider',
  description: 'Who answers the calls of developers.',
  valuesConfig: Object.fromEntries(Object.keys(ProviderEnum).map((name) => [name, { description: ABOUT[name]! }])),
});

/** Who performs payments of each kind. */
export const performers: Readonly<Record<'recharge' | 'card_payment', readonly string[]>> = {
  recharge: [...rechargeProviders.map(({ name }) => name), SANDBOX],
  card_payment: [cardBillProvider.name, SANDBOX],
};
