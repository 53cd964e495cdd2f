// `npm run pin-images`: resolves the image names in the Dockerfile, compose.yaml and ops/kubernetes to digests, and writes them
// into these files as NAME:TAG@sha256:…. Existing digests are replaced with the current digest of the tag. Registries are queried
// anonymously over their HTTP API (OCI distribution). Images of this repository have no registry and are skipped.
//
//   --check        queries no registry and writes nothing: lists images without a digest
//   DIRECTORY      checkout to use; by default, this one
//
// Exit code 0: every image has a digest · 3: at least one image has no digest.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const NOT_PINNED = 3;
const TIMEOUT_MS = 20_000;

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const [root = '.'] = positionals;

/** Patterns of image names per file. The first group is the text before the name. */
const PLACES = [
  { files: ['Dockerfile'], name: /^(ARG [A-Z_]+_IMAGE=)(\S+)$/gm },
  { files: ['compose.yaml'], name: /^( +image: \$\{[A-Z_]+_IMAGE:-)([^}\s]+)(?=\})/gm },
  { files: ['ops/kubernetes/**/*.yaml'], name: /^( +image: )(\S+)$/gm },
];
const OWN = /^recharge-gateway(-simulator)?$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Manifests for several platforms come first, because their digest is valid on every platform. */
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The registry, repository and tag of a name, as Docker reads names. */
function partsOf(name) {
  const [, place, tag = 'latest'] = /^(.*?)(?::([\w.-]+))?$/.exec(name);
  const slash = place.indexOf('/');
  const first = place.slice(0, Math.max(slash, 0));
  if (!/[.:]|^localhost$/.test(first))
    return { origin: 'https://registry-1.docker.io', repository: slash < 0 ? `library/${place}` : place, tag };
  // like Docker: only a registry on this machine can be used without TLS
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(first);
  return { origin: `${isLocal ? 'http' : 'https'}://${first}`, repository: place.slice(slash + 1), tag };
}

class Unresolved extends Error {}

async function ask(url, headers) {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Unresolved(`no response (${error.cause?.code ?? error.name})`);
  }
}

/** The authorization header of an anonymous caller, as required by the challenge of the registry. */
async function authorizationBy(challenge, repository) {
  const fields = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  if (!/^bearer /i.test(challenge) || !fields.realm) throw new Unresolved('401');
  const query = new URLSearchParams({ scope: fields.scope ?? `repository:${repository}:pull` });
  if (fields.service) query.set('service', fields.service);
  const answer = await ask(`${fields.realm}?${query}`, {});
  if (!answer.ok) throw new Unresolved(`${answer.status} for a token`);
  const { token, access_token: accessToken } = await answer.json();
  return `Bearer ${token ?? accessToken}`;
}

/** The digest of a tag, computed from the manifest instead of trusting a header. */
async function digestOf(name) {
  const { origin, repository, tag } = partsOf(name);
  const url = `${origin}/v2/${repository}/manifests/${tag}`;
  let answer = await ask(url, { accept: MANIFESTS });
  const challenge = answer.headers.get('www-authenticate');
  if (answer.status === 401 && challenge)
    answer = await ask(url, { accept: MANIFESTS, authorization: await authorizationBy(challenge, repository) });
  if (!answer.ok) throw new Unresolved(String(answer.status));
  const manifest = Buffer.from(await answer.arrayBuffer());
  if (!/manifest|index/.test(answer.headers.get('content-type') ?? '')) throw new Unresolved('no manifest');
  return `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
}

/** The new name of each image. Each name is resolved once. */
const resolved = new Map();
async function pinned(name) {
  if (values.check) return name;
  const tagged = name.replace(DIGEST, '');
  if (!resolved.has(tagged)) {
    try {
      resolved.set(tagged, { name: `${tagged}@${await digestOf(tagged)}` });
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      resolved.set(tagged, { reason: `the registry returned ${error.message}` });
    }
  }
  return resolved.get(tagged).name ?? name;
}

const seen = new Map();
for (const { files, name } of PLACES)
  for (const file of files.flatMap((pattern) => globSync(path.join(root, pattern)).toSorted())) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const names = [...text.matchAll(name)].map(([, , image]) => image).filter((image) => !OWN.test(image));
    const changes = new Map();
    for (const image of names) changes.set(image, await pinned(image));
    const next = text.replaceAll(name, (line, before, image) =>
      changes.has(image) ? before + changes.get(image) : line,
    );
    if (next !== text) writeFileSync(file, next);
    for (const image of changes.values()) seen.set(image, [...(seen.get(image) ?? []), path.relative(root, file)]);
  }

const open = [...seen.keys()].filter((image) => !DIGEST.test(image));
for (const [image, files] of seen) {
  const reason = resolved.get(image)?.reason;
  const state = DIGEST.test(image) ? 'pinned' : `not pinned${reason ? `: ${reason}` : ''}`;
  console.log(`${image}  ${state} (${[...new Set(files)].join(', ')})`);
}
if (open.length > 0) {
  console.log(`images not pinned: ${open.length} of ${seen.size}`);
  process.exitCode = NOT_PINNED;
} else console.log(`all ${seen.size} images are pinned`);
