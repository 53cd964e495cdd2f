import type { RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { RateLimits } from './limits.js';
import { forbidden, type PolicyRow, unauthenticated } from './policy.js';

/** A field that is asked for, with its arguments as they came. */
export interface Asked {
  row: PolicyRow;
  args: Readonly<Record<string, unknown>>;
}

/**
 * The refusal of a caller who may use none of the fields without signing in: 401. It comes before everything else, so that nobody
 * learns more. Undefined when one of them is open to the caller, or when there is none.
 */
export function unauthenticatedForAll(rows: readonly PolicyRow[], context: RequestContext): AppError | undefined {
  const refusals = rows.map((row) => unauthenticated(row, context));
  return refusals.every(Boolean) ? refusals[0] : undefined;
}

/**
 * The order in which a request is refused before its input is looked at, for REST, GraphQL and downloads: 401, then 429 (it
 * costs a point of every field), then 403. What is wrong with the input comes after that. A known key is answered instead of
 * whatever comes after 401: see KnownKeys, which is asked about each of these refusals.
 *
 * This is for requests of which no field runs. A field that runs is refused in the same order by what `secureSchema` wraps it in.
 */
export async function refusalBeforeInput(
  fields: readonly Asked[],
  context: RequestContext,
  limits: RateLimits,
): Promise<AppError | undefined> {
  const rows = fields.map(({ row }) => row);
  const refusal = unauthenticatedForAll(rows, context);
  if (refusal) return refusal;
  try {
    for (const { row, args } of fields) if (!unauthenticated(row, context)) await limits.count(row, context, args);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const closed = rows.map((row) => forbidden(row, context));
  return closed.every(Boolean) ? closed[0] : undefined;
}
