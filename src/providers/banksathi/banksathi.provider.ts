import { provider } from '../provider.js';
import { createBankSathiAdapter } from './banksathi.adapter.js';

export const banksathi = provider({
  name: 'BANKSATHI',
  create: ({ url: baseUrl, ...credentials }, connect) =>
    createBankSathiAdapter({
      client: connect('banksathi', baseUrl),
      detailsClient: connect('banksathi-details', baseUrl),
      credentials,
    }),
});
