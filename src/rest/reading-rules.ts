/** Behavior that a rule describes for each part of a request. */
interface ReadingRule {
  query: string;
  header: string;
  form: string;
  json: string;
}

/**
 * How REST parses requests. The guides and the OpenAPI document show these texts; test/rest/reading-table.full.ts verifies
 * them.
 */
export const readingRules = {
  list: {
    query: '`a=1&a=2`, `a=1,2`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2`',
    header: 'none',
    form: 'as in a query',
    json: 'an array, or text with commas',
  },
  'a value that is sent more than once': {
    query: 'rejected',
    header: 'identical values are accepted; different values return 400 `MALFORMED_REQUEST`',
    form: 'the last value is used; on recharge and bill payment, different values are rejected',
    json: 'as in a form',
  },
  'an unknown name': {
    query: 'ignored on the paths of the contract; rejected on all other paths, except `_` and `utm_…`',
    header: 'ignored',
    form: 'ignored',
    json: 'ignored',
  },
  'an empty value': {
    query: 'absent on the paths of the contract; rejected on all other paths',
    header: 'absent',
    form: 'absent if the field is optional',
    json: '`""` and `null` are absent if the field is optional',
  },
  'spaces around a value': {
    query: 'trimmed',
    header: 'trimmed',
    form: 'trimmed, except in secrets',
    json: 'as in a form',
  },
  encoding: {
    query: 'percent-encoded UTF-8; a `+` is a space; in an idempotency key, both readings are looked up',
    header: 'UTF-8; `Idempotency-Key` with or without the quotes of the standard',
    form: 'UTF-8',
    json: 'UTF-8',
  },
} as const satisfies Record<string, ReadingRule>;

/** Description of GET paths that extend the contract. */
export const STRICT_TEXT =
  'Parameters that are unknown, empty or sent more than once are rejected. List parameters may be repeated.';
