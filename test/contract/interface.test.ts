import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RestRoute } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';

const text = readFileSync('docs/interface.md', 'utf8');
const sections = new Map(
  text
    .split(/^(?=##+ \d)/m)
    .slice(1)
    .map((section) => [/^##+ (\d+(?:\.\d+)?)/.exec(section)![1]!, section]),
);

/** Programs and SQL files with their text. */
const sources = ['src', 'test'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|sql|graphql)$/.test(name) && !/(^|\/)node_modules\//.test(name))
    .map((name) => path.join(root, name))
    .map((name): [string, string] => [name, readFileSync(name, 'utf8')]),
);

/** The numbers after a word, as in "4.3", "4.6 to 4.9" or "2.1, 2.5 and 4.4". */
function numbersBehind(word: string, source: string): string[] {
  const list = new RegExp(String.raw`${word}\s+(?:\* )?(\d+(?:\.\d+)?(?:(?:,| and| to) \d+(?:\.\d+)?)*)`, 'g');
  return [...source.matchAll(list)].flatMap((match) => match[1]!.match(/\d+(?:\.\d+)?/g)!);
}

describe('the section numbers of docs/interface.md', () => {
  it('in code and tests are headings there', () => {
    const referred = sources.flatMap(([name, source]) =>
      numbersBehind(String.raw`interface\.md`, source).map((number) => ({ name, number })),
    );
    expect(referred.length).toBeGreaterThan(50);
    expect(referred.filter(({ number }) => !sections.has(number))).toEqual([]);
  });

  it('in the document itself are headings there', () => {
    const referred = numbersBehind('[Ss]ections?', text);
    expect(referred.length).toBeGreaterThan(20);
    expect(referred.filter((number) => !sections.has(number))).toEqual([]);
  });

  it('are never used without the name of the document', () => {
    const loose = sources.filter(([, source]) => numbersBehind('[Ss]ections?', source).length > 0);
    expect(loose.map(([name]) => name)).toEqual([]);
  });
});

describe('the table of endpoints', () => {
  const rows = [...text.matchAll(/^(4\.\d+) +(GET|POST|DELETE) +(\/\S+)$/gm)].map(([, number, method, address]) => ({
    number: number!,
    endpoint: `${method} ${address}`,
  }));
  const endpointOf = ({ method, path: address }: RestRoute): string => `${method} ${address}`;

  it('has every REST path, and no other', () => {
    const served = [...routes.map(endpointOf), 'GET /api/v1/wallet/statement.csv'];
    expect(rows.map(({ endpoint }) => endpoint).toSorted()).toEqual(served.toSorted());
  });

  it.each(routes.map((route): [string, RestRoute] => [endpointOf(route), route]))(
    '%s has a section that names every field of the request',
    (endpoint, route) => {
      const section = sections.get(rows.find((row) => row.endpoint === endpoint)!.number)!;
      expect(Object.keys(route.fields).filter((field) => !section.includes(`\`${field}\``))).toEqual([]);
    },
  );
});
