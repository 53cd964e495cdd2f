const BLANKS = /\p{White_Space}/gu;

/** The number of a bank transfer (UTR of NEFT and RTGS, RRN of IMPS and UPI) as it is compared: upper case, without blanks. */
export const normalUtr = (text: string): string => text.replace(BLANKS, '').toUpperCase();

/** 12 to 22 letters and digits, whatever blanks people write between them. */
export const isUtr = (text: string): boolean => /^[A-Za-z0-9]{12,22}$/.test(text.replace(BLANKS, ''));
