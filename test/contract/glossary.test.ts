import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { allSettings } from '../../src/config/settings.js';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { metricTable } from '../../src/core/metric.table.js';

/** Names in the last column of the concepts, which the glossary replaces with another term. */
const rejected = readFileSync('docs/glossary.md', 'utf8')
  .split('## Concepts and their names')[1]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .flatMap(
    (row) =>
      row
        .split('|')
        .at(-2)!
        .match(/(?<=`)\w+(?=`)/g) ?? [],
  );

/** Names of types, fields, arguments and enum values. */
function namesIn(file: string): string[] {
  const types = Object.values(buildSchema(readFileSync(file, 'utf8')).getTypeMap());
  return types.flatMap((type) => {
    if (isEnumType(type)) return [type.name, ...type.getValues().map(({ name }) => name)];
    if (isInputObjectType(type)) return [type.name, ...Object.keys(type.getFields())];
    if (isObjectType(type) || isInterfaceType(type))
      return [
        type.name,
        ...Object.values(type.getFields()).flatMap(({ name, args }) => [
          name,
          ...args.map((argument) => argument.name),
        ]),
      ];
    return [type.name];
  });
}

it.each<[string, () => readonly string[]]>([
  ['the schema of the API', () => namesIn('schema.graphql')],
  ['the schema of the console', () => namesIn('schema.console.graphql')],
  ['the error codes', () => Object.keys(errorCatalogue)],
  ['the settings', () => allSettings.map(({ variable }) => variable)],
  ['the metrics', () => Object.values(metricTable).map(({ name }) => name)],
])('%s has no name that the glossary rejects', (_name, names) => {
  expect(rejected.length).toBeGreaterThan(20);
  expect(names().length).toBeGreaterThan(20);
  expect(names().filter((name) => rejected.includes(name))).toEqual([]);
});
