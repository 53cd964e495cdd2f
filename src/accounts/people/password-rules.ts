import { fieldError } from '../../core/errors.js';

/** Product names, which attackers try first. */
const PRODUCT_WORDS = ['recharge', 'gateway', 'recharge gateway'] as const;

/** Number of other characters that do not make a common password strong: "password2026!" is as weak as "password". */
const MOST_ADDED = 6;
const LEAST_DISTINCT = 5;
/** Minimum number of characters that are not part of a known word. */
const LEAST_OWN = 8;
const SHORTEST_WORD = 4;
/** Keyboard rows and character sequences. */
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [
  row,
  [...row].toReversed().join(''),
]);
const SHORTEST_RUN = 4;

const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

let common: Promise<ReadonlySet<string>> | undefined;

/** Returns leaked passwords by frequency. They are loaded with the first new password, because most processes never set one. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common/dist/passwords.json.mjs').then((list) => new Set(list.default)));

/**
 * Checks that a new password is not common or leaked, and does not consist of known data about its user. `words` contains the
 * names and addresses of the user and the account. Takes less than a millisecond for any input. Throws VALIDATION_FAILED for the
 * field.
 */
export async function requireGoodPassword(
  path: string,
  password: string,
  words: readonly (string | null | undefined)[],
): Promise<void> {
  const text = password.normalize('NFKC').toLowerCase();
  if (isCommon(text, await commonPasswords()))
    throw fieldError(path, 'PATTERN', 'This password is too common. Enter a password that is hard to guess.');
  if (isContextual(text, words))
    throw fieldError(
      path,
      'PATTERN',
      'Enter a password that does not consist of your name, your email address, your company or this product.',
    );
}

/** Replaces digits and symbols that stand for letters: "P@ssw0rd" → "password". */
const unleet = (text: string): string => text.replace(/[@431!0$57]/g, (character) => LEET[character]!);

function isCommon(text: string, list: ReadonlySet<string>): boolean {
  const listed = (word: string): boolean => list.has(word) || list.has(unleet(word));
  if (new Set(text).size < LEAST_DISTINCT) return true;
  // removes digits, years and punctuation around the letters
  const stem = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isPadded = stem.length >= SHORTEST_WORD && text.length - stem.length <= MOST_ADDED;
  const unit = repeatedUnit(text);
  return listed(text) || (isPadded && listed(stem)) || unit !== undefined || withoutRuns(text).length < LEAST_DISTINCT;
}

/** Returns the shortest unit that a text repeats: "password" for "passwordpassword". */
function repeatedUnit(text: string): string | undefined {
  const at = (text + text).indexOf(text, 1);
  return at < text.length ? text.slice(0, at) : undefined;
}

/** Removes sequences such as "1234", "cba" and "qwerty". */
function withoutRuns(text: string): string {
  let left = '';
  for (let at = 0; at < text.length; ) {
    let length = 1;
    while (at + length < text.length && ROWS.some((row) => row.includes(text.slice(at, at + length + 1)))) length++;
    if (length < SHORTEST_RUN) left += text.slice(at, at + length);
    at += length;
  }
  return left;
}

function isContextual(text: string, given: readonly (string | null | undefined)[]): boolean {
  const words = [...given, ...PRODUCT_WORDS]
    .flatMap((word) => [word ?? '', ...(word ?? '').split(/[^\p{L}\p{N}]+/u)])
    .map((word) => word.normalize('NFKC').toLowerCase().trim())
    .filter((word) => word.length >= SHORTEST_WORD)
    // the longest word comes first, so that a shorter word does not leave a part of a longer one
    .toSorted((one, other) => other.length - one.length);
  return [text, unleet(text)].some((shape) => {
    const rest = words.reduce((left, word) => left.replaceAll(word, ' '), shape);
    return rest !== shape && rest.replace(/[^\p{L}\p{N}]|(?:19|20)\d\d/gu, '').length < LEAST_OWN;
  });
}
