import { canaries } from '../oracle/canaries.js';
import type { Draw } from './draw.js';

const LONG = 'a'.repeat(60_000);
const BIDI = '\u202Ereversed\u202C';

/** Texts that some layer may not expect. JSON escapes them as necessary. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  'a\ud800@b.co',
  '\ufffd',
  BIDI,
  '\u200B\uFEFF',
  '\u2028\u2029',
  '👩‍👩‍👧‍👦',
  'क्ष\u200Dक्',
  'e\u0301',
  '\r\nX-Injected: 1',
  "'; drop table orders; --",
  '$1 ? :a %s {}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  'toString',
  '1e400',
  '-0',
  '0x10',
  '1_000',
  '１２３',
  '9'.repeat(400),
  'true',
  '[object Object]',
  '9999-12-31',
  '0001-01-01',
  '2024-02-30',
  'not-a-uuid',
  '-'.repeat(36),
  '%00',
  '%ff',
  'a b@c',
  '"a\nb"@c.co',
  'https://example.com/\u0000',
  'https://127.0.0.1:1/',
  'javascript:alert(1)',
  canaries.secret,
  canaries.password,
  canaries.token,
  canaries.pan,
  ...canaries.cardNumbers,
  canaries.mobile('55'),
  canaries.email('1'),
];

/** JSON texts of every kind except plain strings. */
const hostileJsonTexts: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1.005',
  '0.001',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '2147483648',
  `1${'0'.repeat(300)}`,
  '[]',
  '{}',
  '[null]',
  '[[[[[[[[[[1]]]]]]]]]]',
  '{"toString":1}',
  '{"toString":1,"valueOf":1}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"length":1e9}',
  '{"then":1}',
  '{"a":1,"a":2}',
  `[${'1,'.repeat(3_000)}1]`,
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
  '"199"',
  '" 199 "',
  '"1e2"',
  '"٣"',
];

export const hostileText = (draw: Draw): string =>
  draw.chance(1) ? LONG : draw.chance(15) ? `${draw.of(hostileTexts)}${draw.of(hostileTexts)}` : draw.of(hostileTexts);

/** The text of any JSON value. */
export const hostileJson = (draw: Draw): string =>
  draw.chance(45) ? JSON.stringify(hostileText(draw)) : draw.of(hostileJsonTexts);

/** The text of an object with its members in order. Names may be repeated, and values need not be JSON. */
export const jsonObject = (members: readonly (readonly [name: string, json: string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/** Mobile numbers. Those that script a provider are rare, because some of them make the caller wait. */
export const mobile = (draw: Draw): string =>
  draw.chance(2)
    ? `987654${draw.of(['0001', '0007', '0008', '0012', '0013', '0005', '0002'])}`
    : draw.chance(30)
      ? canaries.mobile(draw.digits(2))
      : `9${draw.digits(9)}`;
