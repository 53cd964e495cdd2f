// Part of `npm run build`, after tsc: bundles each program with its libraries. Node then loads about 30 files instead of 2,800,
// which took most of the start-up time. Shared code of the programs is in dist/chunks, shared code of the demo in
// dist/dev/chunks. dist/.programs lists the files and packages of each program, and `npm run pack:production` reads it.
//
// A module runs after its imports, but two imports of one module can run in a different order if they are in different chunks.
// Modules that require reflect-metadata therefore import it, or import a module that does. (strictExecutionOrder adds a sixth to
// the start-up time.)
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

/** Entry points that are started by scripts, other programs or tests, or as threads. */
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
  'dev/alongside-demo',
  'dev/local-postgres',
  'dev/simulator-process',
  'dev/start',
  'simulator/main',
];

/** Modules that must not be part of a production program. */
const IS_DEMO = new RegExp(`/${COMPILED}/(dev|simulator)/`);

/**
 * Not bundled: native modules, and the two libraries for external connections, so code that is loaded before a program
 * (instrumentation, fault injection of tests) uses the same instance. class-validator is an optional peer of type-graphql and is
 * not installed.
 */
const EXTERNAL = ['@node-rs/argon2', 'pg', 'undici', 'class-validator'];

/** Apollo looks up the hash of Node in a way that fails in a bundle, and would use a JavaScript implementation. */
const ALIAS = {
  '@apollo/utils.createhash': 'node:crypto',
  // ES modules, so unused code is removed
  validator: path.resolve('node_modules/validator/es/index.js'),
};

/** Only graphql reads it, for every type check. In other environments, it searches for a second instance of itself. */
const DEFINED = { 'process.env.NODE_ENV': '"production"' };

/**
 * Third-party scripts and styles of pages, compressed, and the licenses. See test/tools/libraries.mjs. GraphiQL is part of the
 * portal build.
 */
const LIBRARIES = 'src/http/libraries';

/** The bundle is rebuilt only if an input has changed, so a program that starts in the meantime does not read partial files. */
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

/**
 * Passes the source maps of tsc to the bundle, so stack traces refer to our sources. Libraries have none, which keeps the maps
 * small.
 */
const sources = {
  name: 'sources',
  load: {
    filter: { id: /\.[cm]?js$/ },
    handler(id) {
      const code = readFileSync(id, 'utf8');
      if (id.includes('/node_modules/')) return { code, map: { mappings: '' } };
      // a separate require would load libraries a second time, in addition to those of the bundle
      const bundled = code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
      return { code: bundled, map: readFileSync(`${id}.map`, 'utf8') };
    },
  },
};

/**
 * V8 keeps the text of a program in memory, with two bytes per character if one is beyond Latin-1. Escapes are equivalent
 * wherever a program can contain such characters.
 */
const inLatin1 = (code) =>
  code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Source maps without columns. Node parses a map when the first stack trace of its file is created, and parsing every column of
 * our code would block the event loop for 50 ms.
 */
function linesOnly({ mappings, ...map }) {
  const lines = decode(mappings).map((segments) =>
    segments.filter(([, source, line], n) => n === 0 || source !== segments[n - 1][1] || line !== segments[n - 1][2]),
  );
  return { ...map, mappings: encode(lines) };
}

/** Package of a module, as a directory below node_modules. Undefined for our own modules. */
const packageOf = (module) =>
  /(?:^|\/)(node_modules\/.*)$/.exec(module)?.[1].match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];

/** For each program: its files in the bundle, the packages bundled in them, and the packages that are not bundled. */
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
    // type-graphql and the ORM read class names
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
  rmSync('dist/db/sql', { recursive: true, force: true }); // files may have been removed
  cpSync(SQL, 'dist/db/sql', { recursive: true });
  const needed = neededBy(output);
  writeFileSync(NEEDED, JSON.stringify(needed, null, 1));
  removeStale(new Set(Object.values(needed).flatMap(({ files }) => files)), COMPILED);
}

/** Writes the files of a directory, with each script and style uncompressed and in both compressed forms. */
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

/**
 * Commit of the build, for /version and a metric. SOURCE_COMMIT provides it if there is no repository, for example in an image.
 */
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
