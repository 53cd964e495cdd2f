import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesOrigin, type OriginPattern } from '../core/addresses.js';
import { AppError } from '../core/errors.js';
import { headerComponents } from '../rest/openapi/headers.js';

const HSTS = 'max-age=31536000; includeSubDomains';

/** Features of browsers that no page of this service uses. Passkeys and the clipboard keep their default, which is this origin. */
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
 * Headers of every response: it is not cached (tokens, money, personal data), its type is not guessed, and links out of it do not
 * send its address. A route may override them. On https, browsers never use http again, nor on subdomains.
 *
 * CORP is `same-origin` although pages of other origins call the API: browsers check CORP only where a page embeds a response
 * without CORS (`<img>`, `<script>`, `fetch` in the mode `no-cors`). A response that CORS allows is read in the mode `cors`, which
 * CORP does not affect, and nothing of this service is meant to be embedded. COOP affects pages only; no page of ours needs the
 * window that opened it.
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

/** What a page may read of an answer, in addition to its body: all that the API describes. */
const RESPONSE_HEADERS = Object.keys(headerComponents).map((name) => name.toLowerCase());
/** What a page may send. Tracing of browsers adds headers by itself: an application must not die when it is switched on. */
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
  /** The variable that lists these origins; the console has none. */
  setting?: string;
}

/** Origins that a message can repeat: `null`, or scheme, host and port. */
const SHOWN_ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]{1,260})$/i;

const isListed = (origins: CrossOrigin['origins'], origin: string | undefined): boolean =>
  origin !== undefined && matchesOrigin(origins, origin);

/**
 * Of a preflight of a page whose origin is not listed, why it is rejected; undefined of any other request. The response has the cause
 * in a header too, because browsers do not show the body of a preflight.
 */
export function rejectedPreflight(
  { method, headers, notes }: FastifyRequest,
  reply: FastifyReply,
  { origins, setting }: CrossOrigin,
): AppError | undefined {
  const { origin, 'access-control-request-method': requested } = headers;
  if (method !== 'OPTIONS' || origin === undefined || requested === undefined || isListed(origins, origin))
    return undefined;
  const isShown = SHOWN_ORIGIN.test(origin);
  const subject = isShown ? `Origin ${origin}` : 'The origin of this page';
  const message = setting
    ? `${subject} is not listed in ${setting}, so its pages cannot call this host.`
    : `${subject} is not the origin of the console, so its pages cannot call this host.`;
  notes.rejectedOrigin = isShown ? origin : 'invalid';
  void reply.headers({ vary: 'Origin', 'x-cors-error': message });
  return new AppError('CROSS_ORIGIN_FORBIDDEN', { message });
}

/**
 * Lets pages of the listed origins call this host with a Bearer token. Never with cookies: no answer allows credentials. For
 * other origins nothing is added, and the browser keeps the answer from the page.
 */
export function mountCors(app: FastifyInstance, { origins }: CrossOrigin): void {
  if (origins.length === 0) return;
  void app.register(cors, {
    // `false` also leaves an OPTIONS of anybody else to our own refusals; a list would answer it as a preflight
    origin: (origin, done) => done(null, isListed(origins, origin)),
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [...REQUEST_HEADERS, ...TRACING_HEADERS],
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    // otherwise an OPTIONS that is no preflight gets a text, where every error of this service is JSON
    strictPreflight: false,
  });
}
