const BLANKS = /\p{White_Space}/gu;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * Normalizes the reference number of a bank transfer (UTR of NEFT and RTGS, RRN of IMPS and UPI) for comparison: upper case
 * without spaces.
 */
export const normalUtr = (text: string): string => text.replace(BLANKS, '').toUpperCase();

/** Returns whether a text has 12 to 22 letters and digits, ignoring spaces. */
export const isUtr = (text: string): boolean => /^[A-Za-z0-9]{12,22}$/.test(text.replace(BLANKS, ''));

/**
 * Returns the UTR in a reference, normalized by `normalUtr`. An RRN has 12 digits; a UTR of NEFT has 16 characters and a UTR of
 * RTGS 22, both starting with the four letters of the bank. Returns undefined for other references. Lookalike characters are
 * treated as identical.
 */
export function utrIn(reference: string): string | undefined {
  const text = normalUtr(reference.normalize('NFKC').replace(INVISIBLE, ''));
  if (/^\d{12}$/.test(text)) return text;
  const isOfBank = /^[A-Z]{4}([A-Z0-9]{12}|[A-Z0-9]{18})$/.test(text);
  return isOfBank && text.replace(/\D/g, '').length >= 8 ? text : undefined;
}
