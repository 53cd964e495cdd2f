// Libraries that pages of the service load, built from the packages of this directory. They are stored in src/http/libraries, so
// that the product does not depend on these packages; `npm run libraries` writes them again.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { graphiqlScript, graphiqlStyle } from './graphiql.mjs';

const PACKAGES = path.join(import.meta.dirname, 'node_modules');
const VIEWER = '@scalar/fastify-api-reference';
const SERVED = ['graphiql', VIEWER];

/** The script as the plugin serves it. The plugin itself would keep it in the memory of the service. */
async function viewerScript() {
  const server = fastify();
  const content = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await server.register(scalar, { routePrefix: '/viewer', configuration: { content } });
  const { statusCode, body } = await server.inject('/viewer/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error('The viewer plugin serves its script at a different path.');
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

/** License notice of a package. */
function noticeOf(name) {
  const home = path.join(PACKAGES, name);
  const { license, author, repository } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file
    ? readFileSync(path.join(home, file), 'utf8').trim().replaceAll('\r\n', '\n')
    : [author?.name ?? author, repository?.url ?? repository].filter(Boolean).join('\n');
  return `${name} (${license})\n\n${text}`;
}
const noticesOf = (names) => `${names.map(noticeOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;

/** Entries of the software bill of materials. */
function components() {
  const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const options = {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  const all = JSON.parse(execFileSync('npm', words, options)).components;
  return SERVED.map((name) =>
    all.find(({ purl }) => decodeURIComponent(purl).replace(/@[^@]+$/, '') === `pkg:npm/${name}`),
  );
}

/** All files by their path below src/http/libraries. */
export async function libraries() {
  const graphiql = await graphiqlScript(import.meta.dirname);
  return new Map([
    ['graphiql/graphiql.js', graphiql.code],
    ['graphiql/graphiql.css', graphiqlStyle(import.meta.dirname)],
    ['graphiql/LICENSES.txt', noticesOf(graphiql.packages)],
    ['viewer/scalar.js', await viewerScript()],
    ['viewer/LICENSES.txt', noticesOf([VIEWER])],
    ['components.json', `${JSON.stringify(components(), null, 2)}\n`],
  ]);
}

/** Scripts and styles are stored compressed, at 10 to 25 percent of their size. */
export const isCompressed = (file) => /\.(js|css)$/.test(file);
