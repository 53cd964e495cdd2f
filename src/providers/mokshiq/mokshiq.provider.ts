import { rechargeProvider } from '../provider.js';
import { createMokshiqAdapter } from './mokshiq.adapter.js';

export const mokshiq = rechargeProvider({
  name: 'MOKSHIQ',
  description: 'Operator and circle are mapped to its own names.',
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createMokshiqAdapter({
      client: connect('mokshiq', baseUrl),
      lookupClient: connect('mokshiq-lookup', baseUrl),
      credentials,
    }),
  declineCodes: { 403: 'PROVIDER_REFUSED' },
});
