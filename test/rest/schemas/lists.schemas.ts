import { exactly, filledText, instant, integer, nullable, number, reason, text } from './common.js';

/** The envelope of a call without a fee (interface.md 4.19 to 4.23). */
export const successResponse = (data: object): object =>
  exactly({ status: { const: 'success' }, message: filledText, data });

const arrayOf = (item: object): object => ({ type: 'array', items: item });

/** A page of a list (interface.md 4.26). */
export const listResponse = (entry: object, extra: object = {}): object =>
  exactly({
    status: { const: 'success' },
    message: filledText,
    data: arrayOf(entry),
    next_cursor: nullable(filledText),
    ...extra,
  });

const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });

export const operators = successResponse(
  arrayOf(
    exactly({
      name: filledText,
      operator_type: { enum: ['mobile', 'dth'] },
      operator_sp_key: integer,
      opcode: nullable(filledText),
      available: { type: 'boolean' },
      max_amount: nullable(number),
    }),
  ),
);
export const circles = successResponse(
  arrayOf(exactly({ code: { type: 'string', pattern: '^[0-9]{2,3}$' }, name: filledText })),
);
export const banks = successResponse(arrayOf(exactly({ opcode: filledText, name: filledText })));

export const balance = successResponse(
  exactly({ balance: number, held: number, environment: { enum: ['uat', 'production'] } }),
);

export const orders = listResponse(
  exactly({
    api_request_id: filledText,
    client_request_id: nullable(filledText),
    kind: { enum: ['recharge', 'card_payment'] },
    status: { enum: ['success', 'pending', 'failed', 'reversed'] },
    code: { enum: ['PROVIDER_DECLINED', 'REVERSED', null] },
    reason: orNull(reason),
    amount: number,
    refunded: number,
    account_number: nullable(filledText),
    operator: nullable(filledText),
    operator_sp_key: nullable(integer),
    operator_ref: nullable(filledText),
    card: nullable(filledText),
    mobile: nullable(filledText),
    utr: nullable(filledText),
    txid: nullable(integer),
    provider_txn_id: nullable(filledText),
    created_at: instant,
    settled_at: nullable(instant),
    reversed_at: nullable(instant),
  }),
  { searched_from: nullable(instant) },
);

export const statement = listResponse(
  exactly({
    id: { type: 'string', pattern: '^led_' },
    at: instant,
    kind: { enum: ['hold', 'refund', 'reversal', 'refund_reversal', 'lead_fee', 'top_up', 'debit', 'correction'] },
    amount: number,
    balance_after: number,
    reference: text,
  }),
);
