import { escape } from '../pages/html.js';

/** Kind of a code token. It is used as the CSS class of the token as well. */
type Part = 'comment' | 'string' | 'number' | 'keyword' | 'name';
type Grammar = readonly (readonly [Part, string])[];

const DOUBLE_QUOTED = String.raw`"(?:\\.|[^"\\])*"`;
const SINGLE_QUOTED = String.raw`'(?:\\.|[^'\\])*'`;
const NUMBER = String.raw`\b\d[\d_]*(?:\.\d+)?\b`;
const words = (list: string): string => String.raw`\b(?:${list.replaceAll(' ', '|')})\b`;

const script: Grammar = [
  ['comment', String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`],
  ['string', `${DOUBLE_QUOTED}|${SINGLE_QUOTED}|` + String.raw`\x60(?:\\.|[^\x60\\])*\x60`],
  [
    'keyword',
    words(
      'async await break case catch class const default else export false finally for from function if import in let new null of return switch throw true try typeof undefined while',
    ),
  ],
  ['number', NUMBER],
];

const php: Grammar = [
  ['comment', String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`],
  ['string', `${DOUBLE_QUOTED}|${SINGLE_QUOTED}`],
  ['name', String.raw`\$\w+`],
  [
    'keyword',
    words(
      'array as bool break case catch class const default echo else false fn foreach function if int new null require return static string switch throw true try use while',
    ),
  ],
  ['number', NUMBER],
];

const python: Grammar = [
  ['comment', String.raw`#[^\n]*`],
  ['string', `[bf]?(?:${DOUBLE_QUOTED}|${SINGLE_QUOTED})`],
  [
    'keyword',
    words('and any as assert def elif else except False for from if import in is lambda None not or return True with'),
  ],
  ['number', NUMBER],
];

const json: Grammar = [
  ['name', String.raw`${DOUBLE_QUOTED}(?=\s*:)`],
  ['string', DOUBLE_QUOTED],
  ['keyword', words('true false null')],
  ['number', NUMBER],
];

const graphql: Grammar = [
  ['comment', String.raw`#[^\n]*`],
  ['string', DOUBLE_QUOTED],
  ['keyword', words('enum fragment input mutation on query subscription type true false null')],
  ['name', String.raw`\$\w+|@\w+`],
  ['number', NUMBER],
];

const shell: Grammar = [
  ['comment', String.raw`(?<=^|\s)#[^\n]*`],
  // single-quoted strings have no escapes
  ['string', String.raw`${DOUBLE_QUOTED}|'[^']*'`],
  ['name', String.raw`\$\w+|\$\{\w+\}|(?<=^|\s)[A-Z_]+(?==)`],
  ['keyword', String.raw`(?<=^|[|(]\s*)(?:curl|echo|node|sed|date|openssl)\b`],
];

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  graphql,
  js: script,
  json,
  php,
  python,
  sh: shell,
  ts: script,
};

const compiled = new Map<string, { pattern: RegExp; parts: readonly Part[] }>();

function grammarOf(language: string): { pattern: RegExp; parts: readonly Part[] } | undefined {
  const grammar = GRAMMARS[language];
  if (!grammar) return undefined;
  let made = compiled.get(language);
  if (!made) {
    const pattern = new RegExp(grammar.map(([, source]) => `(${source})`).join('|'), 'gm');
    compiled.set(language, (made = { pattern, parts: grammar.map(([part]) => part) }));
  }
  return made;
}

/** Returns code as HTML with a CSS class for each highlighted token. Code in a language without a grammar is only escaped. */
export function highlighted(code: string, language: string): string {
  const grammar = grammarOf(language);
  if (!grammar) return escape(code);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(grammar.pattern)) {
    const part = grammar.parts[match.slice(1).findIndex((group) => group !== undefined)]!;
    html += `${escape(code.slice(end, match.index))}<span class="${part}">${escape(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escape(code.slice(end));
}
