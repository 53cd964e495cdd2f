import { exactly, filledText, number, text } from './common.js';

/** Circle codes (interface.md 2.12). */
const circleCodes =
  '105 104 103 102 101 100 99 49 95 94 40 06 52 16 56 53 51 31 70 93 98 90 92 54 55 96 03 02 97 10'.split(' ');

/** The envelope (interface.md 2.1): every lookup has the fee and the balance at the top level. */
const charged = (data: object): object =>
  exactly({
    status: { const: 'success' },
    message: filledText,
    fee: { type: 'number', minimum: 0 },
    wallet_balance: number,
    data,
  });

/** The operator of a number (interface.md 2.7). */
export const operatorFetch = charged(
  exactly({
    circle: filledText,
    circle_code: { enum: circleCodes },
    company: filledText,
    number: { type: 'string', pattern: '^(?=.*[xX*])[0-9xX*]{10}$' },
    orderid: filledText,
  }),
);

/** An element of a plan group (interface.md 2.8). */
const plan = exactly({
  rs: { type: 'number', exclusiveMinimum: 0 },
  Type: { type: 'string', pattern: '^[^A-Z]+$' },
  desc: text,
  validity: filledText,
});

const group = { type: 'array', items: plan };

/** The listed groups are guaranteed; other groups may exist. */
const plans = (groups: readonly string[]): object =>
  charged(
    exactly({
      plans: {
        type: 'object',
        properties: Object.fromEntries(groups.map((name) => [name, group])),
        required: groups,
        additionalProperties: group,
      },
      orderid: filledText,
      operator: filledText,
    }),
  );

/** Mobile plans (interface.md 2.8 and 4.7). */
export const operatorPlanFetch = plans(['TOPUP', 'DATA', 'STV']);
/** DTH plans (interface.md 2.8 and 4.8). */
export const dthPlanFetch = plans(['Combo', 'AddOn']);

/** A DTH subscriber (interface.md 2.9): the balance is a decimal string, the minimum a numeric string. */
export const dthInfo = charged(
  exactly({
    orderid: filledText,
    customer: {
      type: 'array',
      items: exactly({
        VC: filledText,
        Name: text,
        Balance: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
        Minimum_recharge: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
      }),
    },
  }),
);
