import { AppError } from '../core/errors.js';
import type { Evidence } from './outcome.js';

/**
 * Why the lead provider refused a profile or a lead, as far as a text that it documents says it. No reason is worth a repetition:
 * the same request is refused again.
 */
export const leadRefusals = {
  PAN_ON_OTHER_NUMBER: 'The PAN belongs to another mobile number at the lead provider.',
  UNSPECIFIED: 'The lead provider refused the request and did not say why.',
} as const satisfies Readonly<Record<string, string>>;

export type LeadRefusal = keyof typeof leadRefusals;

/** A refusal of what was sent. With another status our own credentials or the number of calls may be the reason. */
const REFUSES_CONTENT: readonly number[] = [200, 400, 422];

/** What a caller hears of a refusal of the content that was sent; undefined where the call failed for another reason. */
export function leadRefused({ reason, httpStatus, providerCode = '' }: Evidence): AppError | undefined {
  if (reason !== 'provider_failure' || !REFUSES_CONTENT.includes(httpStatus ?? 0)) return undefined;
  const why = Object.hasOwn(leadRefusals, providerCode) ? (providerCode as LeadRefusal) : 'UNSPECIFIED';
  return new AppError('LEAD_REFUSED', { reason: why, message: leadRefusals[why] });
}
