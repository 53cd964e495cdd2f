import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** One request to a simulated provider, read to its end. */
export interface Call {
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  /** The fields of a JSON object, URL-encoded form or multipart form, as text. Empty when the body is none of them. */
  fields: ReadonlyMap<string, string>;
}

const BODY_LIMIT_BYTES = 256 * 1024;

/** The whole body; undefined when it is over the limit. Rejects when the client goes away in the middle. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk); // what is over the limit is read on, or the refusal would not arrive
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Reads a body by its content type. Nested JSON values and files are left out: no provider takes them. */
export async function fieldsOf(contentType: string | undefined, body: Buffer): Promise<ReadonlyMap<string, string>> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  try {
    switch (type) {
      case 'application/json':
        return scalarFields(Object.entries(Object(JSON.parse(body.toString('utf8')))));
      case 'application/x-www-form-urlencoded':
        return new Map(new URLSearchParams(body.toString('utf8')));
      case 'multipart/form-data': {
        const form = await new Response(new Uint8Array(body), {
          headers: { 'content-type': contentType ?? '' },
        }).formData();
        return scalarFields([...form]);
      }
      case undefined:
      default: // an unknown type is a body without fields: the provider then misses its parameters
        return new Map();
    }
  } catch {
    return new Map();
  }
}

function scalarFields(entries: [string, unknown][]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of entries) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      fields.set(name, String(value));
    }
  }
  return fields;
}
