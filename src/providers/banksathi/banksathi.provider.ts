import { credential, urlOrNone } from '../../config/kinds.js';
import { setting } from '../../config/setting.js';
import { provider } from '../provider.js';
import { createBankSathiAdapter } from './banksathi.adapter.js';

export const banksathi = provider({
  name: 'BANKSATHI',
  settings: {
    url: setting('PROVIDER_BANKSATHI_URL', urlOrNone, '').about('Where BankSathi takes leads and lists products.'),
    apiKey: setting('PROVIDER_BANKSATHI_API_KEY', credential, '').about('Our API key there.'),
    iv: setting('PROVIDER_BANKSATHI_IV', credential, '').about(
      'The initialization vector of what is encrypted for it.',
    ),
  },
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createBankSathiAdapter({
      client: connect('banksathi', baseUrl),
      detailsClient: connect('banksathi-details', baseUrl),
      credentials,
    }),
});
