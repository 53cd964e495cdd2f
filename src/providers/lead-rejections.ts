import { AppError } from '../core/errors.js';
import type { Evidence } from './outcome.js';

/**
 * Reason why the lead provider declined a profile or a lead, if a documented text states one. Retries do not help, because the
 * same request is declined again.
 */
export const leadRejections = {
  PAN_ON_OTHER_NUMBER: 'The PAN belongs to another mobile number at the lead provider.',
  UNSPECIFIED: 'The lead provider declined the request without a reason.',
} as const satisfies Readonly<Record<string, string>>;

export type LeadRejection = keyof typeof leadRejections;

/**
 * HTTP statuses with which the provider declines the content of a request. Other statuses can be caused by our credentials or a
 * rate limit.
 */
const CONTENT_REJECTED_STATUSES: readonly number[] = [200, 400, 422];

/**
 * Returns the error for the caller if the provider declined the content of the request. Returns undefined if the call failed for
 * another reason.
 */
export function leadRejectedError({ reason, httpStatus, providerCode = '' }: Evidence): AppError | undefined {
  if (reason !== 'provider_failure' || !CONTENT_REJECTED_STATUSES.includes(httpStatus ?? 0)) return undefined;
  const rejection = Object.hasOwn(leadRejections, providerCode) ? (providerCode as LeadRejection) : 'UNSPECIFIED';
  return new AppError('LEAD_REFUSED', { reason: rejection, message: leadRejections[rejection] });
}
