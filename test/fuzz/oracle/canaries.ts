/**
 * What generators put where a caller puts secrets and personal data. Each kind can be recognised by one pattern, so that whole
 * logs are searched at once.
 */
export const CANARY = 'cnry7f3a';

export const canaries = {
  secret: `sk_uat_${CANARY}-secret`,
  password: `${CANARY} long password`,
  token: `at_live_${CANARY}${'x'.repeat(36)}`,
  email: (unique: string): string => `${CANARY}-${unique}@personal.example`,
  pan: 'QZXCN4821K',
  mobile: (lastTwo: string): string => `91827364${lastTwo}`,
  cardNumbers: ['4111111111111111', '5500005555555559', '4111 1111 1111 1111', '4111-1111-1111-1111'],
} as const;

const PERSONAL = [CANARY, 'QZXCN4821K', '91827364\\d\\d', '4111[ -]?1111[ -]?1111[ -]?1111', '5500005555555559'];

/** Marks of the inside of the service: stacks, files, SQL. */
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
  /** In an answer that refuses. */
  inRefusal(text: string): string | undefined;
  /** In an answer of any kind: what callers sent as an id comes back in a success, the stage's own secrets never do. */
  inAnswer(text: string): string | undefined;
  inLog(text: string): string | undefined;
}

/** `known`: the stage's own secrets, which nobody may ever see again. */
export function leakSearch(known: readonly string[]): Leaks {
  const own = known.map(escaped);
  const refusal = anyOf([...PERSONAL, ...own, ...INSIDE]);
  const answer = anyOf(own);
  const log = anyOf([...PERSONAL, ...own]);
  const find = (pattern: RegExp) => (text: string) => pattern.exec(text)?.[0];
  return { inRefusal: find(refusal), inAnswer: find(answer), inLog: find(log) };
}
