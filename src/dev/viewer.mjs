// Part of `npm run build`: the large files of pages, each with its compressed forms beside it.
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

/** Writes a file and its compressed forms. */
export function writeForms(file, content) {
  writeFileSync(file, content);
  // the two best levels take ten times as long, for a tenth
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

/** Writes it once for each version: five megabytes take a second to compress. */
export async function writeViewer() {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  if (statSync(MADE_OF, { throwIfNoEntry: false }) && readFileSync(MADE_OF, 'utf8') === version) return;
  const script = await viewerScript();
  mkdirSync('dist/viewer', { recursive: true });
  writeForms('dist/viewer/scalar.js', script);
  writeFileSync(MADE_OF, version);
}
