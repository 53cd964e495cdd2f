import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { Columns } from '../core/table.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import { MAX_DAYS_IN_FILE } from '../ledger/day-range.js';
import type { RestField } from './route.js';
import { routes } from './routes.js';

export type Fields = Readonly<Record<string, RestField>>;

/** List of the schema that can be downloaded as a file. The file covers a range of days. */
export interface ListFile {
  path: string;
  row: PolicyRow;
  /** Field of the schema that returns the list, such as `Query.orders`. Its arguments define the rules of the filters. */
  list: string;
  /** Fields of the range (`dayFields`) and of the filters. */
  fields: Fields;
  columns: Columns;
}

/** Returns the filters of a list, without its range and pagination. */
export function filtersOf(path: string): Fields {
  const { fields } = routes.find((route) => route.method === 'GET' && route.path === path)!;
  const { from: _from, to: _to, cursor: _cursor, limit: _limit, ...filters } = fields as Fields;
  return filters;
}

/** Returns the filters with their GraphQL names, as the files of the console accept them. */
export const inNamesOfGraphql = (filters: Fields): Fields =>
  Object.fromEntries(Object.values(filters).map((field) => [field.to.split('.').at(-1)!, field]));

/** Returns the parameter values, which are the enum values in lower case. */
export const wordsOf = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(words).map((name) => [name.toLowerCase(), name]));

/**
 * Returns the fields of the range.
 * @param options `inFilter`: whether the range of the list is part of its `filter` input
 */
export function dayFields({ inFilter }: { inFilter: boolean }): Fields {
  const to = inFilter ? 'filter.' : '';
  return {
    from: { to: `${to}from`, kind: 'text', description: 'First day of the range (IST).' },
    to: {
      to: `${to}to`,
      kind: 'text',
      description: `Last day of the range (IST). The range is limited to ${MAX_DAYS_IN_FILE} days.`,
    },
  };
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const csvFields: Fields = {
  raw: {
    to: 'raw',
    kind: 'boolean',
    optional: true,
    description:
      'Whether to export text unchanged. By default, text that a spreadsheet would execute as a formula is prefixed with an apostrophe.',
  },
  bom: {
    to: 'bom',
    kind: 'boolean',
    optional: true,
    description: 'Whether to begin the file with a UTF-8 byte order mark, which Excel needs to detect UTF-8.',
  },
};

export function listField({ list }: Pick<ListFile, 'list'>, schema: GraphQLSchema): GraphQLField<unknown, unknown> {
  const [typeName, name] = list.split('.') as [string, string];
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) throw new Error(`The schema has no ${list}.`);
  return field;
}
