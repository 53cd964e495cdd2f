import { credential, text, urlOrNone } from '../../config/kinds.js';
import { setting } from '../../config/setting.js';
import { provider } from '../provider.js';
import { createEkycHubAdapter } from './ekychub.adapter.js';

export const ekychub = provider({
  name: 'EKYCHUB',
  settings: {
    url: setting('PROVIDER_EKYCHUB_URL', urlOrNone, '').about('Where eKYC Hub answers lookups of operators and plans.'),
    username: setting('PROVIDER_EKYCHUB_USERNAME', text, '').about('Our user name there.'),
    token: setting('PROVIDER_EKYCHUB_TOKEN', credential, '').about('Our token there.'),
  },
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createEkycHubAdapter({ client: connect('ekychub', baseUrl), credentials }),
});
