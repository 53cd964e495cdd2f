import type { GraphQLFormattedError } from 'graphql';
import { DOCUMENT_LIMITS } from './size.js';

/** Token kinds of the engine as words. Punctuators are quoted and shown unchanged, because they are not values. */
const KINDS: Readonly<Record<string, string>> = {
  Name: 'a name',
  Int: 'a whole number',
  Float: 'a number',
  String: 'a string',
  BlockString: 'a string',
  '<EOF>': 'the end of the document',
};
const SIGN = String.raw`"(?:[!$&()[\]:=@{|}]|\.\.\.)"`;
const FOUND = `(${SIGN}|${Object.keys(KINDS).join('|')})`;
/**
 * Matches messages of the engine. The value of the found token follows and is not read. An expected word is a keyword of the
 * language.
 */
const EXPECTED = new RegExp(
  `^Syntax Error: Expected (${SIGN}|"[a-z]{1,12}"|${Object.keys(KINDS).join('|')}), found ${FOUND}`,
);
const UNEXPECTED = new RegExp(`^Syntax Error: Unexpected ${FOUND}`);
const UNTERMINATED = 'Syntax Error: Unterminated string';
const SINGLE_QUOTE = "Syntax Error: Unexpected single quote character (')";

const inWords = (token: string): string => KINDS[token] ?? token;

/**
 * Returns the location and kind of a syntax error. Omits the parts of the document that the engine quotes, because they can
 * contain a secret.
 */
export function syntaxMessage({ message, locations }: Pick<GraphQLFormattedError, 'message' | 'locations'>): string {
  if (message.includes('tokens. Parsing aborted'))
    return `The document has too many tokens. The maximum is ${DOCUMENT_LIMITS.tokens}.`;
  const [location] = locations ?? [];
  return location
    ? `Syntax error at line ${location.line}, column ${location.column}${syntaxProblem(message)}.`
    : 'Syntax error.';
}

/**
 * Returns the syntax problem after a colon. It contains only token kinds, never values, and is empty if the problem is unknown.
 */
function syntaxProblem(message: string): string {
  if (message.startsWith(UNTERMINATED)) return ': string without a closing quote';
  if (message.startsWith(SINGLE_QUOTE)) return ': strings require double quotes';
  const [, expected, found] = EXPECTED.exec(message) ?? [];
  if (expected !== undefined) return `: expected ${inWords(expected)}, found ${inWords(found!)}`;
  const [, unexpected] = UNEXPECTED.exec(message) ?? [];
  return unexpected === undefined ? '' : `: unexpected ${inWords(unexpected)}`;
}
