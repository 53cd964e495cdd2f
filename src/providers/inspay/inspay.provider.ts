import { provider } from '../provider.js';
import { createInspayAdapter } from './inspay.adapter.js';

export const inspay = provider({
  name: 'INSPAY',
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createInspayAdapter({ client: connect('inspay', baseUrl), credentials }),
});
