import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Host } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import { ownTurn } from '../../core/turns.js';
import { shortened } from '../../graphql-toolkit/input.js';
import type { RejectedField } from '../../rest/handler.js';
import type { RestField } from '../../rest/route.js';
import { decodePercent, decodeUtf8 } from './head.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an empty body with a JSON content type is allowed. */
    bodyMayBeEmpty?: boolean;
    /** Text fields that also accept JSON numbers. */
    alsoNumbers?: Readonly<Record<string, RestField['alsoNumber']>>;
    /** Fields with several values. */
    lists?: readonly string[];
    /** Whether the call moves money. A repeated field is then rejected unless its values are identical. */
    movesMoney?: boolean;
  }
  interface FastifyRequest {
    /** Repeated fields with different values in the body of a call that moves money. */
    ambiguous?: readonly string[];
  }
}

/** Values of Content-Type that clients use for JSON. */
const JSON_TYPES = ['application/json', 'text/json', /^application\/[^;\s]+\+json(;|$)/];

const URL_ENCODED = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

/**
 * JSON sent with the content type of a form, which is the default of curl in PHP and of fetch. No field name begins like this.
 */
const JSON_AS_FORM = /^(\s|\+|%20)*([{[]|%7B|%5B)/i;

/** Maximum number of form fields, checked before a form is parsed. The longest documented request has 16 fields. */
export const MAX_FORM_FIELDS = 100;

/**
 * Length above which JSON bodies are parsed one at a time. Such bodies wait for each other, because parsing and measuring them
 * (or the document in them) takes at least a millisecond. Bodies that arrive at the same time therefore wait as unparsed bytes,
 * not as thousands of texts and trees.
 */
const COSTLY_BYTES = 1_000;

/**
 * Memory during parsing, as a multiple of the body size: the body text has up to two bytes per character, and the values are
 * parsed from it.
 */
const PARSING_TIMES = 6;
/** Memory of a V8 object or list, and of each of its values. */
const [OBJECT_BYTES, VALUE_BYTES] = [64, 16];
const OBJECTS = new Set(Buffer.from('{['));
const VALUES = new Set(Buffer.from(',:&'));

/** Returns an upper bound for the memory of the parsed values of a body; at least the size of the body. */
function valuesBytesOf(body: Buffer): number {
  let bytes = 0;
  for (const byte of body) bytes += OBJECTS.has(byte) ? OBJECT_BYTES : VALUES.has(byte) ? VALUE_BYTES : 0;
  return Math.max(bytes, body.length);
}

/** Parses a body when its turn comes, and counts the required memory. Throws OVERLOADED and the errors of the parser. */
async function parseCounted<T>(
  { held }: FastifyRequest,
  body: Buffer,
  host: Host,
  work: () => T | Promise<T>,
): Promise<T> {
  if (body.length > COSTLY_BYTES) await ownTurn(host);
  const bytes = body.length * (PARSING_TIMES - 1);
  held?.take(bytes);
  try {
    return await work();
  } finally {
    held?.note(valuesBytesOf(body) - body.length - bytes);
  }
}

/**
 * Parses JSON bodies in UTF-8 with Fastify's parser, which guards against `__proto__`. Throws MALFORMED_REQUEST and
 * UNSUPPORTED_MEDIA_TYPE.
 */
export function mountJsonBodies(app: FastifyInstance, host: Host): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  /** Returns the parsed value. The parser calls back synchronously. */
  const valueOf = (request: FastifyRequest, text: string): unknown => {
    // the parser would remove a second byte order mark, but other code that reads the text would not
    if (text.startsWith('\ufeff')) throw new AppError('MALFORMED_REQUEST');
    let result: { error: Error | null; value?: unknown } | undefined;
    void parse(request, text, (error, value) => (result = { error, value }));
    if (result!.error) throw isJson(text) ? new AppError('MALFORMED_REQUEST', { message: UNSAFE_NAME }) : result!.error;
    return result!.value;
  };
  app.removeContentTypeParser(['application/json', 'text/plain']);
  for (const type of JSON_TYPES)
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0 && request.routeOptions.config.bodyMayBeEmpty) return undefined;
      return parseCounted(request, body, host, () => {
        const text = textOf(request, body);
        const value = valueOf(request, text);
        const { alsoNumbers = {}, movesMoney } = request.routeOptions.config;
        numbersAsText(value, text, alsoNumbers);
        if (movesMoney) request.ambiguous = ambiguousNames(text);
        return value;
      });
    });
}

const UNSAFE_NAME =
  'The request body has a field with the name `__proto__`, or `prototype` inside `constructor`. Remove the field.';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the value is a safe positive integer and its JSON source contains only digits. */
const isPlain = (value: unknown, source: string): boolean =>
  Number.isSafeInteger(value) && (value as number) > 0 && /^\d+$/.test(source);

/** Converts numbers in these fields to text. Numbers written as `1e3` or `1000.0` are not converted and therefore rejected. */
function numbersAsText(body: unknown, json: string, fields: Readonly<Record<string, RestField['alsoNumber']>>): void {
  if (typeof body !== 'object' || body === null) return;
  const values = body as Record<string, unknown>;
  const names = Object.keys(fields).filter((name) => {
    const condition = fields[name];
    if (typeof values[name] !== 'number' || condition === undefined) return false;
    if (condition === true) return true;
    const other = values[condition.where];
    return typeof other === 'string' && other.trim().toLowerCase() === condition.is;
  });
  if (names.length === 0) return;
  const sources = new Map<object, Map<string, string>>();
  const root: unknown = JSON.parse(
    json,
    function (this: object, name: string, value: unknown, details?: { source?: string }) {
      if (typeof value === 'number' && names.includes(name) && details?.source !== undefined)
        sources.set(this, (sources.get(this) ?? new Map<string, string>()).set(name, details.source));
      return value;
    },
  );
  for (const [name, source] of sources.get(root as object) ?? [])
    if (isPlain(values[name], source)) values[name] = source;
}

/**
 * Parses forms like PHP. Every field is text. If a field that is not a list is repeated, the last value is used (see
 * `ambiguous`). `a[]` is a list. Files are rejected. Throws MALFORMED_REQUEST and UNSUPPORTED_MEDIA_TYPE.
 */
export function mountFormBodies(app: FastifyInstance, host: Host): void {
  app.addContentTypeParser(URL_ENCODED, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseCounted(request, body, host, () => {
      const text = textOf(request, body);
      if (JSON_AS_FORM.test(text))
        throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
          message: 'The body appears to be JSON. Send Content-Type: application/json.',
        });
      return formOf(urlEncodedEntries(text), request);
    }),
  );
  app.addContentTypeParser(MULTIPART, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseCounted(request, body, host, async () => formOf(await multipartEntries(request, body), request)),
  );
}

const CONFLICTING_VALUES: RejectedField = {
  rule: 'ITEMS',
  message: 'Must not be sent more than once with different values.',
};

/** Returns the fields of a route that a body contains more than once with different values. None of the values is used. */
export const rejectedFieldsOf = (
  { ambiguous = [] }: FastifyRequest,
  fields: object,
): ReadonlyMap<string, RejectedField> =>
  new Map(ambiguous.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, CONFLICTING_VALUES]));

export function rejectCompressed(headers: FastifyRequest['headers']): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Compressed bodies are not supported. Send the body without Content-Encoding.',
    });
}

function textOf({ headers }: FastifyRequest, body: Buffer): string {
  rejectCompressed(headers);
  const text = decodeUtf8(body);
  if (text === undefined) throw new AppError('MALFORMED_REQUEST', { message: 'The request body is not UTF-8.' });
  return text;
}

function urlEncodedEntries(text: string): [name: string, value: string][] {
  const pairs = text.split('&', MAX_FORM_FIELDS + 1);
  if (pairs.length > MAX_FORM_FIELDS) throw tooManyFields();
  for (const pair of pairs)
    if (decodePercent(pair) === undefined) {
      // an unusual name may contain sensitive data, which an error must not show
      const [, name] = /^([a-z_]{1,40})=/i.exec(pair) ?? [];
      throw new AppError('MALFORMED_REQUEST', {
        message: `${name === undefined ? 'The form' : `The form field "${name}"`} is not percent-encoded UTF-8.`,
      });
    }
  return [...new URLSearchParams(text)];
}

async function multipartEntries(request: FastifyRequest, body: Buffer): Promise<[name: string, value: string][]> {
  const form = await formDataOf(request, body);
  const entries = [...form].map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value];
    throw new AppError('MALFORMED_REQUEST', {
      message: `The form field "${shortened(name)}" must be text, not a file.`,
    });
  });
  if (entries.length > MAX_FORM_FIELDS) throw tooManyFields();
  // runs after the check for files, which may be binary
  const text = textOf(request, body);
  // replacement characters of a base64 part would make different texts identical
  if (!text.includes('\ufffd') && entries.some(([, value]) => value.includes('\ufffd')))
    throw new AppError('MALFORMED_REQUEST', { message: 'The request body is not UTF-8.' });
  return entries;
}

async function formDataOf({ headers }: FastifyRequest, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
  } catch (cause) {
    throw new AppError('MALFORMED_REQUEST', { message: 'The form could not be read.', cause });
  }
}

function formOf(
  entries: readonly (readonly [name: string, value: string])[],
  request: FastifyRequest,
): Record<string, unknown> {
  const { lists = [], movesMoney } = request.routeOptions.config;
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const bracket = name.indexOf('[');
    const plain = bracket > 0 ? name.slice(0, bracket) : name;
    // if the field is not a list, the list is rejected together with the other problems of the field
    if (bracket > 0 || lists.includes(name))
      fields.set(plain, [...((fields.get(plain) as string[] | undefined) ?? []), ...value.split(',')]);
    else fields.set(name, value);
  }
  if (movesMoney)
    request.ambiguous = conflictingNames(
      entries.map(([name, value]) => {
        const [base, bracket] = name.split(/(?=\[)/, 2) as [string, string?];
        return [base, bracket === undefined ? value : `${bracket}${value}`];
      }),
    );
  return Object.fromEntries(fields);
}

const tooManyFields = (): AppError =>
  new AppError('MALFORMED_REQUEST', { message: `The form has more than ${MAX_FORM_FIELDS} fields.` });

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Returns the names that a JSON object contains more than once with different values. Parsers differ in which value they use, so
 * a filter in front of this service may have checked a different value. Names are compared after unescaping: `"amo\u0075nt"` is
 * `amount`.
 * @param json valid JSON
 */
export function ambiguousNames(json: string): string[] {
  const values: [name: string, value: string][] = [];
  let depth = 0;
  let name: string | undefined;
  let valueStart = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 0 && token !== '{') return [];
    if (depth === 1 && name === undefined && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (depth === 1 && token === ':') valueStart = index + 1;
    else if (depth === 1 && name !== undefined && (token === ',' || token === '}')) {
      values.push([name, json.slice(valueStart, index)]);
      name = undefined;
    }
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return conflictingNames(values, (value) => JSON.stringify(JSON.parse(value)));
}

/** Returns the names with different values. */
function conflictingNames(
  entries: Iterable<readonly [name: string, value: string]>,
  normalize: (value: string) => string = (value) => value,
): string[] {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const [name, value] of entries) {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, value);
    else if (earlier !== value && normalize(earlier) !== normalize(value)) found.add(name);
  }
  return [...found];
}
