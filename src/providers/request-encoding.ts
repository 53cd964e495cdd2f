import type { ProviderRequest } from './http-client.js';

export interface EncodedBody {
  contentType: string;
  bytes: Uint8Array | string;
}

/** The body as bytes, so that its length is known and the whole request leaves in one write. */
export async function encodeBody(body: ProviderRequest['body']): Promise<EncodedBody | undefined> {
  if (body === undefined) return undefined;
  if ('json' in body) return { contentType: 'application/json', bytes: JSON.stringify(body.json) };
  if ('form' in body) {
    return { contentType: 'application/x-www-form-urlencoded', bytes: new URLSearchParams(body.form).toString() };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body.multipart)) form.set(name, value);
  // A Response knows how to write a form and which boundary it chose.
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: await encoded.bytes() };
}

/** "?a=1&b=" or "". Undefined values are left out; a blank becomes %20, which every server reads, in a path too. */
export function encodeQuery(query: ProviderRequest['query'] = {}): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return present.length === 0 ? '' : `?${new URLSearchParams(present).toString().replaceAll('+', '%20')}`;
}
