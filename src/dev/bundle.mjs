// Part of `npm run build`, after tsc: makes each program one that carries its libraries. Node then loads some thirty files for it
// instead of 2,800, which was most of the time of a start. What programs share goes into dist/chunks, what those of the demo share
// into dist/dev/chunks. dist/.programs says which files and packages each program needs; `npm run pack:production` reads it.
//
// A module runs after those that it imports, but two that one module imports may change places when they are in different chunks:
// whatever needs reflect-metadata imports it, or a module that does. (strictExecutionOrder costs a sixth of a start.)
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { filesBelow, makeWhenChanged } from './made-of.mjs';
import { removeStale } from './stale.mjs';

const COMPILED = 'dist/.tsc';

/** Started by scripts, by other programs, by tests, or as threads. */
const PROGRAMS = [
  'main',
  'accounts/people/password-thread',
  'onboarding/pdf-thread',
  'cli/archive',
  'cli/audit',
  'cli/developer',
  'cli/doctor',
  'cli/gateway',
  'cli/health',
  'cli/migrate',
  'cli/reconcile',
  'cli/restore',
  'cli/rotate-keys',
  'cli/ledger',
  'cli/secrets',
  'cli/generate',
  'cli/settings-list',
  'cli/support-bundle',
  'cli/user',
  'dev/beside-demo',
  'dev/local-postgres',
  'dev/simulator-process',
  'dev/start',
  'simulator/main',
];

/** Modules that no production program may carry. */
const IS_DEMO = new RegExp(`/${COMPILED}/(dev|simulator)/`);

/**
 * Not bundled: what is native, and the two libraries that talk to the outside, so that what is loaded before a program
 * (instrumentation, the tests' faults) meets the same copy. type-graphql can do without its peer class-validator, and does here.
 */
const EXTERNAL = ['@node-rs/argon2', 'pg', 'undici', 'class-validator'];

/** Apollo asks for Node's own hash in a way that a bundle has not, and would take one written in JavaScript. */
const ALIAS = {
  '@apollo/utils.createhash': 'node:crypto',
  // as modules, of which only what is used is taken
  validator: path.resolve('node_modules/validator/es/index.js'),
};

/** Only graphql asks, each time that it looks at a type: in other environments it searches for a second copy of itself. */
const DEFINED = { 'process.env.NODE_ENV': '"production"' };

/** What pages load of others: scripts and styles in their compressed form, and the licences. See test/tools/libraries.mjs; the portal's build takes GraphiQL. */
const LIBRARIES = 'src/http/libraries';

/** Another bundle is made only of another input: a program that starts meanwhile must not read half a file. */
const SQL = 'src/db/sql';
const MADE_OF = [
  `${COMPILED}/.tsbuildinfo`,
  'node_modules/.package-lock.json',
  'src/dev/bundle.mjs',
  'src/dev/stale.mjs',
  ...filesBelow(SQL),
  ...filesBelow(LIBRARIES),
];
const NEEDED = 'dist/.programs';

/** tsc's source maps go on into the bundle, so that a stack names our sources; libraries have none, which keeps the maps small. */
const sources = {
  name: 'sources',
  load: {
    filter: { id: /\.[cm]?js$/ },
    handler(id) {
      const code = readFileSync(id, 'utf8');
      if (id.includes('/node_modules/')) return { code, map: { mappings: '' } };
      // a require of our own would load libraries a second time, beside those of the bundle
      const bundled = code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
      return { code: bundled, map: readFileSync(`${id}.map`, 'utf8') };
    },
  },
};

/**
 * V8 keeps the text of a program, two bytes for each character when there is one beyond Latin-1: an escape says the same in all
 * places where a program may have one.
 */
const inLatin1 = (code) =>
  code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Lines without columns: Node reads a map when the first stack of its file is asked for, and every column of our own code would
 * hold the event loop for 50 ms then.
 */
function linesOnly({ mappings, ...map }) {
  const lines = decode(mappings).map((segments) =>
    segments.filter(([, source, line], n) => n === 0 || source !== segments[n - 1][1] || line !== segments[n - 1][2]),
  );
  return { ...map, mappings: encode(lines) };
}

/** The package of a module, as a directory below node_modules; undefined: our own. */
const packageOf = (module) =>
  /(?:^|\/)(node_modules\/.*)$/.exec(module)?.[1].match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];

/** Of each program: its files, from the bundle, the packages whose code is in them, and those that are not. */
function neededBy(output) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const reached = (name, seen = new Set()) => {
    if (seen.has(name)) return seen;
    seen.add(name);
    const { imports = [], dynamicImports = [] } = chunks.get(name) ?? {};
    for (const next of [...imports, ...dynamicImports]) reached(next, seen);
    return seen;
  };
  return Object.fromEntries(
    PROGRAMS.map((program) => {
      const names = [...reached(`${program}.js`)];
      const files = names.flatMap((name) => {
        const chunk = chunks.get(name);
        return chunk ? [name, ...(chunk.map ? [`${name}.map`] : [])] : [];
      });
      const packages = names.filter((name) => !chunks.has(name) && !isBuiltin(name));
      const modules = names.flatMap((name) => chunks.get(name)?.moduleIds ?? []);
      const bundled = [...new Set(modules.flatMap((module) => packageOf(module) ?? []))].toSorted();
      return [program, { files, packages, bundled }];
    }),
  );
}

async function bundle() {
  const made = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, `${COMPILED}/${name}.js`])),
    platform: 'node',
    external: EXTERNAL,
    resolve: { alias: ALIAS },
    transform: { define: DEFINED },
    plugins: [sources],
  });
  const { output } = await made.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => IS_DEMO.test(id)) ? 'dev/chunks/[name].js' : 'chunks/[name].js',
    comments: false,
    // type-graphql and the ORM read the names of classes
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  for (const { type, fileName, code, map } of output) {
    if (type !== 'chunk') continue;
    writeFileSync(`dist/${fileName}`, inLatin1(code));
    if (map) writeFileSync(`dist/${fileName}.map`, JSON.stringify(linesOnly(map)));
  }
  writeLibraries('viewer');
  rmSync('dist/db/sql', { recursive: true, force: true }); // a file may have gone
  cpSync(SQL, 'dist/db/sql', { recursive: true });
  const needed = neededBy(output);
  writeFileSync(NEEDED, JSON.stringify(needed, null, 1));
  removeStale(new Set(Object.values(needed).flatMap(({ files }) => files)), COMPILED);
}

/** The files of one directory, each script and style plain and in both compressed forms. */
function writeLibraries(place) {
  const [from, to] = [`${LIBRARIES}/${place}`, `dist/${place}`];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const kept = readFileSync(`${from}/${name}`);
    writeFileSync(`${to}/${name}`, kept);
    if (!name.endsWith('.br')) continue;
    const plain = brotliDecompressSync(kept);
    const served = `${to}/${path.basename(name, '.br')}`;
    writeFileSync(served, plain);
    writeFileSync(`${served}.gz`, gzipSync(plain, { level: 9 }));
  }
}

/** What is built, for /version and a metric: where there is no repository, as in an image, SOURCE_COMMIT says it. */
function commitOf() {
  if (process.env.SOURCE_COMMIT) return process.env.SOURCE_COMMIT;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  } catch {
    return 'unknown';
  }
}

await makeWhenChanged({ made: NEEDED, of: MADE_OF, note: 'dist/.bundle-made-of', make: bundle });
writeFileSync('dist/COMMIT', commitOf());
