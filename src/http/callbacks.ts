import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AddressList } from '../core/address-list.js';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import { type Secret, sameBytes, tokenHash } from '../core/secret.js';
import type { CallbackResult } from '../orders/callbacks.js';

export const callbackPath = (provider: string): string => `/callbacks/${provider}`;

type Refusal = 'unknown_provider' | 'wrong_secret' | 'wrong_address';

export interface CallbackParts {
  /** Providers that call back. */
  names: readonly string[];
  /** By provider; without one its callbacks are off. */
  secrets: ReadonlyMap<string, Secret>;
  /** By provider; without one every address may call. */
  addresses: ReadonlyMap<string, AddressList>;
  take: (provider: string, fields: ReadonlyMap<string, string>) => Promise<CallbackResult>;
  count: (provider: string, result: CallbackResult | Refusal) => void;
  log: Logger;
}

/**
 * `GET` and `POST /callbacks/{provider}`: authenticated by the provider's secret (query parameter `secret` or header
 * `X-Callback-Secret`) and address. An authentic callback is answered 200 once it is stored, whatever it says, because a provider
 * repeats everything else. Refusals say nothing; nothing of a callback is logged, it carries personal data.
 */
export function mountCallbacks(app: FastifyInstance, parts: CallbackParts): void {
  const { take, count, log } = parts;
  void app.register(async (scope) => {
    // whatever the provider calls its body, it is text to look for fields in
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      url: callbackPath(':provider'),
      // before the body is read: a forger costs next to nothing
      onRequest: async (request) => {
        const { provider } = request.params;
        const refusal = refusalOf(parts, provider, request);
        if (!refusal) return;
        // a name that somebody made up is no label
        const known = refusal === 'unknown_provider' ? 'unknown' : provider;
        count(known, refusal);
        log.warn({ provider: known, refusal }, 'callback refused');
        throw refusal === 'unknown_provider'
          ? new AppError('NOT_FOUND')
          : new AppError('UNAUTHENTICATED', { message: 'This callback is not accepted.' });
      },
      handler: async (request) => {
        const { provider } = request.params;
        count(provider, await take(provider, fieldsOf(request)));
        return { status: 'ok' };
      },
    });
  });
}

function refusalOf(parts: CallbackParts, provider: string, request: FastifyRequest): Refusal | undefined {
  const secret = parts.secrets.get(provider);
  if (!secret || !parts.names.includes(provider)) return 'unknown_provider';
  const given = request.headers['x-callback-secret'] ?? queryOf(request).get('secret') ?? '';
  if (!sameText(String(given), secret.reveal())) return 'wrong_secret';
  return (parts.addresses.get(provider)?.takes(request.ip) ?? true) ? undefined : 'wrong_address';
}

/** Constant in time, whatever the lengths. */
const sameText = (a: string, b: string): boolean => sameBytes(tokenHash(a), tokenHash(b));

const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Query and body together; of the body a JSON object's plain values, or a form's. */
function fieldsOf(request: FastifyRequest): Map<string, string> {
  const fields = new Map(queryOf(request));
  fields.delete('secret');
  const body = typeof request.body === 'string' ? request.body.trim() : '';
  if (!body.startsWith('{')) return new Map([...fields, ...new URLSearchParams(body)]);
  try {
    for (const [name, value] of Object.entries(JSON.parse(body) as object))
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        fields.set(name, String(value));
  } catch {
    // half a body: what the query says counts, and that may be nothing
  }
  return fields;
}
