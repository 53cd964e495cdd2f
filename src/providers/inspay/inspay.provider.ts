import { credential, text, urlOrNone } from '../../config/kinds.js';
import { setting } from '../../config/setting.js';
import { provider } from '../provider.js';
import { createInspayAdapter } from './inspay.adapter.js';

export const inspay = provider({
  name: 'INSPAY',
  settings: {
    url: setting('PROVIDER_INSPAY_URL', urlOrNone, '').about('Where InsPay fetches and pays card bills.'),
    username: setting('PROVIDER_INSPAY_USERNAME', text, '').about('Our user name there.'),
    token: setting('PROVIDER_INSPAY_TOKEN', credential, '').about('Our token there.'),
  },
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createInspayAdapter({ client: connect('inspay', baseUrl), credentials }),
});
