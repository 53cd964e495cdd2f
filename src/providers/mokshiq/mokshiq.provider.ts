import { credential, text, urlOrNone } from '../../config/kinds.js';
import { setting } from '../../config/setting.js';
import { rechargeProvider } from '../provider.js';
import { createMokshiqAdapter } from './mokshiq.adapter.js';

export const mokshiq = rechargeProvider({
  name: 'MOKSHIQ',
  description: 'Operator and circle are mapped to its own names.',
  settings: {
    url: setting('PROVIDER_MOKSHIQ_URL', urlOrNone, '').about('Where Mokshiq takes recharges.'),
    token: setting('PROVIDER_MOKSHIQ_TOKEN', credential, '').about('Our token there.'),
    origin: setting('PROVIDER_MOKSHIQ_ORIGIN', text, '').about('The origin that is registered there.'),
    pin: setting('PROVIDER_MOKSHIQ_PIN', credential, '').about('Our transaction PIN there.'),
  },
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createMokshiqAdapter({
      client: connect('mokshiq', baseUrl),
      lookupClient: connect('mokshiq-lookup', baseUrl),
      credentials,
    }),
  declineCodes: { 403: 'PROVIDER_REFUSED' },
});
