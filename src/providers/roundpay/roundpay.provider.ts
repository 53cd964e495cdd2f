import { credential, text, urlOrNone } from '../../config/kinds.js';
import { setting } from '../../config/setting.js';
import { rechargeProvider } from '../provider.js';
import { createRoundPayAdapter } from './roundpay.adapter.js';
import { roundpayCallback } from './roundpay.callback.js';

export const roundpay = rechargeProvider({
  name: 'ROUNDPAY',
  description: 'Takes operator_sp_key as it is. The default.',
  settings: {
    url: setting('PROVIDER_ROUNDPAY_URL', urlOrNone, '').about('Where RoundPay takes recharges.'),
    statusUrl: setting('PROVIDER_ROUNDPAY_STATUS_URL', urlOrNone, (of) => of('PROVIDER_ROUNDPAY_URL')).about(
      'Where RoundPay is asked about them.',
    ),
    userId: setting('PROVIDER_ROUNDPAY_USER_ID', text, '').about('Our user id there.'),
    token: setting('PROVIDER_ROUNDPAY_TOKEN', credential, '').about('Our token there.'),
  },
  create: ({ url: baseUrl, statusUrl, ...credentials }, connect) =>
    createRoundPayAdapter({
      client: connect('roundpay', baseUrl),
      statusClient: connect('roundpay-status', statusUrl),
      credentials,
    }),
  callback: roundpayCallback,
  // 302 is any failure
  declineCodes: {
    101: 'PROVIDER_REFUSED',
    102: 'PROVIDER_REFUSED',
    152: 'OPERATOR_UNAVAILABLE',
    224: 'NUMBER_NOT_ON_OPERATOR',
  },
  statementWords: { 1: 'pending', 2: 'performed', 3: 'failed', 4: 'reversed', 5: 'pending' },
});
