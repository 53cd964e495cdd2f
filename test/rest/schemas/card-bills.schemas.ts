import { exactly, filledText, integer, nullable, number, text } from './common.js';

/** Dates of a bill are DD/MM/YYYY (interface.md 2.5). */
const slashedDate = { type: 'string', pattern: '^(0[1-9]|[12]\\d|3[01])/(0[1-9]|1[0-2])/\\d{4}$' };
/** A masked card: xxxx and the last 4 characters (interface.md 2.6). */
const maskedCard = { type: 'string', pattern: '^xxxx.{4}$' };

/** Bill fetch (interface.md 2.1, 2.5 and 4.4). */
export const billFetched = exactly({
  fee: number,
  data: exactly({
    orderid: filledText,
    fetch_id: filledText,
    bill_date: slashedDate,
    bill_amount: number,
    minimum_due: number,
    bill_due_date: slashedDate,
    customer_name: text,
  }),
  status: { const: 'success' },
  message: filledText,
  wallet_balance: number,
});

/** Bill pay (interface.md 2.6 and 4.5): no fee, and wallet_balance inside data. */
export const billPaid = exactly({
  status: { const: 'success' },
  message: filledText,
  data: exactly({
    utr: text,
    card: maskedCard,
    txid: integer,
    amount: number,
    mobile: { type: 'string', pattern: '^\\d{10}$' },
    orderid: filledText,
    wallet_balance: number,
  }),
});

/** Final or pending status of a bill payment: the documented keys, with null for unknown values. */
export const billPaymentPending = exactly({
  status: { const: 'pending' },
  message: filledText,
  data: exactly({
    utr: nullable(text),
    card: maskedCard,
    txid: nullable(integer),
    amount: number,
    mobile: { type: 'string', pattern: '^\\d{10}$' },
    orderid: filledText,
    wallet_balance: number,
  }),
});

/** Duplicate bill payment, which has `order_id` (interface.md 7.1). */
export const duplicateOrder = exactly({
  status: { const: 'error' },
  message: { type: 'string', pattern: '[Dd]uplicate order' },
  code: { const: 'DUPLICATE_ORDER' },
  doc_url: { type: 'string', pattern: '/docs/errors#DUPLICATE_ORDER$' },
  request_id: filledText,
  order_id: filledText,
  order_status: { enum: ['success', 'pending', 'failed', 'reversed'] },
});
