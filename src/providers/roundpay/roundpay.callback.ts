import { paiseFromDecimal } from '../../core/money.js';
import type { CallbackFormat } from '../ports/callback.port.js';
import { evidenceTxnId } from '../recharge-wire.js';
import { concludeRecharge } from './roundpay.rules.js';

/** `GET …?status=SUCCESS|FAILED&rpid&mobile&amount&agentid&opid`; `agentid` is our reference. Words as in its answers, without a code. */
export const roundpayCallback: CallbackFormat = {
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
      says: concludeRecharge({ status, code: '' }),
      ...(/^[A-Za-z_-]{1,20}$|^\d$/.test(status) ? { providerStatus: status } : {}),
      ...(txnId !== undefined && /^[\w.-]{1,64}$/.test(txnId) ? { providerTxnId: txnId } : {}),
      ...(amountPaise === undefined ? {} : { amountPaise }),
    };
  },
};
