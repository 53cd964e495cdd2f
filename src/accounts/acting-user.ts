import type { Actor } from '../audit/audit.service.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';

/** The signed-in user as the audit trail names them. */
export const actorOf = (context: RequestContext): Actor => ({
  actor: `user:${sessionOf(context).userId}`,
  requestId: context.requestId,
});

/** Nine digits fit PostgreSQL's integer, whatever they are. */
const ACCOUNT_NUMBER = /^[1-9]\d{0,8}$/;

/** An ID argument → the number of a record. Texts that cannot be one are unknown. Errors: RECORD_NOT_FOUND. */
export function recordNumber(id: string, what: string): number {
  if (!ACCOUNT_NUMBER.test(id)) throw new AppError('RECORD_NOT_FOUND', { message: `There is no such ${what}.` });
  return Number(id);
}

export const developerNumber = (id: string): DeveloperId => recordNumber(id, 'developer') as DeveloperId;
