import type { FuzzCase, HostName } from '../case.js';
import type { Draw } from './draw.js';

/** Callers: mostly the usual account, then accounts that lack a permission or money, then missing and invalid credentials. */
const apiTokens = ['owner', 'owner', 'owner', 'other', 'poor', 'bare', 'revoked'] as const;
const sessions = ['admin', 'admin-2', 'admin-3', 'support', 'developer', 'developer-2', 'developer-3'] as const;

const strangeAuthorizations: readonly string[] = [
  '',
  'Bearer',
  'Bearer  ',
  'Bearer undefined',
  'Basic {{token.owner-uat}}',
  'bearer {{token.owner-uat}}',
  'Bearer {{token.owner-uat}},Bearer {{token.other-uat}}',
  'Bearer {{token.owner-uat}}x',
  'Bearer {{token.admin}}',
  `Bearer at_live_cnry7f3a${'x'.repeat(36)}`,
  `Bearer ${'a'.repeat(2_000)}`,
  'Bearer \u00ff\u00fe',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
];

export function authorization(draw: Draw, host: HostName): Record<string, string> {
  if (draw.chance(4)) return {};
  if (draw.chance(4)) return { authorization: draw.of(strangeAuthorizations) };
  const name = host === 'console' ? draw.of(sessions) : `${draw.of(apiTokens)}-${host}`;
  return { authorization: `Bearer {{token.${name}}}` };
}

/** Headers that a client, a proxy or an attacker may add. */
const noise: readonly (readonly [string, string])[] = [
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-for', '2001:db8::1, 10.0.0.1'],
  ['x-forwarded-for', 'unknown, "[::1]:80", ,'],
  ['x-forwarded-for', '9'.repeat(500)],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-host', 'evil.example'],
  ['forwarded', 'for=1.2.3.4;host=evil.example'],
  ['x-request-id', 'mine'],
  ['host', 'evil.example'],
  ['host', ''],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['cookie', 'session={{token.admin}}; a=b; ;=;'],
  ['cookie', `session=${'%'.repeat(200)}`],
  ['accept', 'text/html'],
  ['accept', 'application/graphql-response+json'],
  ['accept', '*/*;q=0'],
  ['accept', ','.repeat(300)],
  ['accept-encoding', 'br;q=2, identity;q=0'],
  ['accept-language', '\u00e9'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, deflate'],
  ['content-language', 'hi'],
  ['range', 'bytes=0-1,5-'],
  ['if-none-match', '*'],
  ['if-match', '"x"'],
  ['referer', 'https://evil.example/?card=4111111111111111'],
  ['user-agent', ''],
  ['user-agent', "() { :; }; echo '{{token.admin}}'"],
  ['x-http-method-override', 'DELETE'],
  ['x-callback-secret', 'x'],
  ['apollo-require-preflight', 'true'],
  ['__proto__', 'x'],
  ['idempotency-key', '\u0001'.replace('\u0001', '~')],
];

const contentTypes: readonly string[] = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;',
  'application/graphql',
  'application/graphql+json',
  'application/problem+json',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'image/png',
  '/',
  'application/json, text/plain',
  'APPLICATION/JSON',
];

/** A different address for every case, so that limits by address rarely apply to the generator. */
const address = (draw: Draw): string => `10.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`;

/** Headers for a document whose text was changed, and whose response may therefore not state its cost. */
export function garbledHeaders(draw: Draw, host: HostName): Record<string, string> {
  const headers = headersOf(draw, host, true);
  const named = headers.authorization?.startsWith('Bearer {{token.') && host !== 'console';
  return named ? { ...headers, authorization: `Bearer {{token.garbled-${host}}}` } : headers;
}

export function headersOf(draw: Draw, host: HostName, withBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'x-forwarded-for': address(draw),
    ...(withBody ? { 'content-type': draw.chance(3) ? draw.of(contentTypes) : 'application/json' } : {}),
    ...authorization(draw, host),
  };
  if (draw.chance(12))
    for (let left = 1 + draw.below(3); left > 0; left--) {
      const [name, value] = draw.of(noise);
      headers[name] = value;
    }
  return headers;
}

/** The body as a careless or hostile client sends it: truncated, with bytes that are not UTF-8, or not JSON at all. */
export function roughBody(draw: Draw, body: string): Pick<FuzzCase, 'body' | 'bytes'> {
  const cut = draw.below(body.length + 1);
  switch (draw.below(7)) {
    case 0:
      return { body: body.slice(0, cut) };
    case 1:
      return {
        body: body.slice(0, cut) + draw.of(['"', '{', '}', ',', '\\', '\u0000', '\ufeff', '[']) + body.slice(cut),
      };
    case 2:
      return { bytes: withByte(body, cut, draw.of([0xe9, 0xe8, 0xff, 0xc0, 0xed, 0x80])) };
    case 3:
      return {
        body: draw.of(['', ' ', 'null', '[]', '""', '1', 'a=b&c=d', '\ufeff{}', '{}{}', "{'a':1}", '{"a":1,}', 'NaN']),
      };
    case 4:
      return { body: `[${body}]` };
    case 5:
      return { body: body.replace('{', `{${`"k":1,`.repeat(draw.of([3, 50, 3_000]))}`) };
    default:
      return { body: body.padEnd(draw.of([65_535, 65_536, 65_537, 80_000]), ' ') };
  }
}

function withByte(text: string, at: number, byte: number): string {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]).toString('base64');
}
