import { z } from 'zod';
import { decimalText, type Paise, paiseFromDecimal, paiseFromNumber } from '../core/money.js';
import type { RechargeReceipt } from './ports/recharge.port.js';

/*
 * Provider responses are parsed leniently: providers change the case of keys and switch between text and numbers without notice,
 * so both variants are accepted. Nothing else is guessed.
 */

const LOWER = /^[^A-Z\u0080-\uffff]*$/;

/**
 * Returns the JSON object with lowercase keys; nested values are unchanged. Returns undefined if the value is not an object, or
 * if two spellings of a key have different values, because the valid one is not known.
 */
export function lowerKeys(value: unknown): Record<string, unknown> | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.every((key) => LOWER.test(key))) return fields;
  const lowered: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.toLowerCase();
    if (name === '__proto__') continue; // assigning this name would set the prototype
    if (Object.hasOwn(lowered, name) && lowered[name] !== fields[key]) return undefined;
    lowered[name] = fields[key];
  }
  return lowered;
}

/** Returns the schema of an object whose keys can have any case. The shape uses lowercase keys. Unlisted keys are ignored. */
export const wireObject = <S extends z.ZodRawShape>(shape: S) => z.preprocess(lowerKeys, z.object(shape));

/** Returns the schema of a field of an object, by its lowercase name. */
export const wireField = <S extends z.ZodType>(name: string, shape: S) =>
  z.preprocess((body) => lowerKeys(body)?.[name], shape);

const scalar = z.union([z.string(), z.number()]);
const trimmed = (value: string | number | boolean): string => String(value).trim();
const amountOf = (value: string | number): Paise | undefined =>
  typeof value === 'number' ? paiseFromNumber(value) : paiseFromDecimal(value.trim());

/*
 * Variants of `wireTextOrEmpty` and `wirePaise` as functions, for long lists, where a schema per field would take most of the
 * time of a call. They return undefined if the value does not match.
 */
const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
export const textOrEmptyOf = (value: unknown): string | undefined =>
  isScalar(value) ? trimmed(value) : value === undefined || value === null ? '' : undefined;
export const paiseOf = (value: unknown): Paise | undefined => (isScalar(value) ? amountOf(value) : undefined);

/*
 * Texts are already short and printable; see http-exchange.ts. The length of a list is limited before its entries are checked
 * one by one.
 */

/** Text or number → trimmed text, which can be empty. */
export const wireText = scalar.transform(trimmed);
/** Works like `wireText`, but does not accept empty text. */
export const wireFilledText = wireText.refine((text) => text !== '');
/**
 * ID that is stored and sent back unchanged: visible ASCII, at most 100 characters. Other values do not match, because a changed
 * ID would identify something else.
 */
export const wireId = wireText.refine((text) => /^[\x21-\x7e]{1,100}$/.test(text));
/** Works like `wireText`, but converts missing and null values to "". */
export const wireTextOrEmpty = wireText.nullish().transform((text) => text ?? '');
/** Status word or code as text, number or boolean → lower case. */
export const wireWord = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => trimmed(value).toLowerCase())
  .refine((word) => word !== '');
/** Non-negative integer, as number or text. */
export const wireInteger = scalar
  .transform((value) => (/^\d{1,16}$/.test(trimmed(value)) ? Number(value) : Number.NaN))
  .refine(Number.isSafeInteger);
/** Works like `wireInteger`, but is limited to the 31 bits of GraphQL's Int. */
export const wireInt = wireInteger.refine((value) => value < 2 ** 31);
/** Rupees as number or plain decimal text with at most two decimals → paise, exact. Can be zero or negative. */
export const wirePaise = scalar.transform((value, context): Paise => {
  const amount = amountOf(value);
  if (amount !== undefined) return amount;
  context.addIssue('not an amount');
  return z.NEVER;
});

/**
 * Returns the schema of a JSON list with at most `maxEntries` entries. The schema additionally accepts an object with the keys
 * "0", "2", …, which is how PHP encodes a list with gaps.
 */
export const wireArray = (maxEntries: number) =>
  z.preprocess((value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
  }, z.array(z.unknown()).max(maxEntries));

/**
 * Returns the schema of a list whose entries are checked one by one. Entries that do not match are omitted, so that they do not
 * invalidate the others. If no entry matches, the list has a different type and does not match. A list that is too long does not
 * match either, because a truncated list would look complete.
 */
export const wireListOf = <S extends z.ZodType>(entry: S, maxEntries: number) =>
  wireArray(maxEntries)
    .pipe(
      z.transform((entries: unknown[]) => ({
        isEmpty: entries.length === 0,
        fitting: entries.flatMap((candidate) => {
          const parsed = entry.safeParse(candidate);
          return parsed.success ? [parsed.data] : [];
        }),
      })),
    )
    .refine(({ isEmpty, fitting }) => isEmpty || fitting.length > 0)
    .transform(({ fitting }) => fitting);

/** Formats paise for recharge providers: "199", "199.50". */
export const amountText = (amountPaise: Paise): string => decimalText(amountPaise).replace(/\.00$/, '');

/**
 * Returns whether the amount in a response is that of the order. "100", "100.0" and "100.0000" (from a database) are the same
 * amount; any other text is not an amount.
 */
export const isSameAmount = (reportedAmount: string, amountPaise: Paise): boolean =>
  paiseFromDecimal(reportedAmount.replace(/(\.\d\d)0+$/, '$1')) === amountPaise;

/** Returns whether a response can refer to the account. A masked number ("xxxxxx3210") proves nothing. */
export const mayBeAccount = (reportedAccount: string, accountNumber: string): boolean =>
  reportedAccount === '' ||
  /[x*]/i.test(reportedAccount) ||
  withoutZeros(reportedAccount) === withoutZeros(accountNumber);

/** Returns the account without leading zeros, which are lost if it is sent as a JSON number. */
const withoutZeros = (account: string): string => account.replace(/^0+/, '').toUpperCase();

/**
 * Returns whether an error response reports that its reference was already used. The error then applies to the duplicate, and
 * the first request may have succeeded. The text has no other effect, and a wrong guess only discards a result that would not be
 * trusted anyway.
 */
export const reportsDuplicate = (text: string): boolean => /duplicate|already/i.test(text);

/** Returns the transaction ID of the provider for the evidence. It is omitted if it contains the account number. */
export const evidenceTxnId = (txnId: string, accountNumber: string): string | undefined =>
  txnId === '' || txnId.includes(accountNumber) ? undefined : txnId;

/**
 * Returns the reference of a provider or operator that users can quote: at most 64 letters, digits, spaces and . _ : / # -.
 * Other characters become "?", so that terminals and spreadsheets do not interpret them.
 */
export const referenceText = (text: string): string => text.slice(0, 64).replace(/[^A-Za-z0-9 ._:/#-]/g, '?');

/** Returns the receipt of a success. Missing IDs become "". */
export const receiptOf = (providerTxnId: string, operatorRef: string): RechargeReceipt => ({
  providerTxnId: referenceText(providerTxnId),
  operatorRef: referenceText(operatorRef),
});
