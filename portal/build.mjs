// Part of `npm run build`: builds dist/portal from this folder and adds compressed versions of each file. Skipped when no
// input has changed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesBelow, makeWhenChanged } from '../src/dev/made-of.mjs';

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, '../dist');
const OUT = path.join(DIST, 'portal');
/** Build directory, so that a service that starts during the build never serves an incomplete portal. */
const UNDER_WAY = path.join(DIST, '.portal');
/** GraphiQL, with the licenses of the packages it contains. */
const GRAPHIQL = path.join(ROOT, '../src/http/libraries/graphiql');
/** Packages in the bundle, for the bill of materials that `npm run pack:production` writes. */
const PACKAGES = path.join(DIST, '.portal-packages');

const MADE_OF = [
  path.join(ROOT, '../node_modules/.package-lock.json'),
  path.join(ROOT, '../src/http/pages/portal-paths.ts'),
  path.join(ROOT, '../src/audit/audit-actions.ts'),
  ...filesBelow(GRAPHIQL),
  ...filesBelow(ROOT),
];

const packageOf = (module) => /.*\/(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];

const RULE = '-'.repeat(72);

/** License texts of the packages. The licenses require that they are distributed with the code. */
function licencesOf(places) {
  const texts = places.map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(`${place}/package.json`, 'utf8'));
    const file = readdirSync(place).find((one) => /^licen[cs]e(\.md|\.txt)?$/i.test(one));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(`${place}/${file}`, 'utf8').trim() : ''}\n`;
  });
  return texts.join(`\n${RULE}\n\n`);
}

async function build() {
  // With any other value, the bundle contains the development build of React.
  process.env.NODE_ENV = 'production';
  // Loaded only when a build is necessary.
  const { build: bundle } = await import('vite');
  const { output } = await bundle({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: UNDER_WAY, emptyOutDir: true },
  });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const places = [...new Set(modules.flatMap((module) => packageOf(module) ?? []))].toSorted((one, other) =>
    one.localeCompare(other, 'en'),
  );
  const inside = readFileSync(path.join(GRAPHIQL, 'LICENSES.txt'), 'utf8');
  writeFileSync(path.join(UNDER_WAY, 'assets/licences.txt'), [licencesOf(places), inside].join(`\n${RULE}\n\n`));
  for (const file of filesBelow(UNDER_WAY)) {
    const content = readFileSync(file);
    // Quality 11 makes files 1.5% smaller but takes more than twice as long.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
  rmSync(OUT, { recursive: true, force: true });
  renameSync(UNDER_WAY, OUT);
  writeFileSync(PACKAGES, JSON.stringify(places));
}

mkdirSync(DIST, { recursive: true });
await makeWhenChanged({ made: OUT, of: MADE_OF, note: path.join(DIST, '.portal-made-of'), make: build });
