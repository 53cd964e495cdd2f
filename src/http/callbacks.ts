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

/** Upper limit for the fields of a callback. Providers send about ten. */
const MAX_FIELDS = 100;

type CallbackRejection = 'unknown_provider' | 'wrong_secret' | 'wrong_address';

export interface CallbackParts {
  /** Providers that send callbacks. */
  names: readonly string[];
  /** Secrets by provider, two during a rotation. Without a secret, the callbacks of the provider are disabled. */
  secrets: ReadonlyMap<string, readonly Secret[]>;
  /**
   * Whether the secret can be sent in the query as well, for providers that cannot send headers. Proxies log queries, so this is
   * less secure.
   */
  secretInQuery: boolean;
  /** Allowed addresses by provider. Without an entry, every address is allowed. */
  addresses: ReadonlyMap<string, AddressList>;
  take: (provider: string, fields: ReadonlyMap<string, string>) => Promise<CallbackResult>;
  count: (provider: string, result: CallbackResult | CallbackRejection) => void;
  log: Logger;
}

/**
 * `GET` and `POST /callbacks/{provider}`: authenticated by the provider's secret (header `X-Callback-Secret`, or the query
 * parameter `secret` if allowed) and by the client address. An authentic callback gets 200 once it is stored, whatever its
 * content, because a provider sends the callback again after any other response. Error responses contain no details, and no
 * content of a callback is logged because it contains personal data.
 */
export function mountCallbacks(app: FastifyInstance, parts: CallbackParts): void {
  const { take, count, log } = parts;
  void app.register(async (scope) => {
    // the body is parsed as text regardless of its content type
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      // a GET request stores a callback, which HEAD must not do
      exposeHeadRoute: false,
      url: CALLBACK_ROUTE,
      config: { authenticatesItself: true },
      // runs before the body is read, so that a forged callback is cheap to reject
      onRequest: async (request) => {
        const { provider } = request.params;
        const refusal = rejectionOf(parts, provider, request);
        if (!refusal) return;
        // an unknown provider must not become a metric label
        const providerName = refusal === 'unknown_provider' ? 'unknown' : provider;
        count(providerName, refusal);
        log.warn({ provider: providerName, refusal }, 'callback rejected');
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
          (outcome) => ({ 'callback.result': outcome }),
        );
        count(provider, result);
        return { status: 'ok' };
      },
    });
  });
}

function rejectionOf(parts: CallbackParts, provider: string, request: FastifyRequest): CallbackRejection | undefined {
  const secrets = parts.secrets.get(provider);
  if (!secrets || !parts.names.includes(provider)) return 'unknown_provider';
  const inQuery = parts.secretInQuery ? queryOf(request).get('secret') : undefined;
  const sentSecret = String(request.headers['x-callback-secret'] ?? inQuery ?? '');
  // all secrets are compared, so that the response time does not reveal a match
  if (secrets.filter((secret) => sameText(sentSecret, secret.reveal())).length === 0) return 'wrong_secret';
  return (parts.addresses.get(provider)?.includes(clientAddress(request)) ?? true) ? undefined : 'wrong_address';
}

/** Compares two texts in constant time regardless of their lengths. */
const sameText = (a: string, b: string): boolean => sameBytes(sha256(a), sha256(b));

const queryOf = ({ url }: FastifyRequest): Map<string, string> =>
  formFields(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Returns the fields of a query or form. Omits fields that are not UTF-8 and fields after the first hundred. */
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

/**
 * Returns the fields of the query and the body. The body can be a form or a JSON object, of which only plain values are used. A
 * body that is not UTF-8 has no fields.
 */
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
    // the body is truncated, so only the fields of the query are used
    return [];
  }
}
