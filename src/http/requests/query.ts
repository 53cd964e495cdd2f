import type { FieldProblem } from '../../core/errors.js';
import { unknownParameter } from '../../rest/answers.js';
import type { GivenFields, Refused } from '../../rest/handler.js';
import { decodePercent } from './head.js';

export interface Parameter {
  /** Whether several values are allowed. */
  list?: true;
  /** Whether the value is an idempotency key, in which a `+` can be a plus sign. */
  isKey?: true;
}

export interface QueryFields extends GivenFields {
  given: Record<string, unknown>;
}

const TWICE: Refused = { rule: 'ITEMS', message: 'Must be sent only once.' };
const EMPTY: Refused = { rule: 'REQUIRED', message: 'Must not be empty. Set a value or omit the parameter.' };
/** Parameters that caches and marketing links add. */
const NOISE = /^(_|utm_\w+)$/;
/** Names that an error may quote. Other names can contain sensitive values, such as a card number. */
const PLAIN_NAME = /^[a-z_]{1,40}(\[[a-z_]{0,40}\])?$/i;

const unknown = (name: string, known: readonly string[]): [shown: string, Refused] => {
  const shown = PLAIN_NAME.test(name) ? name : 'query';
  return [shown, unknownParameter(shown, known)];
};

/** Matches a list item: `a[]` as sent by axios, `a[0]` as sent by PHP. */
const ITEM = /^(.+?)\[\d*\]$/s;

/**
 * Reads the query of a URL. `a=1&a=2`, `a[]=1` and `a[0]=1` are values of the list `a`, and are rejected if `a` is not a list.
 *
 * @param url URL with a query in percent-encoded UTF-8
 * @param isStrict rejects unknown and empty parameters, because a list with an ignored misspelled filter would return everything
 */
export function readQuery(
  url: string,
  parameters: Readonly<Record<string, Parameter>>,
  { isStrict }: { isStrict: boolean },
): QueryFields {
  const start = url.indexOf('?');
  const given: Record<string, unknown> = {};
  const refused = new Map<string, Refused>();
  const plus: Record<string, string> = {};
  for (const pair of start === -1 ? [] : url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [rawName, rawValue] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const written = decoded(rawName);
    const name = ITEM.exec(written)?.[1] ?? written;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = decoded(rawValue);
    if (!parameter) {
      if (isStrict && !NOISE.test(written)) refused.set(...unknown(written, Object.keys(parameters)));
    } else if (isStrict && value.trim() === '') refused.set(name, EMPTY);
    else if (parameter.list) given[name] = [...((given[name] as string[] | undefined) ?? []), ...value.split(',')];
    else if (written !== name || Object.hasOwn(given, name)) refused.set(name, TWICE);
    else {
      given[name] = value;
      if (parameter.isKey && rawValue.includes('+')) plus[name] = decodePercent(rawValue)!;
    }
  }
  for (const name of refused.keys()) delete given[name];
  return { given, refused, ...(Object.keys(plus).length > 0 ? { withPlus: { ...given, ...plus } } : {}) };
}

const decoded = (text: string): string => decodePercent(text.replaceAll('+', ' '))!;

/** Returns validation errors with the names of the query parameters. */
export const problemsOfQuery = ({ refused }: QueryFields): FieldProblem[] =>
  [...refused].map(([path, { rule, message }]) => ({ path, rule, message }));
