import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, print } from 'graphql';
import { expect } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const COMPILER = path.join(import.meta.dirname, 'node_modules/.bin/relay-compiler');

/** Output directory of the compiler, with one `<name>.graphql.js` per operation. */
export const ARTIFACTS = 'artifacts';

/**
 * Runs Relay's compiler on the documents of one module, whose names start with the module name, and returns the working
 * directory. Fails if the compiler reports errors.
 */
export async function compileForRelay(
  module: string,
  documents: string,
  schema: string,
  config: object = {},
): Promise<string> {
  const cwd = temporaryDirectory();
  const inside = (file: string) => path.join(cwd, file);
  // the compiler reads documents only from source files
  const program = parse(documents).definitions.map((definition) => `graphql\`${print(definition)}\`;`);
  for (const directory of ['src', ARTIFACTS]) mkdirSync(inside(directory));
  writeFileSync(inside(`src/${module}.js`), program.join('\n'));
  const all = {
    src: 'src',
    schema: path.resolve(schema),
    language: 'javascript',
    artifactDirectory: ARTIFACTS,
    eagerEsModules: false,
    noSourceControl: true,
    ...config,
  };
  writeFileSync(inside('relay.config.json'), JSON.stringify(all));
  const flags = ['--noWatchman', '--output', 'quiet-with-errors'];
  const { stdout, stderr } = await promisify(execFile)(COMPILER, flags, { cwd });
  expect(stdout + stderr).toBe('');
  return cwd;
}
