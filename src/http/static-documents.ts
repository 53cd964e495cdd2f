import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';
import { COMPRESSED } from './compression.js';

export interface StaticDocument {
  path: string;
  /** Its content type, and what else goes with it. */
  headers: Readonly<Record<string, string>>;
  /** Called once, for the first who asks. */
  text: () => string | Promise<string>;
}

export const JSON_TEXT = { 'content-type': 'application/json; charset=utf-8' };
/** New only with a new version of the service. */
const CACHED = 'public, max-age=300';

/** Documents that are the same for everybody. With an ETag: who has one already is told so, and gets it no second time. */
export async function mountStaticDocuments(app: FastifyInstance, documents: readonly StaticDocument[]): Promise<void> {
  await app.register(async (scope) => {
    // weak: the compressed form has the same one
    await scope.register(etag, { weak: true });
    for (const { path, headers, text } of documents) {
      let made: string | Promise<string> | undefined;
      scope.get(path, { compress: COMPRESSED }, async (_request, reply) =>
        reply.headers({ 'cache-control': CACHED, ...headers }).send(await (made ??= text())),
      );
    }
  });
}
