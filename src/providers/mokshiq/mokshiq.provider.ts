import { rechargeProvider } from '../provider.js';
import { createMokshiqAdapter } from './mokshiq.adapter.js';

export const mokshiq = rechargeProvider({
  name: 'MOKSHIQ',
  description: 'Maps operator and circle to the provider’s own names.',
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createMokshiqAdapter({
      client: connect('mokshiq', baseUrl),
      lookupClient: connect('mokshiq-lookup', baseUrl),
      credentials,
    }),
  declineCodes: { 403: 'PROVIDER_REFUSED' },
});
