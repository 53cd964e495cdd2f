import { words } from '../../graphql-toolkit/words.js';
import { rechargeProviders } from '../../providers/registry.js';

export const RechargeProviderEnum = words(
  'RechargeProvider',
  'Provider that processes the recharges of a developer or white label.',
  Object.fromEntries(rechargeProviders.map(({ name, description }) => [name, description])),
);
