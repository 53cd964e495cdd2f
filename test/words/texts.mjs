// Texts of the product that people read: descriptions of a schema, and strings in TypeScript.
import { Kind, parse, visit } from 'graphql';

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Descriptions of a schema with their places. `isMutation`: the description of a field of Mutation. */
export function descriptionsOf(source) {
  const path = [];
  const found = [];
  visit(parse(source), {
    enter(node) {
      if (!('name' in node)) return;
      path.push(node.name.value);
      if (node.description)
        found.push({
          place: path.join('.'),
          text: oneLine(node.description.value),
          isDescription: true,
          isMutation: node.kind === Kind.FIELD_DEFINITION && path[0] === 'Mutation',
        });
    },
    leave: (node) => void ('name' in node && path.pop()),
  });
  return found;
}

const LITERAL = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const CODE =
  /\b(?:select|insert into|update|delete from|with|where|from|join|order by|returning|create|grant|values)\b[\s\S]*\b(?:from|set|values|where|as|on|select|into|to|by)\b.*[=(,$"]|^\s*[{(]|\b(?:query|mutation|fragment|subscription)\b[^.]*\{|=>|[;{]\s*$|\{ \w+|\bany\(|\bid [<>]|as "|order by id|::|\bfunction\b/i;

/** Texts of three words or more: shorter ones are names, keys and types, except in the files of the portal's words. */
export function textsOf(file, content) {
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
