// `npm run check:words`: documents and comments, by the terms of test/words/rules.mjs, write-good and a spelling checker.
// Arguments are files to read instead of all. Prints each complaint with its place and ends with 1.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { spellCheckDocument } from 'cspell-lib';
import writeGood from 'textlint-rule-write-good';
import { quoted } from '../../words/quoted.mjs';
import { commentsOf, filesToRead } from './sources.mjs';
import { standardTerms } from './standard-terms.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const words = readFileSync(new URL('words.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);

const kernel = new TextlintKernel();
const options = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
  rules: [
    { ruleId: 'standard terms', rule: standardTerms },
    {
      ruleId: 'write-good',
      rule: writeGood.default ?? writeGood,
      // the others complain of normal technical sentences, such as one in the passive voice
      options: {
        passive: false,
        weasel: false,
        adverb: false,
        tooWordy: false,
        thereIs: false,
        eprime: false,
        so: false,
      },
    },
  ],
};

const spelling = {
  version: '0.2',
  language: 'en-US',
  words,
  allowCompoundWords: true,
  caseSensitive: false,
  dictionaries: [
    'softwareTerms',
    'typescript',
    'node',
    'sql',
    'companies',
    'html',
    'css',
    'bash',
    'k8s',
    'docker',
    'networking-terms',
    'cryptocurrencies',
    'fonts',
  ],
  // code, addresses and names are no prose
  ignoreRegExpList: [
    '/```[\\s\\S]*?```/g',
    '/`[^`]*`/g',
    '/\\bhttps?:\\S+/g',
    '/\\]\\([^)]*\\)/g',
    '/^\\[[^\\]]+\\]:.*$/gm',
    '/\\b\\w*[_\\d/.]\\w*\\b/g',
    '/\\b\\w+[A-Z]\\w*\\b/g',
    '/<[^>]*>/g',
  ],
};

const isRepeated = (line, message) => {
  const [, word] = /^"(\w+)"/.exec(message);
  return new RegExp(`\\b${word}\\s+${word}\\b`, 'i').test(line);
};

/** Complaints about one file: [line, what]. */
async function complaintsOf(file) {
  const source = readFileSync(path.resolve(root, file), 'utf8');
  const text = file.endsWith('.md') ? source : commentsOf(file, source);
  if (!/[a-z]/i.test(text)) return [];
  const { messages } = await kernel.lintText(text, { ...options, filePath: file });
  const { issues } = await spellCheckDocument(
    { uri: `file://${path.join('/', file)}.md`, text, languageId: 'markdown' },
    { noConfigSearch: true, generateSuggestions: false },
    spelling,
  );
  const lines = text.split('\n');
  return [
    // a word may end one comment and begin the next
    ...messages
      .filter(({ line, message }) => !/^"(\w+)" is repeated/.test(message) || isRepeated(lines[line - 1], message))
      .map(({ line, message }) => [line, message]),
    ...issues.map(({ text: word, offset }) => [
      text.slice(0, offset).split('\n').length,
      `"${word}" is in no dictionary`,
    ]),
  ].filter(([line, what]) => !quoted.some(([part, word]) => what.includes(word) && lines[line - 1].includes(part)));
}

let total = 0;
for (const file of process.argv.length > 2 ? process.argv.slice(2) : filesToRead(root)) {
  for (const [line, what] of await complaintsOf(file)) {
    console.error(`${file}:${line}: ${what}`);
    total++;
  }
}
if (total > 0) {
  console.error(`${total} complaints. Words of the product are in test/tools/words/words.txt.`);
  process.exitCode = 1;
}
