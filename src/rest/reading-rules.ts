/** How a rule applies in each place of a request. */
interface ReadingRule {
  query: string;
  header: string;
  form: string;
  json: string;
}

/** How REST reads requests, by what is read. The guides and OpenAPI show these texts; test/rest/reading-table.full.ts plays them. */
export const readingRules = {
  list: {
    query: '`a=1&a=2`, `a=1,2`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2`',
    header: 'none',
    form: 'as in a query',
    json: 'an array, or text with commas',
  },
  'a value that is sent more than once': {
    query: 'refused',
    header: 'equal values count once; different ones are 400 `MALFORMED_REQUEST`',
    form: 'the last one counts; on recharge and bill payment different values are refused',
    json: 'as in a form',
  },
  'an unknown name': {
    query: 'ignored on the paths of the contract; refused on our own, except `_` and `utm_…`',
    header: 'ignored',
    form: 'ignored',
    json: 'ignored',
  },
  'an empty value': {
    query: 'absent on the paths of the contract; refused on our own',
    header: 'absent',
    form: 'absent, where the field is optional',
    json: '`""` and `null` are absent, where the field is optional',
  },
  'blanks around a value': {
    query: 'trimmed',
    header: 'trimmed',
    form: 'trimmed, except of secrets',
    json: 'as in a form',
  },
  encoding: {
    query: 'percent-encoded UTF-8; a `+` is a blank, and in a key of yours both are looked up',
    header: 'UTF-8; `Idempotency-Key` with or without the quotes of its standard',
    form: 'UTF-8',
    json: 'UTF-8',
  },
} as const satisfies Record<string, ReadingRule>;

/** Part of the description of our own GET paths. */
export const STRICT_TEXT =
  'A parameter that is unknown, empty or sent more than once is refused; a list may be repeated.';
