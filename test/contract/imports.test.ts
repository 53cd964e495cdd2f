import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Who may import whom. A room imports only rooms of lower ranks, and itself. */
const ranks: readonly (readonly string[])[] = [
  ['core'],
  ['graphql-toolkit', 'db', 'tracing'],
  ['ledger', 'retention'],
  ['audit', 'settings', 'mails'],
  ['proposals', 'archive'],
  ['providers'],
  ['accounts'],
  ['code-tables'],
  ['orders'],
  ['enquiries', 'order-views'],
  ['decisions'],
  ['reconcile'],
  ['recharge', 'card-bills', 'plans', 'products', 'onboarding', 'webhooks', 'sandbox'],
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
        if (other !== 'core') wrong.push(`${file} → ${target}`);
      } else if (['config.ts', 'config', 'process-life.ts'].includes(room)) {
        // each provider says what it needs to be set up
        if (!['core', 'config'].includes(other) && target !== 'providers/registry.ts')
          wrong.push(`${file} → ${target}`);
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

it('providers take of the configuration only the means to declare settings, which are made of theirs', () => {
  const wrong = files
    .filter((file) => roomOf(file) === 'providers')
    .flatMap(importsOf)
    .filter((target) => target.startsWith('config') && !['config/kinds.ts', 'config/setting.ts'].includes(target));
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
