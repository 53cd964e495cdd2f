import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const documents = ['SECURITY.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const textOf = (name: string): string => readFileSync(name, 'utf8');

/** Everything of this repository that a document points at: links, their definitions, and paths in code marks. */
function pathsOf(document: string): string[] {
  const text = textOf(document);
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, definition]) => (inline ?? definition)!.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => path.join(path.dirname(document), target));
  const marked = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map((match) => match[1]!);
  return [...links, ...marked];
}

it('there are documents to look at', () => {
  expect(documents).toContain('docs/owasp-api-top-10.md');
});

describe.each([...documents, 'README.md'])('%s', (document) => {
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

it.each(documents)('%s has no line over 120 characters', (document) => {
  const long = textOf(document)
    .split('\n')
    .flatMap((line, index) => (line.length > 120 ? [`${index + 1}: ${line.length}`] : []));
  expect(long).toEqual([]);
});

it('the README leads to every one of them', () => {
  const linked = new Set(pathsOf('README.md'));
  expect(documents.filter((document) => !linked.has(document))).toEqual([]);
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
      for (const target of of(shown!)) expect(target, protection).toMatch(/^\.\.\/test\/.*\.test\.ts$/);
    }
  });
});
