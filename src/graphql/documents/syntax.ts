import type { GraphQLFormattedError } from 'graphql';
import { DOCUMENT_LIMITS } from './size.js';

/** Kinds of tokens as the engine names them, in words. A sign stands in quotes, and is shown as it is: it is no value. */
const KINDS: Readonly<Record<string, string>> = {
  Name: 'a name',
  Int: 'a whole number',
  Float: 'a number',
  String: 'text',
  BlockString: 'text',
  '<EOF>': 'the end of the document',
};
const SIGN = String.raw`"(?:[!$&()[\]:=@{|}]|\.\.\.)"`;
const FOUND = `(${SIGN}|${Object.keys(KINDS).join('|')})`;
/** What the engine says: the value of what it found follows, and is not read. A word that it expects is one of the language. */
const EXPECTED = new RegExp(
  `^Syntax Error: Expected (${SIGN}|"[a-z]{1,12}"|${Object.keys(KINDS).join('|')}), found ${FOUND}`,
);
const UNEXPECTED = new RegExp(`^Syntax Error: Unexpected ${FOUND}`);
const UNTERMINATED = 'Syntax Error: Unterminated string';
const SINGLE_QUOTE = "Syntax Error: Unexpected single quote character (')";

const inWords = (token: string): string => KINDS[token] ?? token;

/** Where a document stops being one, and what is wrong there. Without what the engine quotes of it: it may hold a secret. */
export function syntaxMessage({ message, locations }: Pick<GraphQLFormattedError, 'message' | 'locations'>): string {
  if (message.includes('tokens. Parsing aborted'))
    return `The document has too many tokens: at most ${DOCUMENT_LIMITS.tokens} are allowed.`;
  const [at] = locations ?? [];
  return at ? `Syntax error at line ${at.line}, column ${at.column}${syntaxProblem(message)}.` : 'Syntax error.';
}

/** What is wrong with the syntax, behind a colon: kinds of tokens, never their values. Empty where nobody can say. */
function syntaxProblem(message: string): string {
  if (message.startsWith(UNTERMINATED)) return ': text without its closing quote';
  if (message.startsWith(SINGLE_QUOTE)) return ': text stands in double quotes';
  const [, wanted, found] = EXPECTED.exec(message) ?? [];
  if (wanted !== undefined) return `: expected ${inWords(wanted)}, found ${inWords(found!)}`;
  const [, unexpected] = UNEXPECTED.exec(message) ?? [];
  return unexpected === undefined ? '' : `: unexpected ${inWords(unexpected)}`;
}
