import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';

/** An ID argument → the id of a record. A text that cannot be one is unknown, and never reaches the database. Errors: RECORD_NOT_FOUND. */
export function recordId(id: string, what: string): string {
  if (!isUuid(id)) throw new AppError('RECORD_NOT_FOUND', { message: `There is no such ${what}.` });
  return id;
}

export const developerIdOf = (id: string): DeveloperId => recordId(id, 'developer') as DeveloperId;
