/** Amount of Indian money in integer paise. Only this file creates such values. */
export type Paise = bigint & { readonly __unit: 'paise' };

export const ZERO = 0n as Paise;

export const paise = (value: bigint | number | string): Paise => BigInt(value) as Paise;
export const rupees = (amount: number): Paise => (BigInt(amount) * 100n) as Paise;
export const add = (a: Paise, b: Paise): Paise => (a + b) as Paise;
export const subtract = (a: Paise, b: Paise): Paise => (a - b) as Paise;

const DECIMAL_TEXT = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * Converts plain decimal text with at most two decimals ("199", "199.5", "-12.40") to paise. Returns undefined for other text.
 */
export function paiseFromDecimal(text: string): Paise | undefined {
  const match = DECIMAL_TEXT.exec(text);
  if (!match) return undefined;
  const magnitude = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return (match[1] ? -magnitude : magnitude) as Paise;
}

/** The largest accepted amount in rupees: 13 digits before the decimal point. */
export const MAX_RUPEES = 9_999_999_999_999.99;

/**
 * Tolerance that is larger than the rounding errors of sums and products of doubles, and far smaller than any intended
 * difference.
 */
const ROUNDING_RUPEES = 1e-6;

/**
 * Converts a JSON number of rupees to paise, exactly. The shortest decimal text of the double is used, so 0.1 is 10 paise and
 * 1.005 is rejected instead of rounded. Only rounding errors of the client's own arithmetic are removed (1179.9 * 3 =
 * 3539.7000000000003). Returns undefined if the number is not finite, has more than two decimals or is out of range.
 */
export function paiseFromNumber(value: number): Paise | undefined {
  const rounded = Math.round(value * 100);
  // this is the nearest double to this number of paise; up to this limit, no other decimal with 15 digits has the same double
  if (rounded / 100 === value && Math.abs(value) < 1e13) return BigInt(rounded) as Paise;
  const exact = paiseFromDecimal(String(value));
  if (exact !== undefined || !Number.isFinite(value)) return exact;
  const nearest = value.toFixed(2);
  return Math.abs(value - Number(nearest)) <= ROUNDING_RUPEES ? paiseFromDecimal(nearest) : undefined;
}

/** Converts paise to a JSON number of rupees. The result is exact to the paisa up to ₹90,00,000 crore (2^53 paise). */
export const rupeesNumber = (amount: Paise): number => Number(amount) / 100;

/** Converts paise to decimal text with two decimals, as providers expect amounts ("199.00"). */
export function decimalText(amount: Paise): string {
  const sign = amount < 0n ? '-' : '';
  const magnitude = amount < 0n ? -BigInt(amount) : BigInt(amount);
  return `${sign}${magnitude / 100n}.${String(magnitude % 100n).padStart(2, '0')}`;
}

/** Converts paise to the shortest decimal text ("199", "199.5"), for providers that expect whole rupees without decimals. */
export const shortDecimalText = (amount: Paise): string => String(rupeesNumber(amount));
