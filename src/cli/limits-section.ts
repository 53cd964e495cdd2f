import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import type { FieldExtensions } from '../graphql-toolkit/input.js';
import { inputClassOf, rulesOf } from '../graphql-toolkit/rules.js';
import { code, table } from '../http/docs/tables.js';
import { withSection } from './generated-file.js';
import { limits, limitText } from './limits.js';

/** Maximum number of places that are listed. Additional places are only counted. */
const NAMED_PLACES = 4;

/** Inserts all limits between the markers of the page. */
export function withLimits(page: string, schemas: readonly GraphQLSchema[]): string {
  const parts = Object.entries(limits).map(([title, rows]) =>
    table(
      [title, 'at most'],
      rows.map(([label, atMost]) => [label, limitText(atMost)]),
    ),
  );
  const values = `Rules for values by their GraphQL field name. REST uses the same names in snake_case.`;
  return withSection(
    page,
    'limits',
    [...parts, values, table(['field', 'value', 'of'], valueRows(schemas))].join('\n\n'),
  );
}

/**
 * Returns the rules of input fields and arguments, with the same texts as their errors. Fields with identical rules share a row.
 */
function valueRows(schemas: readonly GraphQLSchema[]): string[][] {
  const places = new Map<string, { name: string; value: string; of: Set<string> }>();
  for (const [of, names, rules] of schemas.flatMap(classesOf))
    for (const name of names) {
      const value = limitsIn(rules, name);
      if (value === '') continue;
      const key = `${name} ${value}`;
      if (!places.has(key)) places.set(key, { name, value, of: new Set() });
      places.get(key)!.of.add(of);
    }
  return [...places.values()]
    .toSorted((left, right) => left.name.localeCompare(right.name, 'en') || left.value.localeCompare(right.value, 'en'))
    .map(({ name, value, of }) => [
      code(name),
      value,
      of.size > NAMED_PLACES ? `${of.size} places` : [...of].map(code).join(', '),
    ]);
}

type Ruled = readonly [of: string, names: readonly string[], rules: object];

/** Returns the input types and fields with arguments, with the classes that define their validation rules. */
function classesOf(schema: GraphQLSchema): Ruled[] {
  return Object.values(schema.getTypeMap()).flatMap((type): Ruled[] => {
    if (isInputObjectType(type)) {
      const rules = inputClassOf(type.name);
      return rules ? [[type.name, Object.keys(type.getFields()), rules]] : [];
    }
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args, extensions }): Ruled[] => {
      const { arguments: rules } = extensions as FieldExtensions;
      return rules ? [[`${type.name}.${name}`, args.map((argument) => argument.name), rules]] : [];
    });
  });
}

/**
 * Returns the rules of a field, with the same texts as their errors and the maximum length. Rules that involve several fields
 * are not limits.
 */
const limitsIn = (rules: object, name: string): string =>
  rulesOf(rules)
    .filter(({ property, broken }) => property === name && broken.rule !== 'COMBINATION')
    .map(({ message, schema: { maxLength } }) => {
      const words = message.replace(/^Must be /, '');
      return maxLength && !words.includes(String(maxLength)) ? `${words} At most ${maxLength} characters.` : words;
    })
    .join(' ');
