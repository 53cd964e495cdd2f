import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../../core/addresses.js';
import { AppError } from '../../core/errors.js';
import { type TraceParent, traceParentOf } from '../../core/scope.js';

/**
 * Returns the request URL with a normalized path: double slashes (from a base URL that ends in "/") and a trailing slash are
 * removed. The query is kept, and so are targets that are not paths, such as "*".
 */
export function plainUrl(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.startsWith('/')) return url;
  const plain = path.replace(/\/{2,}/g, '/');
  return (plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain) + url.slice(path.length);
}

/** Returns the client address as reported by the trusted proxies. Text that is not an address cannot come from a proxy. */
export const clientAddress = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip;

export const clientAddressKey = (request: FastifyRequest): string => addressKey(clientAddress(request));

const AGENT_LENGTH = 200;
/** Returns the User-Agent of the caller on one line. It cannot be trusted. */
export const agentOf = ({ 'user-agent': agent }: IncomingHttpHeaders): string | undefined =>
  agent?.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, AGENT_LENGTH);

/** Identifiers that the caller sent with a request. */
export interface Correlation {
  /** ID in the `X-Request-Id` header. */
  correlationId: string | undefined;
  trace: TraceParent | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/=+-]{0,127}$/;
/** Matches a number with the length of a phone or card number, which is not accepted as an ID. */
const NUMBER = /^\+?\d([ .-]?\d){7,18}$/;
const NO_CORRELATION: Correlation = { correlationId: undefined, trace: undefined };

/**
 * Returns the identifiers that the caller sent with its request. Anyone can set these headers, even through a trusted proxy.
 * Therefore, the audit log uses our own request ID, and the ID of the caller is recorded in addition. Text that does not look
 * like an ID is ignored.
 */
export function correlationOf({ headers }: Pick<FastifyRequest, 'headers'>): Correlation {
  const { 'x-request-id': id, traceparent } = headers;
  if (id === undefined && traceparent === undefined) return NO_CORRELATION;
  const isUsable = typeof id === 'string' && ID.test(id) && !NUMBER.test(id);
  return { correlationId: isUsable ? id : undefined, trace: traceParentOf(traceparent) };
}

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i;

/**
 * Returns the first `wait` of a Prefer header (RFC 7240), in seconds. Other preferences are ignored, as the standard requires.
 */
export function preferredWaitS({ prefer }: IncomingHttpHeaders): number | undefined {
  const [, seconds] = WAIT.exec([prefer ?? ''].flat().join(',')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes UTF-8. Returns undefined if the bytes are not UTF-8, because replacement characters would make different texts
 * identical.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Headers that must have a single value. If a header had two values, a proxy and this service could use different ones. */
const SINGLE_HEADERS = new Set(['host', 'authorization', 'content-type', 'idempotency-key']);
/** Lengths of the header names, which quickly exclude most other headers. */
const LENGTHS = new Set([...SINGLE_HEADERS].map(({ length }) => length));

/**
 * Merges identical values of a repeated header. Throws MALFORMED_REQUEST if a header has different values (the error names the
 * header) or if the URL contains a different host.
 */
export function readSingleHeaders({ raw, originalUrl }: FastifyRequest): void {
  const { headers, rawHeaders } = raw;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    if (!LENGTHS.has(rawHeaders[n]!.length)) continue;
    const name = rawHeaders[n]!.toLowerCase();
    // Node keeps the first value of a repeated header, or joins the values
    if (SINGLE_HEADERS.has(name) && headers[name] !== rawHeaders[n + 1])
      headers[name] = singleValueOf(rawHeaders[n]!, rawHeaders);
  }
  if (headers.host === undefined && raw.httpVersion !== '1.0')
    throw new AppError('MALFORMED_REQUEST', { message: 'The Host header is missing.' });
  const target = originalUrl.startsWith('/') ? undefined : URL.parse(originalUrl)?.host;
  if (target && target !== URL.parse(`http://${headers.host}`)?.host)
    throw new AppError('MALFORMED_REQUEST', { message: 'The URL and the Host header contain different hosts.' });
}

function singleValueOf(headerName: string, rawHeaders: readonly string[]): string {
  const name = headerName.toLowerCase();
  const values = rawHeaders.filter((_value, n) => n % 2 === 1 && rawHeaders[n - 1]!.toLowerCase() === name);
  const [first] = values as [string];
  if (values.every((value) => normalizedValue(name, value) === normalizedValue(name, first))) return first;
  throw new AppError('MALFORMED_REQUEST', {
    message: `The header ${headerName} was sent more than once with different values.`,
  });
}

const normalizedValue = (name: string, value: string): string => (name === 'idempotency-key' ? keyIn(value) : value);

/** Quoted value, as in the IETF draft for Idempotency-Key: a String of RFC 9651. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

const unquoted = (text: string): string => QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? text;

/**
 * Returns the key in an unquoted header. Proxies join repeated headers with commas, so identical keys separated by commas are
 * one key.
 */
function keyIn(line: string): string {
  if (QUOTED.test(line)) return unquoted(line);
  const [key, ...others] = line.split(',').map((part) => unquoted(part.trim()));
  return others.length > 0 && others.every((other) => other === key) ? key! : unquoted(line);
}

/**
 * Returns the key in the Idempotency-Key header. Bytes that are not UTF-8 are returned as bytes, which no rule accepts as text.
 */
export function headerKeyOf({ 'idempotency-key': line }: IncomingHttpHeaders): string | Uint8Array | undefined {
  if (typeof line !== 'string') return undefined;
  const bytes = Buffer.from(keyIn(line), 'latin1');
  return decodeUtf8(bytes) ?? bytes;
}

/** Names that other APIs use for this header. */
const LIKE_KEY_HEADERS = ['X-Idempotency-Key', 'Idempotent-Key', 'X-Idempotent-Key', 'X-Client-Request-Id'];
const LIKE_KEY_NAMES = LIKE_KEY_HEADERS.map((name) => name.toLowerCase());

export const likeKeyHeadersOf = (headers: IncomingHttpHeaders): string[] =>
  LIKE_KEY_HEADERS.filter((_name, n) => headers[LIKE_KEY_NAMES[n]!] !== undefined);

/** Decodes a percent-encoded text. A lone "%" is kept. Returns undefined if the text is not UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return undefined;
  }
}

/** Checks that the query is UTF-8. Throws MALFORMED_REQUEST. The error names the parameter if it belongs to the route. */
export function assertUtf8Query({ url }: FastifyRequest, known: () => Iterable<string>): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  for (const pair of url.slice(start + 1).split('&')) {
    // non-ASCII bytes are not allowed in a URL and have no defined meaning
    if (/^[\x20-\x7e]*$/.test(pair) && decodePercent(pair) !== undefined) continue;
    const name = [...known()].find((field) => pair.startsWith(`${field}=`));
    throw new AppError('MALFORMED_REQUEST', {
      message: `${name === undefined ? 'The query' : `The query parameter "${name}"`} is not percent-encoded UTF-8.`,
    });
  }
}
