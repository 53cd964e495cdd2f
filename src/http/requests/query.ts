import type { FieldProblem } from '../../core/errors.js';
import type { RejectedField, RequestFields } from '../../rest/handler.js';
import { unknownParameter } from '../../rest/responses.js';
import { decodePercent } from './head.js';

export interface Parameter {
  /** Whether several values are allowed. */
  list?: true;
  /** Whether the value is an idempotency key, in which a `+` can be a plus sign. */
  isKey?: true;
}

export interface QueryFields extends RequestFields {
  values: Record<string, unknown>;
}

const SENT_TWICE: RejectedField = { rule: 'ITEMS', message: 'Must be sent only once.' };
const EMPTY: RejectedField = { rule: 'REQUIRED', message: 'Must not be empty. Set a value or omit the parameter.' };
/** Parameters that caches and marketing links add. */
const IGNORED_NAME = /^(_|utm_\w+)$/;
/** Names that an error may quote. Other names can contain sensitive values, such as a card number. */
const PLAIN_NAME = /^[a-z_]{1,40}(\[[a-z_]{0,40}\])?$/i;

const unknownProblem = (name: string, known: readonly string[]): [shown: string, RejectedField] => {
  const displayName = PLAIN_NAME.test(name) ? name : 'query';
  return [displayName, unknownParameter(displayName, known)];
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
  const values: Record<string, unknown> = {};
  const rejected = new Map<string, RejectedField>();
  const plus: Record<string, string> = {};
  for (const pair of start === -1 ? [] : url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [rawName, rawValue] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const fullName = decoded(rawName);
    const name = ITEM.exec(fullName)?.[1] ?? fullName;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = decoded(rawValue);
    if (!parameter) {
      if (isStrict && !IGNORED_NAME.test(fullName)) rejected.set(...unknownProblem(fullName, Object.keys(parameters)));
    } else if (isStrict && value.trim() === '') rejected.set(name, EMPTY);
    else if (parameter.list) values[name] = [...((values[name] as string[] | undefined) ?? []), ...value.split(',')];
    else if (fullName !== name || Object.hasOwn(values, name)) rejected.set(name, SENT_TWICE);
    else {
      values[name] = value;
      if (parameter.isKey && rawValue.includes('+')) plus[name] = decodePercent(rawValue)!;
    }
  }
  for (const name of rejected.keys()) delete values[name];
  return { values, rejected, ...(Object.keys(plus).length > 0 ? { withPlus: { ...values, ...plus } } : {}) };
}

const decoded = (text: string): string => decodePercent(text.replaceAll('+', ' '))!;

/** Returns validation errors with the names of the query parameters. */
export const problemsOfQuery = ({ rejected }: QueryFields): FieldProblem[] =>
  [...rejected].map(([path, { rule, message }]) => ({ path, rule, message }));
