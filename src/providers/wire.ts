import { z } from 'zod';
import { decimalText, type Paise, paiseFromDecimal, paiseFromNumber } from '../core/money.js';
import type { RechargeReceipt } from './ports/recharge.port.js';

/*
 * How adapters read what comes off the wire. Providers change the case of keys and switch between text and numbers without
 * notice, so both are read either way; nothing else is guessed.
 */

const LOWER = /^[^A-Z\u0080-\uffff]*$/;

/**
 * A JSON object with lower-case keys; nested values are left alone. Undefined when it is not an object, or when two spellings of
 * one key contradict each other: then it is unknown which of them counts.
 */
export function lowerKeys(value: unknown): Record<string, unknown> | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.every((key) => LOWER.test(key))) return fields;
  const lowered: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.toLowerCase();
    if (name === '__proto__') continue; // no field of ours, and no property like others
    if (Object.hasOwn(lowered, name) && lowered[name] !== fields[key]) return undefined;
    lowered[name] = fields[key];
  }
  return lowered;
}

/** An object whose keys may come in any case; the shape spells them in lower case. Unlisted keys are ignored. */
export const wireObject = <S extends z.ZodRawShape>(shape: S) => z.preprocess(lowerKeys, z.object(shape));

/** One field of an object, its name in lower case. */
export const wireField = <S extends z.ZodType>(name: string, shape: S) =>
  z.preprocess((body) => lowerKeys(body)?.[name], shape);

const scalar = z.union([z.string(), z.number()]);
const trimmed = (value: string | number | boolean): string => String(value).trim();
const amountOf = (value: string | number): Paise | undefined =>
  typeof value === 'number' ? paiseFromNumber(value) : paiseFromDecimal(value.trim());

/*
 * For entries of long lists, where a schema for each field takes most of the time of a call: `wireTextOrEmpty` and `wirePaise` as
 * functions. Undefined when the value does not fit.
 */
const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
export const textOrEmptyOf = (value: unknown): string | undefined =>
  isScalar(value) ? trimmed(value) : value === undefined || value === null ? '' : undefined;
export const paiseOf = (value: unknown): Paise | undefined => (isScalar(value) ? amountOf(value) : undefined);

/*
 * Texts are short and printable already, see http-exchange.ts; lists are bounded here, before their entries are looked at one by one.
 */

/** Text or number → text without blanks around it; may be empty. */
export const wireText = scalar.transform(trimmed);
/** The same, not empty. */
export const wireFilledText = wireText.refine((text) => text !== '');
/**
 * An id that is stored and sent back as it is: visible ASCII, at most 100 characters. Another one does not fit, because changed it
 * would be the id of something else.
 */
export const wireId = wireText.refine((text) => /^[\x21-\x7e]{1,100}$/.test(text));
/** The same; missing and null become "". */
export const wireTextOrEmpty = wireText.nullish().transform((text) => text ?? '');
/** A status word or code as text, number or boolean → lower case. */
export const wireWord = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => trimmed(value).toLowerCase())
  .refine((word) => word !== '');
/** A whole number from 0, as number or text. */
export const wireInteger = scalar
  .transform((value) => (/^\d{1,16}$/.test(trimmed(value)) ? Number(value) : Number.NaN))
  .refine(Number.isSafeInteger);
/** The same, as GraphQL's Int takes it back: one of more than 31 bits could not be sent. */
export const wireInt = wireInteger.refine((value) => value < 2 ** 31);
/** Rupees as number or plain decimal text, at most two decimals → paise, exactly. May be zero or negative. */
export const wirePaise = scalar.transform((value, context): Paise => {
  const amount = amountOf(value);
  if (amount !== undefined) return amount;
  context.addIssue('not an amount');
  return z.NEVER;
});

/** A JSON list of at most so many entries; also the object with the keys "0", "2", … that PHP makes of a list with gaps. */
export const wireArray = (maxEntries: number) =>
  z.preprocess((value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
  }, z.array(z.unknown()).max(maxEntries));

/**
 * A list whose entries are read one by one: one that does not fit is left out, so that it cannot take the others with it.
 * When none of them fits, the list is of another kind and does not fit itself, nor does one that is too long: a part of it
 * would look like the whole.
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
