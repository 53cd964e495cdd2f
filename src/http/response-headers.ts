import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesOrigin, type OriginPattern } from '../core/addresses.js';
import { AppError } from '../core/errors.js';
import { headerComponents } from '../rest/openapi/headers.js';

const HSTS = 'max-age=31536000; includeSubDomains';

/** Browser features that no page of this service uses. Passkeys and the clipboard keep their default, which is this origin. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
].map((feature) => `${feature}=()`);

/**
 * Returns the headers of every response. Responses are not cached (tokens, money, personal data), their type is not guessed, and
 * links do not send the URL of the page. A route can override these headers. With https, browsers never use http again, not even
 * for subdomains.
 * CORP is `same-origin` although pages of other origins call the API: browsers check CORP only if a page embeds a response
 * without CORS (`<img>`, `<script>`, `fetch` in the mode `no-cors`). CORP does not affect responses that CORS allows, and no
 * response of this service is meant to be embedded. COOP affects only pages, and no page of this service needs a reference to
 * the window that opened it.
 */
export const securityHeaders = (publicUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED_FEATURES.join(', '),
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
});

/** Response headers that cross-origin pages can read. The list contains all headers that the API documents. */
const RESPONSE_HEADERS = Object.keys(headerComponents).map((name) => name.toLowerCase());
/**
 * Request headers that pages can send. Includes tracing headers, because browser tracing adds them automatically and must not
 * break an application.
 */
const REQUEST_HEADERS = ['authorization', 'content-type', 'accept', 'idempotency-key', 'prefer'];
const TRACING_HEADERS = [
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
  'x-request-id',
  'apollographql-client-name',
  'apollographql-client-version',
];
const PREFLIGHT_MAX_AGE_S = 600;

export interface CrossOrigin {
  /** Origins whose pages can call this host, in addition to its own. */
  origins: readonly OriginPattern[];
  /** Name of the setting that lists these origins; the console has none. */
  setting?: string;
}

/** Origins that an error message can contain: `null`, or scheme, host and port. */
const PRINTABLE_ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]{1,260})$/i;

const isListed = (origins: CrossOrigin['origins'], origin: string | undefined): boolean =>
  origin !== undefined && matchesOrigin(origins, origin);

/**
 * Returns the error for a preflight request from an origin that is not listed, or undefined for any other request. A response
 * header also contains the cause, because browsers do not show the body of a preflight response.
 */
export function rejectedPreflight(
  { method, headers, notes }: FastifyRequest,
  reply: FastifyReply,
  { origins, setting }: CrossOrigin,
): AppError | undefined {
  const { origin, 'access-control-request-method': requested } = headers;
  if (method !== 'OPTIONS' || origin === undefined || requested === undefined || isListed(origins, origin))
    return undefined;
  const isPrintable = PRINTABLE_ORIGIN.test(origin);
  const subject = isPrintable ? `Origin ${origin}` : 'The origin of this page';
  const message = setting
    ? `${subject} is not listed in ${setting}, so its pages cannot call this host.`
    : `${subject} is not the origin of the console, so its pages cannot call this host.`;
  notes.rejectedOrigin = isPrintable ? origin : 'invalid';
  void reply.headers({ vary: 'Origin', 'x-cors-error': message });
  return new AppError('CROSS_ORIGIN_FORBIDDEN', { message });
}

/**
 * Allows pages of the listed origins to call this host with a Bearer token, but never with cookies: no response allows
 * credentials. For other origins, no headers are sent, so the browser does not show the response to the page.
 */
export function mountCors(app: FastifyInstance, { origins }: CrossOrigin): void {
  if (origins.length === 0) return;
  void app.register(cors, {
    // `false` lets our own error handler process OPTIONS requests from other origins too; if a list were passed, the plugin
    // would treat them as preflight requests
    origin: (origin, done) => done(null, isListed(origins, origin)),
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [...REQUEST_HEADERS, ...TRACING_HEADERS],
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    // without this check, an OPTIONS request that is not a preflight gets a text response, although all errors of this service
    // are JSON
    strictPreflight: false,
  });
}
