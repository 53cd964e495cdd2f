import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { checkDocuments } from '../../src/rest/handler.js';
import { operationOf } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';

const schema = (change = (sdl: string): string => sdl) =>
  buildSchema(change(readFileSync('schema.graphql', 'utf8')), { assumeValidSDL: true });

it('fit the schema, and have names of their own', () => {
  expect(() => checkDocuments(routes, schema())).not.toThrow();
  const names = routes.map((route) => operationOf(route).name?.value);
  expect(names).toHaveLength(routes.length);
  expect(new Set(names)).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});

it('stop the start when one does not fit the schema, with its path and what is wrong', () => {
  const renamed = schema((sdl) => sdl.replace(/^ {2}campaignUrl:/gm, '  landingUrl:'));
  expect(() => checkDocuments(routes, renamed)).toThrow(
    /^The document of \/api\/v1\/products\/details does not match the schema: Cannot query field "campaignUrl"/,
  );
});

it('are part of the program, which runs where there is no src', () => {
  const sources = readdirSync('src/rest', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(sources).toContain('handler.ts');
  expect(sources.filter((name) => /node:fs/.test(readFileSync(`src/rest/${name}`, 'utf8')))).toEqual([]);
});
