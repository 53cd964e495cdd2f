// Part of `npm run build`: the viewer of the REST reference.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const PACKAGE = 'node_modules/@scalar/fastify-api-reference/package.json';
const MADE_OF = 'dist/viewer/.version';

/** The script as the plugin serves it. The plugin itself would keep it in the service's memory. */
async function viewerScript() {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const server = fastify();
  const content = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await server.register(scalar, { routePrefix: '/viewer', configuration: { content } });
  const { statusCode, body } = await server.inject('/viewer/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error('The plugin of the viewer serves its script in another place.');
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

/** Writes it once for each version, with its compressed forms beside it: five megabytes take a second to compress. */
export async function writeViewer() {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  if (statSync(MADE_OF, { throwIfNoEntry: false }) && readFileSync(MADE_OF, 'utf8') === version) return;
  const script = await viewerScript();
  mkdirSync('dist/viewer', { recursive: true });
  writeFileSync('dist/viewer/scalar.js', script);
  // the two best levels take ten times as long, for a tenth
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync('dist/viewer/scalar.js.br', brotliCompressSync(script, { params }));
  writeFileSync('dist/viewer/scalar.js.gz', gzipSync(script, { level: 9 }));
  writeFileSync(MADE_OF, version);
}
