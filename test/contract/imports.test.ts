import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { circlesIn } from '../support/circles.js';

/** Who may import whom. A room imports only rooms of lower ranks, and itself. */
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
  // a lead is for a product
  ['leads'],
  ['graphql'],
  ['rest'],
  ['http'],
  ['app.ts'],
  ['serve-check.ts'],
  ['main.ts'],
  ['cli'],
  // nothing that runs in production may import the demo
  ['dev'],
];
const rankOf = new Map(ranks.flatMap((rooms, rank) => rooms.map((room) => [room, rank] as const)));
/** Read by everybody, imports nothing but core. */
const neutral = new Set(['config.ts', 'config', 'process-life.ts', 'simulator']);

/** Single files that the text beside the picture speaks of, or nobody has to know. */
const besideThePicture = new Set(['config.ts', 'process-life.ts', 'serve-check.ts']);

const roomOf = (file: string): string => file.split(path.sep)[0]!;
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.includes('generated'),
);

/** `import type` vanishes at run time, but it ties the rooms together all the same. */
function importsOf(file: string): string[] {
  const source = readFileSync(path.join('src', file), 'utf8');
  const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return targets.map((target) => path.normalize(path.join(path.dirname(file), target)).replace(/\.js$/, '.ts'));
}

it('every room has a rank, and every rank a room', () => {
  const rooms = new Set(files.map(roomOf));
  expect([...rooms].toSorted()).toEqual([...rankOf.keys(), ...neutral].toSorted());
});

it('imports go one way', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const room = roomOf(file);
    for (const target of importsOf(file)) {
      const other = roomOf(target);
      if (other === room) continue;
      if (room === 'simulator') {
        if (!['core', 'samples'].includes(other)) wrong.push(`${file} → ${target}`);
      } else if (['config.ts', 'config', 'process-life.ts'].includes(room)) {
        if (!['core', 'config'].includes(other)) wrong.push(`${file} → ${target}`);
      } else if (neutral.has(other)) {
        // the demo alone may know the simulator, and only data of it
        if (other === 'simulator' && room !== 'dev') wrong.push(`${file} → ${target}`);
      } else if (!((rankOf.get(other) ?? Number.POSITIVE_INFINITY) < (rankOf.get(room) ?? -1))) {
        wrong.push(`${file} → ${target}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

it('no file is imported by what it imports, inside a room either', () => {
  const arrows = files.map((file): [string, string[]] => [file, importsOf(file)]);
  expect(circlesIn(new Map(arrows))).toEqual([]);
});

it('finds a circle, and what leads to one is none', () => {
  const arrows: [string, string[]][] = [
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['d']],
    ['d', ['b']],
    ['e', ['e']],
    ['f', []],
  ];
  expect(circlesIn(new Map(arrows))).toEqual([['b', 'c', 'd'], ['e']]);
});

it('the picture of the architecture has every room once, none above what imports it', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const picture = /^## Rooms$.*?^```\n(.*?)^```/ms.exec(page)![1]!;
  // names stand before the words about them, several in a line
  const lines = picture.split('\n').filter((line) => line !== '' && !line.startsWith('─'));
  const rows = lines.map((line) => line.trim().split(/ {2,}/)[0]!.split(' · '));
  const drawn = [...rankOf.keys(), ...neutral].filter((room) => !besideThePicture.has(room));
  expect(rows.flat().toSorted()).toEqual(drawn.toSorted());
  // `main.ts` stands beside what it is a program like
  const ranked = rows.map((row) => row.filter((room) => rankOf.has(room) && room !== 'main.ts'));
  const wrong = ranked.flatMap((row, n) =>
    row.flatMap((upper) =>
      ranked
        .slice(n + 1)
        .flat()
        .filter((lower) => rankOf.get(lower)! > rankOf.get(upper)!)
        .map((lower) => `${lower} stands below ${upper}`),
    ),
  );
  expect(wrong).toEqual([]);
});

it('the life of an order does not know how it is shown', () => {
  const life = files.filter((file) => roomOf(file) === 'orders' && !file.startsWith('orders/views/'));
  expect(life.length).toBeGreaterThan(10);
  expect(life.filter((file) => importsOf(file).some((target) => target.startsWith('orders/views/')))).toEqual([]);
});

it('the folders of graphql use each other in one direction', () => {
  const folders = ['schema', 'documents', 'execution'];
  const rankOfFolder = (file: string): number => folders.indexOf(file.split(path.sep)[1]!);
  const own = files.filter((file) => roomOf(file) === 'graphql');
  expect(own.filter((file) => rankOfFolder(file) < 0)).toEqual([]);
  const wrong = own.flatMap((file) =>
    importsOf(file).flatMap((target) =>
      roomOf(target) === 'graphql' && rankOfFolder(target) > rankOfFolder(file) ? [`${file} → ${target}`] : [],
    ),
  );
  expect(wrong).toEqual([]);
});

it('no resolver declares arguments in a way that leaves their rules out', () => {
  const forgetting = files.filter(
    (file) => roomOf(file) !== 'graphql-toolkit' && /@Args\(/.test(readFileSync(path.join('src', file), 'utf8')),
  );
  expect(forgetting).toEqual([]);
});

it('the domain in core knows nothing of GraphQL', () => {
  const core = files.filter((file) => roomOf(file) === 'core');
  const tied = core.filter((file) => /'(graphql|type-graphql)'/.test(readFileSync(path.join('src', file), 'utf8')));
  expect(tied).toEqual([]);
});

it('providers take of the configuration only what their own settings read', () => {
  const wrong = files
    .filter((file) => roomOf(file) === 'providers')
    .flatMap(importsOf)
    .filter((target) => target.startsWith('config') && target !== 'config/provider.settings.ts');
  expect(wrong).toEqual([]);
});

it('features ask their port what it can do, never which environment they are in', () => {
  const features = ['recharge', 'card-bills', 'plans', 'leads', 'products'];
  const asking = files
    .filter((file) => features.includes(roomOf(file)))
    .filter((file) => /'(uat|production)'|SANDBOX/.test(readFileSync(path.join('src', file), 'utf8')));
  expect(asking).toEqual([]);
});

it('only the configuration and the programs read environment variables', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(path.join('src', file), 'utf8')));
  const allowed = /^(main\.ts|dev\/|cli\/|simulator\/main\.ts)/;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});
