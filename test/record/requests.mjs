// The requests of a run, in order: the pages of each host and the cases of the fuzzer, mixed with duplicates, requests to the
// wrong host and streams. The same number and seed produce the same requests.
import { readFileSync } from 'node:fs';
import 'reflect-metadata';
import { buildSchema } from 'graphql';

const { anyCase, casesOf } = await import('../fuzz/generate/cases.ts');
const { keptCases } = await import('../fuzz/kept-cases.ts');

/** Number of generated requests after which one of each other kind is added. */
const EVERY = 10;
/** Number of previous requests from which a duplicate is chosen. */
const BACK = 50;

const STREAMS = [
  'subscription { orderChanged(id: "ord_{{order.decided}}") { id status amount timeline { event } } }',
  'subscription { orderChanged(id: "ord_{{order.decided}}") { id nothing } }',
  'subscription { orderChanged(id: "none") { id } }',
  'subscription { orderChanged { id } }',
  'query { me { id permissions } wallet { balance } }',
  'query { operators { name spKey } }',
];

const otherHost = { uat: 'production', production: 'console', console: 'uat' };

/** A page of a host, as requested by a browser for the first time, by a probe, and by a reader with a cached copy. */
const pageCases = (host, path, n) => [
  { kind: 'page', host, method: 'GET', path, headers: {}, keepsTag: `etag.${host}-${n}` },
  { kind: 'page HEAD', host, method: 'HEAD', path, headers: {} },
  { kind: 'page known', host, method: 'GET', path, headers: { 'if-none-match': `{{etag.${host}-${n}}}` } },
];

function addedTo(cases, index) {
  const given = cases[index];
  const earlier = cases[index - 1 - ((index * 7) % BACK)];
  const added = [];
  if (index % EVERY === 1 && earlier) added.push({ ...earlier, kind: 'repetition' });
  if (index % EVERY === 4) added.push({ ...given, kind: 'other host', host: otherHost[given.host] });
  if (index % EVERY === 7) {
    const query = STREAMS[((index / EVERY) | 0) % STREAMS.length];
    const host = index % (2 * EVERY) === 7 ? 'production' : 'uat';
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    if (index % (5 * EVERY) !== 7) headers.authorization = `Bearer {{token.owner-${host}}}`;
    added.push({ kind: 'stream', host, method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) });
  }
  return added;
}

/** `pages`: for each host, the paths that its documentation links to. */
export function requestsOf({ count, seed, pages }) {
  const schemaOf = (file) => buildSchema(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const api = schemaOf('schema.graphql');
  const schemas = { uat: api, production: api, console: schemaOf('schema.console.graphql') };
  const requests = Object.entries(pages).flatMap(([host, paths]) =>
    paths.flatMap((path, n) => pageCases(host, path, n)),
  );
  requests.push(...keptCases());
  // excludes tokens of this run in documents, because the number of words in a random token varies and is counted
  const generated = casesOf(anyCase(schemas), seed, count).filter(
    ({ kind, body }) => kind !== 'GraphQL shape' || !body?.includes('{{'),
  );
  for (let index = 0; index < generated.length && requests.length < count; index++)
    requests.push(generated[index], ...addedTo(generated, index));
  return requests.slice(0, count);
}
