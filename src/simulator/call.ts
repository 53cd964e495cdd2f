import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Completely read request to a simulated provider. */
export interface Call {
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  /** Fields of a JSON object, URL-encoded form or multipart form, as text. They are empty for any other body. */
  fields: ReadonlyMap<string, string>;
}

const BODY_LIMIT_BYTES = 256 * 1024;

/** Reads the complete body. Resolves to undefined if it exceeds the limit. Rejects if the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk); // drains the excess, or the client would get no response
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Parses a body by its content type. Nested JSON values and files are omitted because no provider accepts them. */
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
      default: // a body of an unknown type has no fields, so the provider reports missing parameters
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
