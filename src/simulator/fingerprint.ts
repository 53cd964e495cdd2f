import { keyedHash, Secret } from '../core/secret.js';

/** Fixed, so that ids and made-up data are the same after a restart. It protects nothing. */
const key = new Secret('provider-simulator');

/** 32 bytes that look random and depend only on the purpose and the value. */
export const fingerprint = (purpose: string, value: string): Buffer => keyedHash(key, purpose, value);

/** An integer from 0 to below `limit`, always the same for the same purpose and value. */
export const pick = (purpose: string, value: string, limit: number): number =>
  fingerprint(purpose, value).readUInt32BE(0) % limit;

export function pickFrom<T>(purpose: string, value: string, choices: readonly [T, ...T[]]): T {
  return choices[pick(purpose, value, choices.length)] ?? choices[0];
}

/** BankSathi's "encrypted" id of a customer: one per mobile number, base64 of base64 as the provider's own ids are. */
export const customerIdOf = (mobile: string): string =>
  Buffer.from(fingerprint('customer', mobile).subarray(0, 16).toString('base64')).toString('base64');
