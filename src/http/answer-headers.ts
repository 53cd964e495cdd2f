import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { headerComponents } from '../rest/openapi/headers.js';

const HSTS = 'max-age=31536000';

/**
 * Headers of every answer: it is not cached (tokens, money, personal data), its type is not guessed, and links out of it do not
 * send its address. A route may say otherwise. On https, browsers never come by http again.
 */
export const securityHeaders = (publicUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
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

/**
 * Lets pages of the listed origins call this host with a Bearer token. Never with cookies: no answer allows credentials. For
 * other origins nothing is added, and the browser keeps the answer from the page.
 */
export function mountCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set<string | undefined>(origins);
  void app.register(cors, {
    // `false` also leaves an OPTIONS of anybody else to our own refusals; a list would answer it as a preflight
    origin: (origin, done) => done(null, allowed.has(origin)),
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [...REQUEST_HEADERS, ...TRACING_HEADERS],
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    // otherwise an OPTIONS that is no preflight gets a text, where every error of this service is JSON
    strictPreflight: false,
  });
}
