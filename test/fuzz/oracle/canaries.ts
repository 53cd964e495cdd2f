/**
 * Values that generators use as secrets and personal data of callers. One pattern recognizes all of each kind, so that whole logs
 * can be searched at once.
 */
export const CANARY = 'cnry7f3a';

export const canaries = {
  secret: `sk_uat_${CANARY}-secret`,
  password: `${CANARY} long password`,
  token: `at_live_${CANARY}${'x'.repeat(36)}`,
  email: (unique: string): string => `${CANARY}-${unique}@personal.example`,
  pan: 'QZXCN4821K',
  mobile: (lastDigits: string): string => `91827364${lastDigits}`,
  cardNumbers: ['4111111111111111', '5500005555555559', '4111 1111 1111 1111', '4111-1111-1111-1111'],
} as const;

const PERSONAL = [CANARY, 'QZXCN4821K', '91827364\\d\\d', '4111[ -]?1111[ -]?1111[ -]?1111', '5500005555555559'];

/** Signs of internal details: stacks, files, SQL. */
const INSIDE = [
  'node_modules',
  '\\bat [\\w.<>]+ \\(',
  '\\.[jt]s:\\d+',
  'file:///',
  '\\bselect \\* from\\b',
  '\\binsert into\\b',
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'i');

export interface Leaks {
  /** Searches an error response. */
  inErrorResponse(text: string): string | undefined;
  /** Searches any response. A success may return an ID sent by the caller, but never a secret of the stage. */
  inResponse(text: string): string | undefined;
  inLog(text: string): string | undefined;
}

/** `known`: the secrets of the stage, which must never appear. */
export function leakSearch(secrets: readonly string[]): Leaks {
  const own = secrets.map(escaped);
  const errorResponse = anyOf([...PERSONAL, ...own, ...INSIDE]);
  const response = anyOf(own);
  const log = anyOf([...PERSONAL, ...own]);
  const find = (pattern: RegExp) => (text: string) => pattern.exec(text)?.[0];
  return { inErrorResponse: find(errorResponse), inResponse: find(response), inLog: find(log) };
}
