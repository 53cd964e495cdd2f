import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, print } from 'graphql';
import { expect, it } from 'vitest';
import { measureDocument } from '../../../src/graphql/document-size.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

it.each([
  ['shop', 'schema.graphql', ['shopOrdersQuery', 'shopStatementQuery', 'shopLeadsQuery']],
  ['console', 'schema.console.graphql', ['consoleDevelopersQuery', 'consoleDeveloperOrdersQuery', 'consoleTrailQuery']],
])('Relay makes queries that the service takes, for what the %s reads on or again', async (name, schema, some) => {
  const cwd = temporaryDirectory();
  const inside = (file: string) => path.join(cwd, file);
  const { definitions } = parse(readFileSync(path.join(import.meta.dirname, `relay/${name}.graphql`), 'utf8'));
  // the compiler reads documents out of programs alone
  const program = definitions.map((definition) => `graphql\`${print(definition)}\`;`).join('\n');
  mkdirSync(inside('src'));
  writeFileSync(inside(`src/${name}.ts`), program);
  writeFileSync(inside('queries.json'), '{}');
  const config = {
    src: 'src',
    schema: path.resolve(schema),
    language: 'typescript',
    persistConfig: { file: 'queries.json' },
    noSourceControl: true,
  };
  writeFileSync(inside('relay.config.json'), JSON.stringify(config));

  const flags = ['--noWatchman', '--output', 'quiet-with-errors'];
  const { stdout, stderr } = await promisify(execFile)('relay-compiler', flags, { cwd });
  expect(stdout + stderr).toBe('');
  const queries = Object.values<string>(JSON.parse(readFileSync(inside('queries.json'), 'utf8')));
  expect(queries.map((query) => /^\w+ (\w+)/.exec(query)?.[1])).toEqual(expect.arrayContaining(some));
  for (const query of queries) expect(measureDocument(parse(query)).problem).toBeUndefined();
});
