import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AddressList } from '../core/addresses.js';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import { traced } from '../core/scope.js';
import { type Secret, sameBytes, sha256 } from '../core/secret.js';
import type { CallbackResult } from '../status-checks/callbacks.js';
import { clientAddress, decodePercent, decodeUtf8 } from './requests/head.js';

export const callbackPath = (provider: string): string => `/callbacks/${provider}`;
export const CALLBACK_ROUTE = callbackPath(':provider');

/** Providers send about ten. */
const MAX_FIELDS = 100;

type Refusal = 'unknown_provider' | 'wrong_secret' | 'wrong_address';

export interface CallbackParts {
  /** Providers that call back. */
  names: readonly string[];
  /** By provider, two while one replaces the other; without one its callbacks are off. */
  secrets: ReadonlyMap<string, readonly Secret[]>;
  /** The secret may come in the query too: for providers that can send no header, because proxies log queries. */
  secretInQuery: boolean;
  /** By provider; without one every address may call. */
  addresses: ReadonlyMap<string, AddressList>;
  take: (provider: string, fields: ReadonlyMap<string, string>) => Promise<CallbackResult>;
  count: (provider: string, result: CallbackResult | Refusal) => void;
  log: Logger;
}

/**
 * `GET` and `POST /callbacks/{provider}`: authenticated by the provider's secret (header `X-Callback-Secret`, or the query
 * parameter `secret` where that is allowed) and address. An authentic callback is answered 200 once it is stored, whatever it says, because a provider
 * repeats everything else. Refusals say nothing; nothing of a callback is logged, it carries personal data.
 */
export function mountCallbacks(app: FastifyInstance, parts: CallbackParts): void {
  const { take, count, log } = parts;
  void app.register(async (scope) => {
    // whatever the provider calls its body, it is text to look for fields in
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      // a callback is taken and stored, which HEAD must not do
      exposeHeadRoute: false,
      url: CALLBACK_ROUTE,
      config: { knowsItsCallers: true },
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
        const fields = fieldsOf(request);
        const result = await traced(
          'callback',
          'internal',
          { 'provider.name': provider },
          () => take(provider, fields),
          (taken) => ({ 'callback.result': taken }),
        );
        count(provider, result);
        return { status: 'ok' };
      },
    });
  });
}

function refusalOf(parts: CallbackParts, provider: string, request: FastifyRequest): Refusal | undefined {
  const secrets = parts.secrets.get(provider);
  if (!secrets || !parts.names.includes(provider)) return 'unknown_provider';
  const inQuery = parts.secretInQuery ? queryOf(request).get('secret') : undefined;
  const given = String(request.headers['x-callback-secret'] ?? inQuery ?? '');
  // each is compared, so that the time does not tell which one it was
  if (secrets.filter((secret) => sameText(given, secret.reveal())).length === 0) return 'wrong_secret';
  return (parts.addresses.get(provider)?.takes(clientAddress(request)) ?? true) ? undefined : 'wrong_address';
}

/** Constant in time, whatever the lengths. */
const sameText = (a: string, b: string): boolean => sameBytes(sha256(a), sha256(b));

const queryOf = ({ url }: FastifyRequest): Map<string, string> =>
  formFields(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Fields of a query or form. A field that is not UTF-8 is left out, and whatever comes after the first hundred. */
function formFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split('&', MAX_FIELDS)) {
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = formText(pair.slice(0, end));
    const value = formText(pair.slice(end + 1));
    if (name && value !== undefined) fields.set(name, value);
  }
  return fields;
}

const formText = (text: string): string | undefined => decodePercent(text.replaceAll('+', ' '));

/** Query and body together; of the body a JSON object's plain values, or a form's. A body that is not UTF-8 has no fields. */
function fieldsOf(request: FastifyRequest): Map<string, string> {
  const fields = queryOf(request);
  fields.delete('secret');
  const body = request.body instanceof Buffer ? (decodeUtf8(request.body)?.trim() ?? '') : '';
  for (const [name, value] of body.startsWith('{') ? jsonFields(body) : formFields(body)) fields.set(name, value);
  return fields;
}

function jsonFields(text: string): [string, string][] {
  try {
    return Object.entries(JSON.parse(text) as object)
      .slice(0, MAX_FIELDS)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [name, String(value)]);
  } catch {
    // half a body: what the query says counts, and that may be nothing
    return [];
  }
}
