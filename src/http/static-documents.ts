import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import etag from '@fastify/etag';
import { send } from '@fastify/send';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { COMPRESSED } from './compression.js';

interface Served {
  path: string;
  /** Its content type, and what else goes with it. */
  headers: Readonly<Record<string, string>>;
}

export interface MadeDocument extends Served {
  /** Called once, for the first who asks. */
  text: () => string | Promise<string>;
}

/** Too large to be kept in memory. The build has put it there, and its compressed forms (.br, .gz) beside it. */
export interface StoredDocument extends Served {
  file: URL;
}

export type ServedDocument = MadeDocument | StoredDocument;

export const JSON_TEXT = { 'content-type': 'application/json; charset=utf-8' };
/** New only with a new version of the service. */
const CACHED = 'public, max-age=300';

/** Documents that are the same for everybody. With an ETag: who has one already is told so, and gets it no second time. */
export async function mountStaticDocuments(app: FastifyInstance, documents: readonly ServedDocument[]): Promise<void> {
  await app.register(async (scope) => {
    // weak: the compressed form has the same one
    await scope.register(etag, { weak: true });
    for (const document of documents) if ('text' in document) mountMade(scope, document);
  });
  for (const document of documents) if ('file' in document) mountStored(app, document);
}

function mountMade(scope: FastifyInstance, { path, headers, text }: MadeDocument): void {
  let made: string | Promise<string> | undefined;
  scope.get(path, { compress: COMPRESSED }, async (_request, reply) =>
    reply.headers({ 'cache-control': CACHED, ...headers }).send(await (made ??= text())),
  );
}

/** What a file is called in each encoding, the best one first. */
const SUFFIXES: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' };
const ENCODINGS = Object.keys(SUFFIXES);

function mountStored(app: FastifyInstance, { path, headers, file }: StoredDocument): void {
  const root = fileURLToPath(new URL('.', file));
  const name = basename(fileURLToPath(file));
  app.get(path, async (request, reply) => {
    const accepted = new Negotiator(request).encodings(ENCODINGS);
    const encoding = ENCODINGS.find((one) => accepted.includes(one)) ?? 'identity';
    const options = { root, contentType: false, cacheControl: false, acceptRanges: false };
    const found = await send(request.raw, `/${name}${SUFFIXES[encoding]!}`, options);
    if (found.type !== 'file') throw new Error(`The build has left no ${name}.`);
    return reply
      .code(found.statusCode)
      .headers({ ...found.headers, 'cache-control': CACHED, vary: 'accept-encoding', ...headers })
      .headers(encoding === 'identity' ? {} : { 'content-encoding': encoding })
      .send(found.stream);
  });
}
