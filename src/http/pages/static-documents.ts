import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from '@fastify/etag';
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { routerPath } from '../../rest/path.js';
import { THRESHOLD_BYTES } from '../compression.js';

interface DocumentBase {
  path: string;
  /** Content type and additional headers. */
  headers: Readonly<Record<string, string>>;
}

export interface GeneratedDocument extends DocumentBase {
  /** Returns the content. It is called once, on the first request. */
  text: () => string | Buffer | Promise<string>;
}

/** Document that is too large to be kept in memory. The build creates the file and its compressed forms (.br, .gz). */
export interface StoredDocument extends DocumentBase {
  file: URL;
}

export type ServedDocument = GeneratedDocument | StoredDocument;

export const JSON_TEXT = { 'content-type': 'application/json; charset=utf-8' };
/** Cache header of documents, which change only with a new version of the service. */
const CACHED = 'public, max-age=300';

type Encoding = 'br' | 'gzip' | 'identity';
/** File extensions by encoding, in order of preference. */
const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };
const ENCODINGS = Object.keys(SUFFIXES) as Encoding[];

function encodingFor(request: FastifyRequest): Encoding {
  const accepted = new Negotiator(request).encodings([...ENCODINGS]);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const QUALITY = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, gzip: { level: 9 } };

/** Serves documents that are the same for all callers. They have an ETag, so a client with a current copy gets 304. */
export async function mountStaticDocuments(app: FastifyInstance, documents: readonly ServedDocument[]): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(etag);
    for (const document of documents) if ('text' in document) mountGenerated(scope, document);
  });
  for (const document of documents) if ('file' in document) mountStored(app, document);
}

/**
 * One copy per encoding in memory, shared by all connections. So a client that does not read its response uses no additional
 * memory.
 */
class SharedDocument {
  readonly #forms = new Map<Encoding, Promise<Buffer>>();
  #etag: string | undefined;

  constructor(private readonly text: GeneratedDocument['text']) {}

  /** Returns a weak ETag, because the compressed forms have the same one. */
  async etag(): Promise<string> {
    return (this.#etag ??= `W/"${hash('sha1', await this.contentAs('identity'), 'base64')}"`);
  }

  contentAs(encoding: Encoding): Promise<Buffer> {
    const content = this.#forms.get(encoding) ?? this.#encode(encoding);
    this.#forms.set(encoding, content);
    return content;
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return asBytes(await this.text());
    const content = await this.contentAs('identity');
    return compressors[encoding](content, QUALITY[encoding]);
  }
}

const asBytes = (content: string | Buffer): Buffer => (typeof content === 'string' ? Buffer.from(content) : content);

function mountGenerated(scope: FastifyInstance, { path, headers, text }: GeneratedDocument): void {
  const document = new SharedDocument(text);
  scope.get(path, { config: { isFile: true } }, async (request, reply) => {
    void reply.headers({ 'cache-control': CACHED, etag: await document.etag(), ...headers });
    const content = await document.contentAs('identity');
    const isPacked = headers['content-type'] === 'application/gzip';
    if (content.length < THRESHOLD_BYTES || isPacked) return reply.send(content);
    void reply.header('vary', 'accept-encoding');
    const encoding = encodingFor(request);
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.send(await document.contentAs(encoding));
  });
}

/** Chunk size of a file. Some chunks are buffered if the client does not read. */
const PIECE_BYTES = 32 * 1024;

function mountStored(app: FastifyInstance, { path, headers, file }: StoredDocument): void {
  const root = fileURLToPath(new URL('.', file));
  const name = basename(fileURLToPath(file));
  app.get(routerPath(path), { config: { isFile: true } }, async (request, reply) => {
    const encoding = encodingFor(request);
    const options = { root, contentType: false, cacheControl: false, acceptRanges: false, highWaterMark: PIECE_BYTES };
    const found = await send(request.raw, `/${name}${SUFFIXES[encoding]}`, options);
    if (found.type !== 'file') throw new Error(`The build does not contain ${name}.`);
    try {
      request.held?.take(Math.min(found.metadata.stat.size, 4 * PIECE_BYTES));
    } catch (error) {
      found.stream.destroy();
      throw error;
    }
    return reply
      .code(found.statusCode)
      .headers({ ...found.headers, 'cache-control': CACHED, vary: 'accept-encoding', ...headers })
      .headers(encoding === 'identity' ? {} : { 'content-encoding': encoding })
      .send(found.stream);
  });
}
