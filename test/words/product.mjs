// Part of `npm run check`: descriptions of both schemas, and every text in the code of the service and the portal, by the rules
// of rules.mjs. Prints each complaint with its place and ends with 1.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quoted } from './quoted.mjs';
import { FORBIDDEN_FIRST, judge, VERBS } from './rules.mjs';

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();
const read = (file) => readFileSync(file, 'utf8');

/** [place, text, type] of each description of a schema; type is the type whose field is described. */
function descriptionsOf(file) {
  const found = [];
  let [type, field, description] = ['', '', undefined];
  const token =
    /"""([\s\S]*?)"""|^(?:extend )?(?:type|input|enum|interface|union|scalar|directive) (@?\w+)|^( +)(\w+)(?=[(:]|\s*(?:@|$))/gm;
  for (const [, text, ofType, indent, name] of read(file).matchAll(token)) {
    if (text !== undefined) {
      description = oneLine(text);
      continue;
    }
    if (ofType) [type, field] = [ofType, ''];
    else if (indent.length === 2) field = name;
    const isArgument = !ofType && indent.length > 2;
    const place = ofType ? type : `${type}.${field}${isArgument ? `(${name})` : ''}`;
    if (description)
      found.push({ place, text: description, isMutation: type === 'Mutation' && !ofType && !isArgument });
    description = undefined;
  }
  return found;
}

function complaintsOf({ text, isMutation }) {
  const first = text.split(/\s/, 1)[0].toLowerCase();
  return [
    ...judge(text, { product: true }),
    ...(FORBIDDEN_FIRST.test(text) ? [`begins with "${first}": begin with a noun or a verb`] : []),
    ...(isMutation && !VERBS.has(first) ? [`begins with "${first}": begin with a verb, such as "Creates"`] : []),
  ];
}

const filesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/generated|simulator|samples\//.test(file))
    .toSorted();

const LITERAL = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const CODE =
  /\b(?:select|insert into|update|delete from|with|where|from|join|order by|returning|create|grant|values)\b[\s\S]*\b(?:from|set|values|where|as|on|select|into|to|by)\b.*[=(,$"]|^\s*[{(]|\b(?:query|mutation|fragment|subscription)\b[^.]*\{|=>|[;{]\s*$|\{ \w+|\bany\(|\bid [<>]|as "|order by id|::|\bfunction\b/i;

/** Texts of three words or more: shorter ones are names, keys and types, except in the files of the portal's words. */
function textsOf(file) {
  const content = read(file);
  return [...content.matchAll(LITERAL)].flatMap(({ 0: literal, index }) => {
    if (/^\/[/*]/.test(literal)) return [];
    const lines = literal.slice(1, -1).replaceAll(String.raw`\n`, '\n').replaceAll(/\\(.)/g, '$1');
    // each line of a help text is a sentence, and a list of names is none
    const text = lines.includes('\n') ? lines.trim().replaceAll(/\s*\n\s*/g, '. ') : oneLine(lines);
    if (text.split(' ').length > 12 && !/ (?:the|an?|is|are|of|to|in|for|by|not|with|and|or|no|only) /i.test(text))
      return [];
    if ((text.split(' ').length < 3 && !file.endsWith('words.ts')) || !/[a-z]{3}/.test(text) || CODE.test(text))
      return [];
    return [{ place: `${file}:${content.slice(0, index).split('\n').length}`, text }];
  });
}

const schemas = ['schema.graphql', 'schema.console.graphql'].flatMap(descriptionsOf);
const complaints = [
  ...new Map(schemas.map((each) => [`${each.place} ${each.text}`, each]))
    .values()
    .flatMap((each) => complaintsOf(each).map((what) => ({ ...each, what }))),
  ...['src', 'portal/src']
    .flatMap(filesOf)
    .flatMap(textsOf)
    .flatMap((each) => judge(each.text, { product: true }).map((what) => ({ ...each, what }))),
].filter(({ text, what }) => !quoted.some(([part, word]) => text.includes(part) && what.includes(word)));

for (const { place, text, what } of complaints) console.error(`${place}: ${what}\n    ${text}`);
if (complaints.length > 0) {
  console.error(
    `${complaints.length} complaints. The terms are in test/words/rules.mjs, quotations of the contract in test/words/quoted.mjs.`,
  );
  process.exitCode = 1;
}
