import { randomInt } from 'node:crypto';
import { keyedHash, type Secret } from '../../core/secret.js';

export const RECOVERY_CODES = 10;
const LENGTH = 10;
/** Characters of the codes, without those that are easily confused on paper: 0, 1, i, l, o, u. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** Returns a new code, for example "k7m3q-x9d2p", with about 49 random bits. */
const newCode = (): string => {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
};

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

/** Returns the stored hash of a code, regardless of how it was typed, or undefined if the text cannot be a code. */
export function recoveryCodeHash(pepper: Secret, factorId: string, text: string): Buffer | undefined {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (code.length !== LENGTH || [...code].some((letter) => !ALPHABET.includes(letter))) return undefined;
  return keyedHash(pepper, 'recovery-code', `${factorId}:${code}`);
}

/** Returns the name of the recovery codes in the list of second factors. */
export const recoveryCodesName = (left: number): string => `${left} of ${RECOVERY_CODES} codes left`;
