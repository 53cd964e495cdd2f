import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cyclesIn } from '../support/import-cycles.js';

/** Allowed imports. A module imports only modules of lower ranks, and itself. */
const ranks: readonly (readonly string[])[] = [
  ['core'],
  ['graphql-toolkit', 'db', 'tracing', 'samples'],
  ['ledger', 'retention'],
  ['audit', 'settings', 'mails'],
  ['approval-requests', 'archive'],
  ['providers'],
  ['accounts'],
  ['code-tables'],
  ['orders'],
  ['status-checks'],
  ['decisions'],
  ['reconcile'],
  ['recharge', 'card-bills', 'plans', 'products', 'onboarding', 'webhooks', 'sandbox', 'staff-work'],
  // A lead has a product.
  ['leads'],
  ['graphql'],
  ['rest'],
  ['http'],
  ['app.ts'],
  ['serve-check.ts'],
  ['main.ts'],
  ['cli'],
  // No production code may import the demo.
  ['dev'],
];
const rankOf = new Map(ranks.flatMap((modules, rank) => modules.map((module) => [module, rank] as const)));
/** Imported by all modules; these import nothing but core. */
const neutral = new Set(['config.ts', 'config', 'process-life.ts', 'simulator']);

/** Single files that are described next to the diagram, or need no description. */
const outsideDiagram = new Set(['config.ts', 'process-life.ts', 'serve-check.ts']);

const moduleOf = (file: string): string => file.split(path.sep)[0]!;
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.includes('generated'),
);

/** `import type` has no effect at run time, but couples the modules as well. */
function importsOf(file: string): string[] {
  const source = readFileSync(path.join('src', file), 'utf8');
  const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return targets.map((target) => path.normalize(path.join(path.dirname(file), target)).replace(/\.js$/, '.ts'));
}

it('every module has a rank, and every rank has modules', () => {
  const modules = new Set(files.map(moduleOf));
  expect([...modules].toSorted()).toEqual([...rankOf.keys(), ...neutral].toSorted());
});

it('imports follow the ranks', () => {
  const problems: string[] = [];
  for (const file of files) {
    const module = moduleOf(file);
    for (const target of importsOf(file)) {
      const other = moduleOf(target);
      if (other === module) continue;
      if (module === 'simulator') {
        if (!['core', 'samples'].includes(other)) problems.push(`${file} → ${target}`);
      } else if (['config.ts', 'config', 'process-life.ts'].includes(module)) {
        if (!['core', 'config'].includes(other)) problems.push(`${file} → ${target}`);
      } else if (neutral.has(other)) {
        // Only the demo may import the simulator, and only its data.
        if (other === 'simulator' && module !== 'dev') problems.push(`${file} → ${target}`);
      } else if (!((rankOf.get(other) ?? Number.POSITIVE_INFINITY) < (rankOf.get(module) ?? -1))) {
        problems.push(`${file} → ${target}`);
      }
    }
  }
  expect(problems).toEqual([]);
});

it('no file is in an import cycle, not even within a module', () => {
  const arrows = files.map((file): [string, string[]] => [file, importsOf(file)]);
  expect(cyclesIn(new Map(arrows))).toEqual([]);
});

it('a file that imports a cycle is not reported as part of it', () => {
  const arrows: [string, string[]][] = [
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['d']],
    ['d', ['b']],
    ['e', ['e']],
    ['f', []],
  ];
  expect(cyclesIn(new Map(arrows))).toEqual([['b', 'c', 'd'], ['e']]);
});

it('the architecture diagram has every module once, below all modules that import it', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const picture = /^## Rooms$.*?^```\n(.*?)^```/ms.exec(page)![1]!;
  // Module names are in front of their description, several per line.
  const lines = picture.split('\n').filter((line) => line !== '' && !line.startsWith('─'));
  const rows = lines.map((line) => line.trim().split(/ {2,}/)[0]!.split(' · '));
  const drawn = [...rankOf.keys(), ...neutral].filter((module) => !outsideDiagram.has(module));
  expect(rows.flat().toSorted()).toEqual(drawn.toSorted());
  // `main.ts` is in the row of similar programs.
  const ranked = rows.map((row) => row.filter((module) => rankOf.has(module) && module !== 'main.ts'));
  const misplaced = ranked.flatMap((row, n) =>
    row.flatMap((upper) =>
      ranked
        .slice(n + 1)
        .flat()
        .filter((lower) => rankOf.get(lower)! > rankOf.get(upper)!)
        .map((lower) => `${lower} stands below ${upper}`),
    ),
  );
  expect(misplaced).toEqual([]);
});

it('the order modules do not import the modules that present orders', () => {
  const lifecycle = files.filter((file) => moduleOf(file) === 'orders' && !file.startsWith('orders/views/'));
  expect(lifecycle.length).toBeGreaterThan(10);
  expect(lifecycle.filter((file) => importsOf(file).some((target) => target.startsWith('orders/views/')))).toEqual([]);
});

it('the folders of graphql import each other in one direction', () => {
  const folders = ['schema', 'documents', 'execution'];
  const rankOfFolder = (file: string): number => folders.indexOf(file.split(path.sep)[1]!);
  const own = files.filter((file) => moduleOf(file) === 'graphql');
  expect(own.filter((file) => rankOfFolder(file) < 0)).toEqual([]);
  const problems = own.flatMap((file) =>
    importsOf(file).flatMap((target) =>
      moduleOf(target) === 'graphql' && rankOfFolder(target) > rankOfFolder(file) ? [`${file} → ${target}`] : [],
    ),
  );
  expect(problems).toEqual([]);
});

it('every resolver declares its arguments so that their validation rules apply', () => {
  const withoutRules = files.filter(
    (file) => moduleOf(file) !== 'graphql-toolkit' && /@Args\(/.test(readFileSync(path.join('src', file), 'utf8')),
  );
  expect(withoutRules).toEqual([]);
});

it('the core modules do not import GraphQL', () => {
  const core = files.filter((file) => moduleOf(file) === 'core');
  const tied = core.filter((file) => /'(graphql|type-graphql)'/.test(readFileSync(path.join('src', file), 'utf8')));
  expect(tied).toEqual([]);
});

it('providers use only their own settings of the configuration', () => {
  const problems = files
    .filter((file) => moduleOf(file) === 'providers')
    .flatMap(importsOf)
    .filter((target) => target.startsWith('config') && target !== 'config/provider.settings.ts');
  expect(problems).toEqual([]);
});

it('features check the capabilities of their port, never the environment', () => {
  const features = ['recharge', 'card-bills', 'plans', 'leads', 'products'];
  const dependents = files
    .filter((file) => features.includes(moduleOf(file)))
    .filter((file) => /'(uat|production)'|SANDBOX/.test(readFileSync(path.join('src', file), 'utf8')));
  expect(dependents).toEqual([]);
});

it('only the configuration and the entry points read environment variables', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(path.join('src', file), 'utf8')));
  const allowed = /^(main\.ts|dev\/|cli\/|simulator\/main\.ts)/;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});
