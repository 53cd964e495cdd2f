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

const docFiles = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const clientLibraries = ['node', 'php', 'postman'].map((name) => `clients/${name}/README.md`);
const folderFiles = ['src/graphql/README.md', 'test/fuzz/README.md'];
const otherFiles = ['SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...folderFiles, ...clientLibraries].filter(
  (name) => existsSync(name),
);
const documents = ['README.md', ...otherFiles, ...docFiles.map((name) => `docs/${name}`)];
const textOf = (name: string): string => readFileSync(name, 'utf8');

/** The link targets of a document, and their definitions. */
const targetsOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, definition]) => (inline ?? definition)!.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));

/** A page of the portal, as linked from the guides of the console and the API. */
const PAGE = /^(?:\{\{console_url\}\})?(\/.*)$/;

/** All files of this repository that a document refers to, in links and code marks. */
function pathsOf(document: string): string[] {
  const text = textOf(document);
  const links = targetsOf(text)
    .filter((target) => !PAGE.test(target))
    .map((target) => path.join(path.dirname(document), target));
  const paths = [...text.matchAll(/`((?:src|test|docs|clients)\/[\w./-]+)`/g)].map((match) => match[1]!);
  return [...links, ...paths];
}

it('there are documents to check', () => {
  expect(documents).toContain('docs/owasp-api-top-10.md');
});

describe.each(documents)('%s', (document) => {
  it('refers only to existing files', () => {
    expect(pathsOf(document).filter((target) => !existsSync(target))).toEqual([]);
  });

  it('defines every link label that it uses, and uses every label that it defines', () => {
    const text = textOf(document).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
    const defined = [...text.matchAll(/^\[([^\]]+)\]: /gm)].map((match) => match[1]!);
    const used = [...text.matchAll(/\[([^\]\n]+)\](?![(:])/g)].map((match) => match[1]!);
    expect([...new Set(used)].toSorted()).toEqual(defined.toSorted());
  });
});

const linesOf = (document: string): string[] => textOf(document).split('\n');

// A table row cannot be wrapped.
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

// For readers with English as a second language.
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

it('the guides use the calendar day in IST, not that of the machine', () => {
  const days = guides.flatMap(({ file }) => textOf(file).match(/\$\([^)]*\bdate [^)]*\)/g) ?? []);
  expect(days.length).toBeGreaterThan(2);
  expect(days.filter((day) => !/^\$\((TZ=IST-5:30 date \+%F|date \+%s)\)$/.test(day))).toEqual([]);
});

it('commands in the documents encode idempotency keys, because a URL ends at a bare # and decodes + as a space', () => {
  const keys = ['README.md', ...guides.map(({ file }) => file)].flatMap(
    (file) => textOf(file).match(/^.*\b(?:client_request_id|orderid|reference)=.*$/gm) ?? [],
  );
  expect(keys.length).toBeGreaterThan(2);
  expect(keys.filter((line) => !line.includes('--data-urlencode'))).toEqual([]);
  expect(textOf('docs/guide/orders.md')).toContain('`%2B` for `+`');
});

it('sources and tests use the calendar day in IST, which differs from UTC between midnight and 05:30', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => path.join(folder, name)),
  );
  const utcFiles = files.filter((name) => /\(\)\.toISOString\(\)\.slice\(0, 10\)/.test(textOf(name)));
  // The date of a report is that of the machine.
  expect(utcFiles).toEqual(['test/bench/support/report.ts']);
});

it('SECURITY.md names each dependency with its installed version', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
  const packages = [...textOf('SECURITY.md').matchAll(/\*\*([\w@/-]+) (\d[\w.-]+)\*\*/g)];
  expect(packages.length).toBeGreaterThan(4);
  for (const [, name, version] of packages) expect([name, dependencies[name!]]).toEqual([name, version]);
});

it('the README can be read in five minutes: it has at most 120 lines', () => {
  expect(linesOf('README.md').length).toBeLessThanOrEqual(120);
});

it('the README links to every document, directly or through others', () => {
  const reached = new Set(['README.md']);
  for (const document of reached)
    for (const target of pathsOf(document)) if (documents.includes(target)) reached.add(target);
  expect(documents.filter((document) => !reached.has(document))).toEqual([]);
});

it('the documents name only existing commands', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const commands = documents.flatMap((document) =>
    [...textOf(document).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)].map((match) => match[1]!),
  );
  expect([...new Set(commands)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

/** Text without the old names that the glossary lists as renamed. */
const withoutOldNames = (document: string): string => (document === 'docs/glossary.md' ? '' : textOf(document));

it('the documents name only settings in the sources, or names of secret files', () => {
  const sources = ['src', 'test', 'clients', 'portal'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$|\.mjs$/.test(name) && !name.includes('node_modules'))
      .map((name) => textOf(path.join(folder, name))),
  );
  const known = new Set(sources.flatMap((source) => source.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []));
  const mentioned = documents.flatMap((document) =>
    [...withoutOldNames(document).matchAll(/`(?!CURLOPT)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map((match) => match[1]!),
  );
  expect([...new Set(mentioned)].filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))).toEqual(
    [],
  );
});

it('the guides link only to existing portal pages', () => {
  const paths: readonly string[] = Object.values(portalPaths);
  const mentioned = [...guides, ...consoleGuides].flatMap(({ file }) =>
    targetsOf(textOf(file)).flatMap((target) => PAGE.exec(target)?.[1] ?? []),
  );
  expect(mentioned.length).toBeGreaterThan(20);
  expect(mentioned.filter((page) => !paths.includes(page))).toEqual([]);
});

it('the pages about GraphQL name only what the schema contains', () => {
  const words = new Set(
    ['schema.graphql', 'schema.console.graphql'].flatMap((name) => textOf(name).match(/\w+/g) ?? []),
  );
  const mentioned = ['docs/administering.md', ...[...guides, ...consoleGuides].map(({ file }) => file)].flatMap(
    (file) =>
      [
        ...withoutOldNames(file)
          .replaceAll(/^```[\s\S]*?^```/gm, '')
          .matchAll(/`([a-z]+[A-Z]\w*)`/g),
      ].map((match) => match[1]!),
  );
  expect(mentioned.length).toBeGreaterThan(50);
  // Fields of a request, of errors, of /clients.json, of Apollo Client, and of the file of the demo.
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
  expect([...new Set(mentioned)].filter((name) => !words.has(name) && !notOfSchema.has(name))).toEqual([]);
});

/** The GraphQL documents in the examples of a page: those in single quotes without shell variables. */
const graphqlIn = (file: string): string[] =>
  [...textOf(file).matchAll(/^graphql '([^']+)'/gm)].map((match) => match[1]!);

it('the examples in the guide of frontends select the ID of every object that has one, for caches', () => {
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
      if (!selectionSet?.selections.some((selection) => 'name' in selection && selection.name.value === 'id'))
        without.push(name.value);
    };
    visit(parse(screen), visitWithTypeInfo(types, { Field }));
  }
  expect(without).toEqual([]);
});

it('the architecture page lists every module', () => {
  const text = textOf('docs/architecture.md');
  const modules = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(modules.map(({ name }) => name).filter((name) => !new RegExp(`^ .*\\b${name}\\b`, 'm').test(text))).toEqual(
    [],
  );
});

describe('the developer guides', () => {
  it('are all pages of the site', () => {
    const files = readdirSync('docs/guide').filter((name) => name.endsWith('.md'));
    const published = new Set([...guides, ...consoleGuides].map(({ file }) => file));
    published.delete('CHANGELOG.md');
    expect([...published].toSorted()).toEqual(files.map((name) => `docs/guide/${name}`).toSorted());
  });

  it('name every lookup', () => {
    const lookups = routes.map(({ path: route }) => route).filter((where) => where.startsWith('/api/v1/plan/'));
    expect(lookups.length).toBeGreaterThan(3);
    const text = textOf('docs/guide/services.md');
    expect(lookups.filter((route) => !text.includes(route))).toEqual([]);
  });

  it('contain no row with a catalogue code or test number, because those tables are generated', () => {
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

  it('has every chapter once, each followed by its requirements, and no requirement twice', () => {
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

  it('has a status and a reason for each requirement, and an existing test if it is met or partly met', () => {
    const targets = new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label, target]) => [label, target]));
    for (const [name, status, reason, evidence] of rows) {
      expect(['met', 'partly', 'not', 'n.a.'], name).toContain(status);
      expect(reason, name).not.toBe('');
      const tests = [...evidence.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => targets.get(label!)!);
      for (const target of tests) {
        expect(target, name).toMatch(/^\.\.\/test\/.*\.(test|full)\.ts$/);
        expect(existsSync(target.slice(3)), target).toBe(true);
      }
      expect([name, tests.length > 0]).toEqual([name, status === 'met' || status === 'partly']);
    }
  });

  it('does not mark a chapter as met if one of its requirements is not', () => {
    for (const [name, status] of rows.filter(([of]) => of.startsWith('**'))) {
      const chapter = /V\d+/.exec(name)![0];
      const open = rows
        .filter(([of, itemStatus]) => of.startsWith(`${chapter}.`) && itemStatus !== 'met')
        .map(([of]) => of);
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
    for (const [, protection, code, evidence] of rows) {
      const of = (cell: string): string[] =>
        [...cell.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => targets.get(label!)!);
      expect(of(code!), protection).not.toEqual([]);
      expect(of(evidence!).length, protection).toBeGreaterThan(0);
      for (const target of of(evidence!)) expect(target, protection).toMatch(/^\.\.\/test\/.*\.(test|full)\.ts$/);
    }
  });
});
