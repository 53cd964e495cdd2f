import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { measureDocument } from '../../src/graphql/documents/size.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { compileForRelay } from './relay-compiler.js';

it.each([
  ['shop', 'schema.graphql', ['shopOrdersQuery', 'shopStatementQuery', 'shopLeadsQuery', 'shopProductQuery']],
  [
    'console',
    'schema.console.graphql',
    ['consoleDevelopersQuery', 'consoleDeveloperOrdersQuery', 'consoleAuditLogQuery'],
  ],
])(
  'the service accepts the pagination and refetch queries that Relay generates for the %s',
  async (name, schema, some) => {
    const documents = readFileSync(path.join(import.meta.dirname, `relay/${name}.graphql`), 'utf8');
    const file = path.join(temporaryDirectory(), 'queries.json');
    writeFileSync(file, '{}');
    await compileForRelay(name, documents, schema, { persistConfig: { file } });
    const queries = Object.values<string>(JSON.parse(readFileSync(file, 'utf8')));
    expect(queries.map((query) => /^\w+ (\w+)/.exec(query)?.[1])).toEqual(expect.arrayContaining(some));
    for (const query of queries) expect(measureDocument(parse(query)).problem).toBeUndefined();
  },
);
