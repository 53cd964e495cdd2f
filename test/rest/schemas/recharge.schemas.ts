import { exactly, filledText, instant, nullable, number, text } from './common.js';

/** A recharge (interface.md 2.4 and 4.3): no fee and no wallet_balance. */
export const rechargeSuccess = exactly({
  status: { const: 'success' },
  message: filledText,
  data: exactly({
    amount: number,
    created_at: instant,
    operator_ref: text,
    account_number: filledText,
    api_request_id: filledText,
    provider_txn_id: text,
    client_request_id: text,
  }),
});

/** Final or pending status of a recharge: the documented keys, with null for unknown values. */
export const rechargePending = exactly({
  status: { const: 'pending' },
  message: filledText,
  data: exactly({
    amount: number,
    created_at: instant,
    operator_ref: nullable(text),
    account_number: filledText,
    api_request_id: filledText,
    provider_txn_id: nullable(text),
    client_request_id: nullable(text),
  }),
});
