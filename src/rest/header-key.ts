import type { RestRoute } from './route.js';

/** Counts as the caller's own key of a request whose body has none. */
export const KEY_HEADER = 'Idempotency-Key';

/**
 * A request whose key came in the header, as if the body held it under the header's name: so its text has the rules of the
 * field, and errors name the header. A key in the body wins.
 *
 * @param headerKey what the header says; undefined when there is none
 */
export function withHeaderKey(
  route: RestRoute,
  body: Readonly<Record<string, unknown>>,
  headerKey: unknown,
): { route: RestRoute; given: Readonly<Record<string, unknown>> } {
  const field = route.keyField && route.fields[route.keyField];
  if (!field || isAbsent(headerKey) || !isAbsent(body[route.keyField!])) return { route, given: body };
  const { [route.keyField!]: _, ...others } = route.fields;
  return {
    route: { ...route, fields: { ...others, [KEY_HEADER]: field } },
    given: { ...body, [KEY_HEADER]: headerKey },
  };
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
