import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { directory, registry, run } from './registry.fixture.js';

describe('npm run pin-images', () => {
  const MANIFEST = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const digest = `sha256:${createHash('sha256').update(MANIFEST).digest('hex')}`;
  const INDEX = 'application/vnd.oci.image.index.v1+json';

  /** The files of this repository that name images, with all images at one registry. */
  function checkout(host: string): string {
    const created = directory();
    for (const file of ['Dockerfile', 'compose.yaml', 'ops/kubernetes'])
      cpSync(file, path.join(created, file), { recursive: true });
    const kubernetes = ['base/migrate.yaml', 'probe/blackbox.yaml'].map((file) => `ops/kubernetes/${file}`);
    for (const file of ['Dockerfile', 'compose.yaml', ...kubernetes]) {
      const place = path.join(created, file);
      const text = readFileSync(place, 'utf8').replaceAll(
        /(_IMAGE=|_IMAGE:-|image: )(?!recharge-gateway|\$)/g,
        `$1${host}/`,
      );
      writeFileSync(place, text);
    }
    return created;
  }
  const textOf = (created: string, file: string): string => readFileSync(path.join(created, file), 'utf8');
  const manifests =
    (queries: string[]): RequestListener =>
    (request, response) => {
      queries.push(request.url!);
      response.setHeader('content-type', INDEX).end(MANIFEST);
    };

  it('writes the digest of every image, with one query for each, and does not touch images of this repository', async () => {
    const queries: string[] = [];
    const host = await registry(manifests(queries));
    const created = checkout(host);
    const { code, output } = await run('ops/pin-images.mjs', [created]);
    expect(output).toMatch(/^all \d+ images are pinned$/m);
    expect(code).toBe(0);
    expect(textOf(created, 'Dockerfile')).toContain(`\nARG NODE_IMAGE=${host}/node:26-bookworm-slim@${digest}\n`);
    expect(textOf(created, 'ops/kubernetes/base/migrate.yaml')).toContain(`image: ${host}/postgres:18@${digest}\n`);
    const images = [...textOf(created, 'compose.yaml').matchAll(/^ +image: \$\{[A-Z_]+:-(.*)\}$/gm)].map(
      ([, image]) => image!,
    );
    expect(images.length).toBeGreaterThan(10);
    expect(images.filter((image) => !image.endsWith(`@${digest}`)).toSorted()).toEqual([
      'recharge-gateway',
      'recharge-gateway-simulator',
    ]);
    expect(queries).toContain('/v2/valkey/valkey/manifests/8');
    expect(queries.length).toBe(new Set(queries).size);
    expect(await run('ops/pin-images.mjs', ['--check', created])).toMatchObject({ code: 0 });
  });

  it('replaces a digest with the current one of the tag, and gets an anonymous token if the registry requires one', async () => {
    const queries: string[] = [];
    const host: string = await registry((request, response) => {
      if (request.url!.startsWith('/token?')) {
        queries.push(request.url!);
        response.end(JSON.stringify({ token: 'anonymous' }));
      } else if (request.headers.authorization === 'Bearer anonymous') manifests(queries)(request, response);
      else {
        const challenge = `Bearer realm="http://${request.headers.host}/token",service="registry",scope="repository:node:pull"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      }
    });
    const created = directory();
    writeFileSync(path.join(created, 'Dockerfile'), `ARG NODE_IMAGE=${host}/node:26@sha256:${'0'.repeat(64)}\n`);
    expect(await run('ops/pin-images.mjs', [created])).toMatchObject({ code: 0 });
    expect(textOf(created, 'Dockerfile')).toBe(`ARG NODE_IMAGE=${host}/node:26@${digest}\n`);
    expect(queries).toEqual(['/token?scope=repository%3Anode%3Apull&service=registry', '/v2/node/manifests/26']);
  });

  it.each<[string, RequestListener]>([
    ['404', (_request, response) => response.writeHead(404).end()],
    ['no response', (request) => request.socket.destroy()],
    ['no manifest', (_request, response) => response.setHeader('content-type', 'text/html').end('<html>')],
  ])('exits with 3, lists the images that are not pinned and changes nothing: %s', async (reason, reply) => {
    const created = checkout(await registry(reply));
    const original = textOf(created, 'compose.yaml');
    const { code, output } = await run('ops/pin-images.mjs', [created]);
    expect(code).toBe(3);
    expect(output).toContain(`not pinned: the registry returned ${reason}`);
    expect(output).toMatch(/^images not pinned: (\d+) of \1$/m);
    expect(textOf(created, 'compose.yaml')).toBe(original);
  });

  it('--check sends no query, and knows each image of this repository', async () => {
    const { code, output } = await run('ops/pin-images.mjs', ['--check']);
    expect(code).toBe(output.includes('images not pinned') ? 3 : 0);
    expect(output).toMatch(/^node:26-bookworm-slim\S* {2}/m);
    expect(output).toMatch(/^postgres:18\S* {2}.*\(compose\.yaml, ops\/kubernetes\/base\/migrate\.yaml\)$/m);
  });
});
