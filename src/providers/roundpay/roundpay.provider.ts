import { paiseFromDecimal } from '../../core/money.js';
import type { CallbackFormat } from '../ports/callback.port.js';
import { rechargeProvider } from '../provider.js';
import { evidenceTxnId } from '../wire.js';
import { createRoundPayAdapter } from './roundpay.adapter.js';
import { concludeRecharge } from './roundpay.responses.js';

/**
 * Callback: `GET …?status=SUCCESS|FAILED&rpid&mobile&amount&agentid&opid`. `agentid` is our reference. `status` uses the same
 * values as in responses. No code is sent.
 */
const roundpayCallback: CallbackFormat = {
  parse(fields) {
    const field = (name: string): string => fields.get(name)?.trim() ?? '';
    const reference = field('agentid').toUpperCase();
    if (reference === '') return undefined;
    const status = field('status');
    const mobile = field('mobile');
    const txnId = mobile === '' ? undefined : evidenceTxnId(field('rpid'), mobile);
    const amountPaise = paiseFromDecimal(field('amount'));
    return {
      reference,
      status: concludeRecharge({ status, code: '' }),
      ...(/^[A-Za-z_-]{1,20}$|^\d$/.test(status) ? { providerStatus: status } : {}),
      ...(txnId !== undefined && /^[\w.-]{1,64}$/.test(txnId) ? { providerTxnId: txnId } : {}),
      ...(amountPaise === undefined ? {} : { amountPaise }),
    };
  },
};

export const roundpay = rechargeProvider({
  name: 'ROUNDPAY',
  description: 'Uses operator_sp_key unchanged. Default provider.',
  create: ({ url: baseUrl, statusUrl, ...credentials }, connect) =>
    createRoundPayAdapter({
      client: connect('roundpay', baseUrl),
      statusClient: connect('roundpay-status', statusUrl),
      balanceClient: connect('roundpay-balance', baseUrl),
      credentials,
    }),
  callback: roundpayCallback,
  // 302 is omitted because it is used for any failure
  declineCodes: {
    101: 'PROVIDER_REFUSED',
    102: 'PROVIDER_REFUSED',
    152: 'OPERATOR_UNAVAILABLE',
    224: 'NUMBER_NOT_ON_OPERATOR',
  },
  statementWords: { 1: 'pending', 2: 'succeeded', 3: 'failed', 4: 'reversed', 5: 'pending' },
});
