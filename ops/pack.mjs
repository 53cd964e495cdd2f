// `npm run pack:production -- DIRECTORY`, after `npm run build`: creates a directory with everything that a production machine
// needs, and nothing else. The image contains it, and any machine with Node 26 can run it with `./gateway serve`.
//
// BASE_IMAGE, the base image of the image that is built, is recorded for `gateway doctor`.
//
// `--simulator` packs the simulator of the providers instead, for trials.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { simulator: { type: 'boolean' } }, allowPositionals: true });

/** Programs that write documents of the repository, or belong to the demo. */
const NOT_IN_PRODUCTION = /^(dev|simulator)\/|^cli\/(schema|settings)$/;
/** Documents and files that the operations listener serves. Nothing else in `ops` is packed, because it can contain secrets. */
const FOR_OPERATORS = 'ops/for-operators.json';
const { documents, files: filesForOperators } = JSON.parse(readFileSync(FOR_OPERATORS, 'utf8'));
/** Other files that the service reads: `/version` returns the commit, `/docs` shows the changelog and serves client libraries. */
const READ_BY_SERVICE = [
  FOR_OPERATORS,
  ...documents,
  ...filesForOperators,
  'dist/COMMIT',
  'dist/db/sql',
  'dist/viewer',
  'dist/portal',
  'portal/pages',
  'clients',
  'docs/guide',
];
const { isWanted, also } = values.simulator
  ? { isWanted: (program) => program === 'simulator/main', also: [] }
  : { isWanted: (program) => !NOT_IN_PRODUCTION.test(program), also: READ_BY_SERVICE };

/** Files of a package that no program loads. */
const NOT_LOADED = /\.(d\.[cm]?ts|map|md|markdown|flow)$|\/(docs?|tests?|types)$/;
const isLoaded = (file) => !NOT_LOADED.test(file) || /\/licen[cs]e[^/]*$/i.test(file);

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The files and packages of each program, as written by the build. */
function programs() {
  if (!existsSync('dist/.programs')) fail('dist/.programs is missing: run "npm run build" first.');
  const needed = Object.entries(JSON.parse(readFileSync('dist/.programs', 'utf8')));
  return needed.filter(([program]) => isWanted(program)).map(([, needs]) => needs);
}

/** The directory of a package as Node resolves it from another package; undefined if it is not installed. */
function placeOf(name, from) {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${place}${place && '/'}node_modules/${name}`;
    if (existsSync(candidate)) return candidate;
    if (place === '') return undefined;
  }
}

/** Directories below node_modules of packages and all their dependencies. */
function withDependencies(names) {
  const places = new Set();
  const add = (name, from, isOptional) => {
    const place = placeOf(name, from);
    if (place === undefined && !isOptional) fail(`${from} needs the package ${name}, which is not installed.`);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(path.join(place, 'package.json'), 'utf8'),
    );
    // packages of other platforms are not installed
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(next, place, next in optionalDependencies);
  };
  // packages that are no direct dependencies can be optional
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of names) add(name, '', !(name in dependencies));
  return [...places];
}

/** package.json without the fields that only `npm` needs. */
function shortPackageJson() {
  const { name, version, license, type, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  return `${JSON.stringify({ name, version, private: true, license, type, engines }, null, 2)}\n`;
}

/** Libraries that pages load. They are stored with the sources and served unchanged, so no program includes them. */
const served = values.simulator ? [] : JSON.parse(readFileSync('src/http/libraries/components.json', 'utf8'));
const SBOM = 'sbom.cdx.json';

/** The bill of materials (CycloneDX) of the packed packages, which are fewer than the installed ones. */
function billOfMaterials(places) {
  const named = places.map((place) => {
    const { name, version } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
  const packed = new Set(named);
  const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { metadata, components, dependencies, ...head } = JSON.parse(
    execFileSync('npm', words, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const { 'bom-ref': own, ...component } = metadata.component;
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  const found = components.filter((one) => packed.has(one['bom-ref']));
  const missing = named.filter((ref) => !found.some((one) => one['bom-ref'] === ref));
  if (missing.length > 0) fail(`Installed packages are missing in package-lock.json: ${missing.join(', ')}.`);
  const refs = new Set([own, ...packed]);
  const servedRefs = served.map((one) => one['bom-ref']);
  return {
    ...head,
    metadata: { ...metadata, component: { 'bom-ref': own, ...component, name } },
    components: [...found.map((one) => ({ ...one, scope: 'required' })), ...served],
    dependencies: [
      ...dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({
          ref,
          dependsOn: [...dependsOn.filter((other) => refs.has(other)), ...(ref === own ? servedRefs : [])],
        })),
      ...servedRefs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** The command `gateway`, which works from any directory and through links. */
const COMMAND = `#!/bin/sh
exec node --enable-source-maps "$(dirname "$(readlink -f "$0")")/dist/cli/gateway.js" "$@"
`;

/** Makes the files readable for all users and writable only for their owner, whatever the permissions of this checkout. */
function readableByAll(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    chmodSync(
      path.join(entry.parentPath, entry.name),
      entry.isDirectory() || entry.name.endsWith('.sh') ? 0o755 : 0o644,
    );
}

const sizeOf = (file) =>
  statSync(file).isDirectory()
    ? readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0)
    : statSync(file).size;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;

function pack(target) {
  if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`);
  const needs = programs();
  const files = new Set(needs.flatMap((need) => need.files).map((file) => `dist/${file}`));
  for (const file of [...files, ...also]) cpSync(file, path.join(target, file), { recursive: true });
  const beside = withDependencies(new Set(needs.flatMap(({ packages }) => packages)));
  for (const place of beside)
    cpSync(place, path.join(target, place), {
      recursive: true,
      // nested packages are copied separately
      filter: (file) => isLoaded(file.slice(place.length)) && path.basename(file) !== 'node_modules',
    });
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'package.json'), shortPackageJson());
  if (process.env.BASE_IMAGE) writeFileSync(path.join(target, 'dist/BASE_IMAGE'), `${process.env.BASE_IMAGE}\n`);
  const ofPortal = values.simulator ? [] : JSON.parse(readFileSync('dist/.portal-packages', 'utf8'));
  const inside = [...needs.flatMap(({ bundled }) => bundled), ...ofPortal];
  const places = [...new Set([...inside, ...beside])];
  writeFileSync(path.join(target, SBOM), `${JSON.stringify(billOfMaterials(places), null, 1)}\n`);
  readableByAll(target);
  if (!values.simulator) writeFileSync(path.join(target, 'gateway'), COMMAND, { mode: 0o755 });
}

const [target] = positionals;
if (target === undefined) fail('Enter the directory to create: npm run pack:production -- DIRECTORY');
pack(target);
const parts = readdirSync(target).toSorted();
for (const part of parts) console.log(`${megabytes(sizeOf(path.join(target, part)))}  ${part}`);
console.log(`${megabytes(sizeOf(target))}  ${target}`);
