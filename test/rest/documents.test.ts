import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { checkDocuments } from '../../src/rest/handler.js';
import { operationOf } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';

const schema = (change = (sdl: string): string => sdl) =>
  buildSchema(change(readFileSync('schema.graphql', 'utf8')), { assumeValidSDL: true });

it('REST documents match the schema and have unique names', () => {
  expect(() => checkDocuments(routes, schema())).not.toThrow();
  const names = routes.map((route) => operationOf(route).name?.value);
  expect(names).toHaveLength(routes.length);
  expect(new Set(names)).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});

it('an invalid REST document stops the start-up with its path and the error', () => {
  const renamed = schema((sdl) => sdl.replace(/^ {2}campaignUrl:/gm, '  landingUrl:'));
  expect(() => checkDocuments(routes, renamed)).toThrow(
    /^The document of \/api\/v1\/products\/details does not match the schema: Cannot query field "campaignUrl"/,
  );
});

it('REST documents are part of the build and do not need the src directory', () => {
  const sources = readdirSync('src/rest', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(sources).toContain('handler.ts');
  expect(sources.filter((name) => /node:fs/.test(readFileSync(`src/rest/${name}`, 'utf8')))).toEqual([]);
});
