import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../../core/environment.js';
import { packageRoot } from '../../core/package-root.js';
import { postmanCollection, postmanEnvironment } from '../../rest/postman/postman.js';
import type { OpenApi as PostmanSource } from '../../rest/postman/postman-document.js';
import { JSON_TEXT, type ServedDocument } from '../pages/static-documents.js';
import type { OpenApi } from './calls.js';
import { code, table } from './tables.js';
import { tarball } from './tarball.js';

/** Client library in `clients`, with the files of its package. */
interface Kit {
  language: string;
  directory: string;
  manifest: string;
  /** Name of the archive, without the version. */
  name: string;
  files: readonly string[];
}

const NODE: Kit = {
  language: 'Node.js',
  directory: 'clients/node',
  manifest: 'package.json',
  name: 'recharge-gateway-node',
  files: ['package.json', 'README.md', 'recharge-gateway.mjs', 'recharge-gateway.d.mts'],
};
const PHP: Kit = {
  language: 'PHP',
  directory: 'clients/php',
  manifest: 'composer.json',
  name: 'recharge-gateway-php',
  files: ['composer.json', 'README.md', 'RechargeGateway.php'],
};
const kits = [NODE, PHP];

const bytesOf = (file: string): Buffer => readFileSync(new URL(file, packageRoot));
const versionOf = ({ directory, manifest }: Kit): string =>
  (JSON.parse(bytesOf(`${directory}/${manifest}`).toString()) as { version: string }).version;
const pathOf = (kit: Kit): string => `/docs/kits/${kit.name}-${versionOf(kit)}.tgz`;
const packed = ({ directory, files }: Kit): Buffer =>
  tarball(Object.fromEntries(files.map((file) => [file, bytesOf(`${directory}/${file}`)])));

const COLLECTION = '/docs/kits/postman-collection.json';
const POSTMAN_ENVIRONMENT = '/docs/kits/postman-environment.json';

/** Returns the values for the guide about client libraries: link, version and checksum of each library. */
export const kitValues = (): Readonly<Record<string, string>> => ({
  kits: table(
    ['Client library', 'Version', 'File', 'SHA-256'],
    kits.map((kit) => [
      kit.language,
      versionOf(kit),
      `[${pathOf(kit).split('/').at(-1)!}](${pathOf(kit)})`,
      code(hash('sha256', packed(kit))),
    ]),
  ),
  kit_node: pathOf(NODE),
  kit_php: pathOf(PHP),
  kit_php_version: versionOf(PHP),
  postman: `[collection](${COLLECTION}) and [environment](${POSTMAN_ENVIRONMENT})`,
});

const AS_FILE = { 'content-type': 'application/gzip' };

/** Returns the archives of the client libraries, and the Postman collection and environment for this host. */
export function kitDocuments(
  openApi: () => OpenApi | Promise<OpenApi>,
  { environment, baseUrl }: { environment: Environment; baseUrl: string },
): ServedDocument[] {
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    ...kits.map((kit): ServedDocument => ({ path: pathOf(kit), headers: AS_FILE, text: () => packed(kit) })),
    {
      path: COLLECTION,
      headers: JSON_TEXT,
      text: async () => json(postmanCollection((await openApi()) as unknown as PostmanSource, environment)),
    },
    {
      path: POSTMAN_ENVIRONMENT,
      headers: JSON_TEXT,
      text: () => json(postmanEnvironment(environment === 'uat' ? 'UAT' : 'Production', environment, baseUrl)),
    },
  ];
}
