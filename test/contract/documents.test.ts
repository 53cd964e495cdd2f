import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  type FieldNode,
  getNamedType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { consoleGuides, guides } from '../../src/http/docs/guides.js';
import { portalPaths } from '../../src/http/pages/portal-paths.js';
import { routes } from '../../src/rest/routes.js';

const written = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const kits = ['node', 'php', 'postman'].map((name) => `clients/${name}/README.md`);
const ofFolders = ['src/graphql/README.md', 'test/fuzz/README.md'];
const others = ['SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...ofFolders, ...kits].filter((name) =>
  existsSync(name),
);
const documents = ['README.md', ...others, ...written.map((name) => `docs/${name}`)];
const textOf = (name: string): string => readFileSync(name, 'utf8');

/** Where the links of a document lead, and their definitions. */
const targetsOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, definition]) => (inline ?? definition)!.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));

/** A page of the portal, in the guides of the console and in those of the API. */
const PAGE = /^(?:\{\{console_url\}\})?(\/.*)$/;

/** Everything of this repository that a document points at: links, and paths in code marks. */
function pathsOf(document: string): string[] {
  const text = textOf(document);
  const links = targetsOf(text)
    .filter((target) => !PAGE.test(target))
    .map((target) => path.join(path.dirname(document), target));
  const marked = [...text.matchAll(/`((?:src|test|docs|clients)\/[\w./-]+)`/g)].map((match) => match[1]!);
  return [...links, ...marked];
}

it('there are documents to look at', () => {
  expect(documents).toContain('docs/owasp-api-top-10.md');
});

describe.each(documents)('%s', (document) => {
  it('points only at what exists', () => {
    expect(pathsOf(document).filter((target) => !existsSync(target))).toEqual([]);
  });

  it('defines every label that it uses, and uses every one that it defines', () => {
    const text = textOf(document).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
    const defined = [...text.matchAll(/^\[([^\]]+)\]: /gm)].map((match) => match[1]!);
    const used = [...text.matchAll(/\[([^\]\n]+)\](?![(:])/g)].map((match) => match[1]!);
    expect([...new Set(used)].toSorted()).toEqual(defined.toSorted());
  });
});

const linesOf = (document: string): string[] => textOf(document).split('\n');

// a row of a table cannot be broken
it.each(documents)('%s has no line over 120 characters', (document) => {
  const long = linesOf(document).flatMap((line, index) =>
    line.length > 120 && !line.startsWith('| ') ? [`${index + 1}: ${line.length}`] : [],
  );
  expect(long).toEqual([]);
});

/** The sentences of a document, without code, tables and headings. A list item is a paragraph. */
const sentencesOf = (document: string): string[] =>
  textOf(document)
    .replaceAll(/^```[\s\S]*?^```|^[|#].*$/gm, '\n\n')
    .replaceAll(/^(?: *(?:[-*]|\d+\.)|>) /gm, '\n\n')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:](?:\*\*|\))?) (?=[^a-z])/));

// for readers with English as a second language
it.each(
  ['README.md', 'docs/integrating.md', 'docs/administering.md', ...guides.map(({ file }) => file)].filter(
    (name) => name !== 'CHANGELOG.md',
  ),
)('%s has no sentence of more than 31 words', (document) => {
  const long = sentencesOf(document).filter(
    (sentence) => sentence.split(' ').filter((word) => /\w/.test(word)).length > 31,
  );
  expect(long).toEqual([]);
});

it('the guides ask for the day of India, not for that of the machine', () => {
  const days = guides.flatMap(({ file }) => textOf(file).match(/\$\([^)]*\bdate [^)]*\)/g) ?? []);
  expect(days.length).toBeGreaterThan(2);
  expect(days.filter((day) => !/^\$\((TZ=IST-5:30 date \+%F|date \+%s)\)$/.test(day))).toEqual([]);
});

it('commands of the documents encode the key of an order: an address ends at a bare # and reads + as a blank', () => {
  const keys = ['README.md', ...guides.map(({ file }) => file)].flatMap(
    (file) => textOf(file).match(/^.*\b(?:client_request_id|orderid|reference)=.*$/gm) ?? [],
  );
  expect(keys.length).toBeGreaterThan(2);
  expect(keys.filter((line) => !line.includes('--data-urlencode'))).toEqual([]);
  expect(textOf('docs/guide/orders.md')).toContain('`%2B` for `+`');
});

it('sources and tests take the day of India for today, not that of UTC: between half past six and midnight there it is another one', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => path.join(folder, name)),
  );
  const ofUtc = files.filter((name) => /\(\)\.toISOString\(\)\.slice\(0, 10\)/.test(textOf(name)));
  // the date of a report, which is the machine's
  expect(ofUtc).toEqual(['test/bench/support/report.ts']);
});

it('SECURITY.md names each dependency with the version that is installed', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
  const named = [...textOf('SECURITY.md').matchAll(/\*\*([\w@/-]+) (\d[\w.-]+)\*\*/g)];
  expect(named.length).toBeGreaterThan(4);
  for (const [, name, version] of named) expect([name, dependencies[name!]]).toEqual([name, version]);
});

it('the README is read in five minutes: it has at most 120 lines', () => {
  expect(linesOf('README.md').length).toBeLessThanOrEqual(120);
});

it('the README leads to every one of them, by way of others', () => {
  const reached = new Set(['README.md']);
  for (const document of reached)
    for (const target of pathsOf(document)) if (documents.includes(target)) reached.add(target);
  expect(documents.filter((document) => !reached.has(document))).toEqual([]);
});

it('the documents name only commands that there are', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((document) =>
    [...textOf(document).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)].map((match) => match[1]!),
  );
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

/** Text without the names that the glossary lists as renamed. */
const withoutOldNames = (document: string): string => (document === 'docs/glossary.md' ? '' : textOf(document));

it('the documents name only settings that the sources know, or the files of secrets', () => {
  const sources = ['src', 'test', 'clients', 'portal'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$|\.mjs$/.test(name) && !name.includes('node_modules'))
      .map((name) => textOf(path.join(folder, name))),
  );
  const known = new Set(sources.flatMap((source) => source.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []));
  const named = documents.flatMap((document) =>
    [...withoutOldNames(document).matchAll(/`(?!CURLOPT)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map((match) => match[1]!),
  );
  expect([...new Set(named)].filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))).toEqual([]);
});

it('the guides lead only to pages that the portal has', () => {
  const paths: readonly string[] = Object.values(portalPaths);
  const named = [...guides, ...consoleGuides].flatMap(({ file }) =>
    targetsOf(textOf(file)).flatMap((target) => PAGE.exec(target)?.[1] ?? []),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((page) => !paths.includes(page))).toEqual([]);
});

it('the pages for people who call the graph name only what it has', () => {
  const words = new Set(
    ['schema.graphql', 'schema.console.graphql'].flatMap((name) => textOf(name).match(/\w+/g) ?? []),
  );
  const named = ['docs/administering.md', ...[...guides, ...consoleGuides].map(({ file }) => file)].flatMap((file) =>
    [
      ...withoutOldNames(file)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/`([a-z]+[A-Z]\w*)`/g),
    ].map((match) => match[1]!),
  );
  expect(named.length).toBeGreaterThan(50);
  // of a request, of errors, of /clients.json, of Apollo Client, of the file of the demo
  const notOfSchema = new Set([
    'operationName',
    'docUrl',
    'retryAfterMs',
    'customScalarTypes',
    'possibleTypes',
    'relayStylePagination',
    'secondAdmin',
    'userOf',
  ]);
  expect([...new Set(named)].filter((name) => !words.has(name) && !notOfSchema.has(name))).toEqual([]);
});

/** The documents of GraphQL in the examples of a page: those in single quotes, which name nothing of the shell. */
const graphqlIn = (file: string): string[] =>
  [...textOf(file).matchAll(/^graphql '([^']+)'/gm)].map((match) => match[1]!);

it('the guide of frontends asks a screen for the id of everything that has one: caches need it', () => {
  const schema = buildSchema(textOf('schema.graphql'));
  const screens = graphqlIn('docs/guide/graphql.md').filter((text) =>
    /operatorFind|productCategories|mutation/.test(text),
  );
  expect(screens.length).toBe(3);
  const without: string[] = [];
  for (const screen of screens) {
    const types = new TypeInfo(schema);
    const Field = ({ name, selectionSet }: FieldNode) => {
      const type = getNamedType(types.getType());
      if (!isObjectType(type) || type.getFields().id === undefined) return;
      if (!selectionSet?.selections.some((one) => 'name' in one && one.name.value === 'id')) without.push(name.value);
    };
    visit(parse(screen), visitWithTypeInfo(types, { Field }));
  }
  expect(without).toEqual([]);
});

it('the page about the architecture has every room', () => {
  const text = textOf('docs/architecture.md');
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !new RegExp(`^ .*\\b${name}\\b`, 'm').test(text))).toEqual([]);
});

describe('the guides', () => {
  it('are pages of the site, each of them', () => {
    const files = readdirSync('docs/guide').filter((name) => name.endsWith('.md'));
    const shown = new Set([...guides, ...consoleGuides].map(({ file }) => file));
    shown.delete('CHANGELOG.md');
    expect([...shown].toSorted()).toEqual(files.map((name) => `docs/guide/${name}`).toSorted());
  });

  it('name every lookup', () => {
    const lookups = routes.map(({ path: where }) => where).filter((where) => where.startsWith('/api/v1/plan/'));
    expect(lookups.length).toBeGreaterThan(3);
    const text = textOf('docs/guide/services.md');
    expect(lookups.filter((where) => !text.includes(where))).toEqual([]);
  });

  it('hold no code of the catalogue and no test number as a row of a table: those are made from the code', () => {
    for (const { file } of guides)
      expect([file, textOf(file).match(/^\| (?:\d{3} \| `[A-Z_]+`|`?(?:54)?00\d\d`?) \|/gm)]).toEqual([file, null]);
  });
});

describe('the ASVS table', () => {
  const text = textOf('docs/asvs.md');
  const rows = text
    .split('\n')
    .filter((line) => /^\| (\*\*)?V\d/.test(line))
    .map(
      (line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()) as [string, string, string, string],
    );

  it('has every chapter once, its requirements below it, and no requirement twice', () => {
    const chapters = rows.flatMap(([name]) => /^\*\*V(\d+)\*\*/.exec(name)?.[1] ?? []);
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, n) => String(n + 1)));
    const ids = rows.map(([name]) => /V[\d.]+/.exec(name)![0]);
    expect(new Set(ids).size).toBe(ids.length);
    let chapter = '';
    for (const [index, [name]] of rows.entries()) {
      if (name.startsWith('**')) chapter = `${ids[index]}.`;
      else expect(ids[index]!.startsWith(chapter), name).toBe(true);
    }
  });

  it('has a status and a reason for each, and a test that exists for what is met or partly met', () => {
    const targets = new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label, target]) => [label, target]));
    for (const [name, status, reason, shown] of rows) {
      expect(['met', 'partly', 'not', 'n.a.'], name).toContain(status);
      expect(reason, name).not.toBe('');
      const tests = [...shown.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => targets.get(label!)!);
      for (const target of tests) {
        expect(target, name).toMatch(/^\.\.\/test\/.*\.(test|full)\.ts$/);
        expect(existsSync(target.slice(3)), target).toBe(true);
      }
      expect([name, tests.length > 0]).toEqual([name, status === 'met' || status === 'partly']);
    }
  });

  it('calls no chapter met that has a requirement which is not', () => {
    for (const [name, status] of rows.filter(([of]) => of.startsWith('**'))) {
      const chapter = /V\d+/.exec(name)![0];
      const open = rows.filter(([of, its]) => of.startsWith(`${chapter}.`) && its !== 'met').map(([of]) => of);
      if (status === 'met') expect([name, open]).toEqual([name, []]);
    }
  });
});

describe('the OWASP table', () => {
  const rows = textOf('docs/owasp-api-top-10.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| risk'))
    .map((line) => line.split('|').slice(1, -1));

  it('has every risk of 2023, and a test for each protection', () => {
    const risks = rows.flatMap(([risk]) => /\*\*(API\d+)\*\*/.exec(risk!)?.[1] ?? []);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, n) => `API${n + 1}`));
    const targets = new Map(
      [...textOf('docs/owasp-api-top-10.md').matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label, target]) => [
        label,
        target,
      ]),
    );
    for (const [, protection, code, shown] of rows) {
      const of = (cell: string): string[] =>
        [...cell.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => targets.get(label!)!);
      expect(of(code!), protection).not.toEqual([]);
      expect(of(shown!).length, protection).toBeGreaterThan(0);
      for (const target of of(shown!)) expect(target, protection).toMatch(/^\.\.\/test\/.*\.(test|full)\.ts$/);
    }
  });
});
