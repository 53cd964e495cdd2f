import { canonicalJson } from '../core/canonical-json.js';
import type { RechargeInput } from './recharge.types.js';

/**
 * What a repetition with the same client_request_id may say differently: a phone has moved, a circle was looked up meanwhile.
 * Every other field of the input is part of the recharge that the key stands for, a new one too.
 */
export const MAY_DIFFER = [
  'clientRequestId',
  'circle',
  'geocode',
  'pincode',
  'customerNumber',
  'allowDuplicate',
] as const satisfies readonly (keyof RechargeInput)[];

type Identity = Partial<Omit<RechargeInput, (typeof MAY_DIFFER)[number]>>;

const ignored: ReadonlySet<string> = new Set(MAY_DIFFER);

/** What makes two requests with one key the same recharge. */
export const identityOf = (input: Identity): object =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !ignored.has(field)));

export const isSameRecharge = (one: Identity, other: Identity): boolean =>
  canonicalJson(identityOf(one)) === canonicalJson(identityOf(other));
