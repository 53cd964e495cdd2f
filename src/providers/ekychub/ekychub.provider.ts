import { provider } from '../provider.js';
import { createEkycHubAdapter } from './ekychub.adapter.js';

export const ekychub = provider({
  name: 'EKYCHUB',
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createEkycHubAdapter({ client: connect('ekychub', baseUrl), credentials }),
});
