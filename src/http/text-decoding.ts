import type { FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined when the bytes are not UTF-8: a replacement character would make different texts equal. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What a header says. Bytes that are not UTF-8 stay bytes, which no rule takes for a text. */
export function headerText(value: string | string[] | undefined): string | Uint8Array | undefined {
  if (typeof value !== 'string') return undefined;
  const bytes = Buffer.from(value, 'latin1');
  return decodeUtf8(bytes) ?? bytes;
}

/** A percent-encoded text; a lone "%" stands for itself. Undefined when it is not UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return undefined;
  }
}

/** Errors: MALFORMED_REQUEST, which names the parameter when it is one of the route's. */
export function assertUtf8Query({ url }: FastifyRequest, known: () => Iterable<string>): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  for (const pair of url.slice(start + 1).split('&')) {
    // other bytes than those of ASCII do not belong in a URL, and nobody says what they mean
    if (/^[\x20-\x7e]*$/.test(pair) && decodePercent(pair) !== undefined) continue;
    const name = [...known()].find((field) => pair.startsWith(`${field}=`));
    throw new AppError('MALFORMED_REQUEST', {
      message: `${name === undefined ? 'The query' : `The query parameter "${name}"`} is not percent-encoded UTF-8.`,
    });
  }
}
