import type { FuzzCase, HostName } from '../case.js';
import { hostNames } from '../case.js';
import { canaries } from '../oracle/canaries.js';
import type { Draw } from './draw.js';
import { headersOf, roughBody } from './envelope.js';
import { hostileText, jsonObject, mobile } from './values.js';

const days: readonly string[] = [
  '2026-01-01',
  '2026-01-31',
  '2025-12-01',
  '0001-01-01',
  '9999-12-31',
  '2000-01-01',
  '2100-12-31',
  '2024-02-29',
  '2023-02-29',
  '2026-1-1',
  '+010000-01-01',
  '',
  '2026-01-01T00:00:00Z',
];

/** The statement as a file, with valid and invalid ranges. */
export function downloadCase(draw: Draw): FuzzCase {
  const host = draw.of<HostName>(['uat', 'production']);
  const parameter = (name: string): string =>
    draw.chance(5)
      ? ''
      : `${name}=${encodeURIComponent(draw.chance(10) ? hostileText(draw).toWellFormed().slice(0, 500) : draw.of(days))}`;
  const query = [parameter('from'), parameter('to'), draw.chance(10) ? 'from=x' : ''].filter(Boolean).join('&');
  return {
    kind: 'statement CSV',
    host,
    method: 'GET',
    path: `/api/v1/wallet/statement.csv?${query}`,
    headers: headersOf(draw, host, false),
  };
}

/** A callback of a provider, or of an attacker in its name. */
export function callbackCase(draw: Draw): FuzzCase {
  const host: HostName = draw.chance(5) ? 'uat' : 'production';
  const provider = draw.chance(90)
    ? 'roundpay'
    : draw.of(['mokshiq', '__proto__', 'constructor', '', '%00', 'a'.repeat(300)]);
  const secret = draw.chance(70)
    ? '{{callbackSecret}}'
    : draw.of(['', 'wrong', canaries.secret, '{{callbackSecret}}x']);
  const text = (): string =>
    draw.chance(60) ? hostileText(draw).slice(0, 2_000) : draw.of(['{{order.reference}}', '1', 'SUCCESS']);
  const fields: [string, string][] = [
    ['status', draw.of(['SUCCESS', 'FAILED', 'PENDING', '1', '2', '3', text()])],
    ['AGENTID', draw.chance(50) ? '{{order.reference}}' : text()],
    ['opid', text()],
    ['account', mobile(draw)],
    ['amount', draw.of(['199', '-1', '1e9', text()])],
  ];
  const query = draw.chance(50)
    ? `?secret=${encodeURIComponent(secret).replaceAll('%7B', '{').replaceAll('%7D', '}')}`
    : '?';
  const form = fields.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  const headers = {
    ...(query === '?' ? { 'x-callback-secret': secret } : {}),
    'x-forwarded-for': `10.9.${draw.below(256)}.${draw.below(256)}`,
  };
  const base = { kind: 'callback', host, headers };
  if (draw.chance(50)) return { ...base, method: 'GET', path: `/callbacks/${provider}${query}&${form}` };
  const json = jsonObject(fields.map(([name, value]) => [name, JSON.stringify(value)]));
  const body = draw.chance(50) ? { body: draw.chance(50) ? json : form } : roughBody(draw, json);
  return {
    ...base,
    method: 'POST',
    path: `/callbacks/${provider}${query}`,
    headers: {
      ...headers,
      'content-type': draw.of(['application/json', 'application/x-www-form-urlencoded', 'text/xml']),
    },
    ...body,
  };
}

const paths: readonly string[] = [
  '/',
  '/graphql/',
  '/GRAPHQL',
  '/api',
  '/api/v1/',
  '/api/v1/recharge/',
  '/api/v1/Recharge',
  '/api/v1//recharge',
  '/api/v1/%72echarge',
  '/api/v1/recharge;a=b',
  '/api/v1/recharge%00',
  '/..%2f..%2fetc/passwd',
  '/%',
  '/%ff%fe',
  '/livez',
  '/readyz',
  '/version',
  '/docs',
  '/docs/errors',
  '/openapi.json',
  '/openapi-3.0.json',
  '/verify?token=abc',
  '/.well-known/security.txt',
  `/${'a'.repeat(5_000)}`,
  '/callbacks/',
  '/api/v1/wallet/statement.csv',
  '/console',
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Paths and methods that do not exist, or are nearly right. */
export function strayCase(draw: Draw): FuzzCase {
  const host = draw.of(hostNames);
  const method = draw.of(methods);
  const withBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) && draw.chance(60);
  return {
    kind: 'stray path',
    host,
    method,
    path: draw.of(paths),
    headers: headersOf(draw, host, withBody),
    ...(withBody ? { body: '{"a":1}' } : {}),
  };
}
