// Part of `npm run build`: makes dist/portal of this folder, with the compressed forms of each file beside it. Nothing is done when
// nothing has changed that it is made of.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesBelow, makeWhenChanged } from '../src/dev/made-of.mjs';

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, '../dist');
const OUT = path.join(DIST, 'portal');
/** A service that starts meanwhile must not serve half of it. */
const UNDER_WAY = path.join(DIST, '.portal');
/** GraphiQL, with the notices of the packages that are inside it. */
const GRAPHIQL = path.join(ROOT, '../src/http/libraries/graphiql');
/** The packages whose code is in it, for the bill of materials that `npm run pack:production` writes. */
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

/** What the licences of the packages want: that they are handed on with the code. */
function licencesOf(places) {
  const texts = places.map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(`${place}/package.json`, 'utf8'));
    const file = readdirSync(place).find((one) => /^licen[cs]e(\.md|\.txt)?$/i.test(one));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(`${place}/${file}`, 'utf8').trim() : ''}\n`;
  });
  return texts.join(`\n${RULE}\n\n`);
}

async function build() {
  // whatever runs this has its own idea of it, and with another one the pages hold what React needs while it is developed
  process.env.NODE_ENV = 'production';
  // loaded only where there is something to do
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
    // of the best quality, 11, a file is 1.5 % smaller and takes more than twice the time
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
