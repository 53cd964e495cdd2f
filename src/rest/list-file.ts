import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { Columns } from '../core/table.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import { MAX_DAYS_IN_FILE } from '../ledger/day-range.js';
import type { RestField } from './route.js';
import { routes } from './routes.js';

export type Fields = Readonly<Record<string, RestField>>;

/** A list of the schema as a file about some days. */
export interface ListFile {
  /** Without the ending of a format. */
  path: string;
  row: PolicyRow;
  /** The field of the schema that is the list, such as `Query.orders`: its arguments have the rules of the filters. */
  list: string;
  /** Its days (`dayFields`) and filters. */
  fields: Fields;
  columns: Columns;
}

/** The filters of a list, without its range and page. */
export function filtersOf(path: string): Fields {
  const { fields } = routes.find((route) => route.method === 'GET' && route.path === path)!;
  const { from: _from, to: _to, cursor: _cursor, limit: _limit, ...filters } = fields as Fields;
  return filters;
}

/** Filters under the names that GraphQL has for them, as the files of the console take them. */
export const inNamesOfGraphql = (filters: Fields): Fields =>
  Object.fromEntries(Object.values(filters).map((field) => [field.to.split('.').at(-1)!, field]));

/** Lower-case words of an enum of the schema, as values of a parameter. */
export const wordsOf = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(words).map((name) => [name.toLowerCase(), name]));

/** @param inFilter the list takes its range in an input `filter` */
export function dayFields({ inFilter }: { inFilter: boolean }): Fields {
  const to = inFilter ? 'filter.' : '';
  return {
    from: { to: `${to}from`, kind: 'text', description: 'The first day, in India.' },
    to: { to: `${to}to`, kind: 'text', description: `The last day; at most ${MAX_DAYS_IN_FILE} days.` },
  };
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const csvFields: Fields = {
  raw: {
    to: 'raw',
    kind: 'boolean',
    optional: true,
    description:
      'Text without added apostrophes. By default, text that a spreadsheet would run as a formula has an apostrophe before it.',
  },
  bom: {
    to: 'bom',
    kind: 'boolean',
    optional: true,
    description: 'Begins the file with a UTF-8 byte order mark, which Excel needs to read it as UTF-8.',
  },
};

export function listField({ list }: Pick<ListFile, 'list'>, schema: GraphQLSchema): GraphQLField<unknown, unknown> {
  const [typeName, name] = list.split('.') as [string, string];
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) throw new Error(`The schema has no ${list}.`);
  return field;
}
