import { decimalText, type Paise, paiseFromDecimal } from '../core/money.js';
import type { RechargeReceipt } from './ports/recharge.port.js';

/** Paise as recharge providers want them: "199", "199.50". */
export const amountText = (amountPaise: Paise): string => decimalText(amountPaise).replace(/\.00$/, '');

/** Whether an answer's amount is ours. "100", "100.0" and a database's "100.0000" are one amount; other text is none. */
export const isSameAmount = (answered: string, amountPaise: Paise): boolean =>
  paiseFromDecimal(answered.replace(/(\.\d\d)0+$/, '$1')) === amountPaise;

/** Whether an answer can be about our account. A masked number ("xxxxxx3210") decides nothing. */
export const mayBeAccount = (answered: string, accountNumber: string): boolean =>
  answered === '' || /[x*]/i.test(answered) || withoutZeros(answered) === withoutZeros(accountNumber);

/** An account that came as a JSON number has lost its leading zeros. */
const withoutZeros = (account: string): string => account.replace(/^0+/, '').toUpperCase();

/**
 * Whether a refusal says that its reference was used before. Then it is about the repetition, and the first request may have been
 * performed. A text decides nothing else, and only what is not believed anyway is lost by a wrong guess.
 */
export const saysRepeated = (text: string): boolean => /duplicate|already/i.test(text);

/** A provider's id as evidence keeps it: not when it carries the subscriber's number. */
export const evidenceTxnId = (txnId: string, accountNumber: string): string | undefined =>
  txnId === '' || txnId.includes(accountNumber) ? undefined : txnId;

/**
 * A reference that a provider or operator gave, for people to quote: at most 64 letters, digits, blanks and . _ : / # -, and "?"
 * for anything else, so that no console or spreadsheet takes it for more than that.
 */
export const referenceText = (text: string): string => text.slice(0, 64).replace(/[^A-Za-z0-9 ._:/#-]/g, '?');

/** The receipt of a success; ids that were not named are "". */
export const receiptOf = (providerTxnId: string, operatorRef: string): RechargeReceipt => ({
  providerTxnId: referenceText(providerTxnId),
  operatorRef: referenceText(operatorRef),
});
