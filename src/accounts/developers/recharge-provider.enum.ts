import { registerEnumType } from 'type-graphql';
import { rechargeProviders } from '../../providers/registry.js';

export const RechargeProviderEnum = Object.fromEntries(rechargeProviders.map(({ name }) => [name, name]));
registerEnumType(RechargeProviderEnum, {
  name: 'RechargeProvider',
  description: 'The provider that performs the recharges of a developer or white label.',
  valuesConfig: Object.fromEntries(rechargeProviders.map(({ name, description }) => [name, { description }])),
});
