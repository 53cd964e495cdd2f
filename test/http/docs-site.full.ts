import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildSchema, type GraphQLArgument } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { banks } from '../../src/core/banks.js';
import { circles } from '../../src/core/circles.js';
import { type Host, hosts, surfaceOf } from '../../src/core/environment.js';
import { type ErrorCode, errorCatalogue, wasRefunded } from '../../src/core/error-catalogue.js';
import { AppError } from '../../src/core/errors.js';
import { fieldRules } from '../../src/core/field-rules.js';
import { lookupScripts, magicNumbers, moneyScripts } from '../../src/core/magic-numbers.js';
import { operators } from '../../src/core/operators.js';
import { services } from '../../src/core/services.js';
import { policies } from '../../src/graphql/schema/policy.js';
import { guides } from '../../src/http/docs/guides.js';
import { FIRST_DOCUMENTS } from '../../src/http/pages/graphiql.js';
import { declineReasons } from '../../src/providers/decline-reasons.js';
import { leadRejections } from '../../src/providers/lead-rejections.js';
import { headerComponents } from '../../src/rest/openapi/headers.js';
import { sampleCategories } from '../../src/samples/products.js';
import { signedIn } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { codeBlocksOf, displayedBlocks, plainText } from '../support/guides.js';
import { rechargeBody } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const environments = ['uat', 'production'] as const;
const GRAPH = '/docs/graphql/reference';
/** The pages with a frame, which run the script of the documentation. */
const framed: Readonly<Record<Host, readonly string[]>> = {
  uat: [...guides.map((guide) => guide.path), GRAPH],
  production: [...guides.map((guide) => guide.path), GRAPH],
  console: ['/docs', '/docs/errors', GRAPH],
};
let developer: TestDeveloper;
const pages = new Map<string, string>();
beforeAll(async () => {
  developer = await test.developer();
  for (const host of hosts)
    for (const path of [...framed[host], '/scalars', ...(host === 'console' ? [] : ['/docs/reference'])]) {
      const response = await fetch(test.urls[host] + path);
      expect([host, path, response.status]).toEqual([host, path, 200]);
      pages.set(test.urls[host] + path, await response.text());
    }
});

const pageOf = (path: string, host: Host = 'uat'): string => pages.get(test.urls[host] + path)!;
/** The rows of all tables of a page, as the texts of their cells. */
const rowsOf = (path: string): string[] =>
  [...pageOf(path).matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => plainText(cell!)).join(' | '),
  );
const anchors = new Map<string, ReadonlySet<string>>();
function hasAnchor(html: string, anchor: string): boolean {
  if (!anchors.has(html)) anchors.set(html, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)));
  return anchors.get(html)!.has(anchor);
}

describe.each(hosts)('every page of %s', (host) => {
  it('links only to existing pages, anchors and calls, also on other hosts', async () => {
    const { body: openApi } = await test.rest('uat', 'GET', '/openapi.json');
    const calls = new Set(
      Object.entries<Record<string, { tags: string[] }>>(openApi.paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(
          ([method, { tags }]) => `tag/${tags[0]!.toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${path}`,
        ),
      ),
    );
    const ownHosts = Object.values(test.urls);
    const targets = new Map(pages);
    const broken: string[] = [];
    let links = 0;
    for (const [pagePath, html] of pages) {
      if (!pagePath.startsWith(test.urls[host])) continue;
      for (const [, href] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        links++;
        const [url, anchor] = new URL(href!, pagePath).href.split('#');
        // The URL of a host is that of its first page.
        if (!ownHosts.some((own) => url!.startsWith(`${own}/`)) || ownHosts.includes(href!)) continue;
        if (!targets.has(url!)) targets.set(url!, await fetch(url!).then(pageText));
        const target = targets.get(url!)!;
        const found =
          target !== '' &&
          (anchor === undefined || (url!.endsWith('/docs/reference') ? calls.has(anchor) : hasAnchor(target, anchor)));
        if (!found) broken.push(`${pagePath}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(300);
  });

  it('has no placeholders left, loads no external resources, and runs one script of its host', async () => {
    for (const path of framed[host]) {
      const html = pageOf(path, host);
      expect([path, html.match(/\{\{|\[object/g)]).toEqual([path, null]);
      expect([path, html.match(/<style|style=| on\w+=|<iframe|<form/g)]).toEqual([path, null]);
      expect([path, html.match(/<script[^>]*>[^<]*/g)]).toEqual([path, ['<script src="/docs/pages.js" defer>']]);
      const { headers } = await fetch(test.urls[host] + path, { method: 'HEAD' });
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    }
  });

  it('has an anchor and a description for every type, field, argument, input field and value of the schema', async () => {
    const schema = buildSchema(await (await fetch(`${test.urls[host]}/schema.graphql`)).text());
    const html = pageOf(GRAPH, host);
    const words = plainText(html);
    const described: [at: string, described: { description?: string | null }][] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      described.push([type.name, [...ROOTS, ...BUILT_IN].includes(type.name) ? {} : type]);
      const members = 'getFields' in type ? type.getFields() : 'getValues' in type ? type.getValues() : [];
      for (const member of Object.values<
        Pick<GraphQLArgument, 'name' | 'description'> & { args?: readonly GraphQLArgument[] }
      >(members)) {
        described.push([`${type.name}.${member.name}`, member]);
        for (const argument of member.args ?? [])
          described.push([`${type.name}.${member.name}.${argument.name}`, argument]);
      }
    }
    expect(described.length).toBeGreaterThan(600);
    expect(described.filter(([at]) => !hasAnchor(html, at)).map(([at]) => at)).toEqual([]);
    const silent = described.filter(([, { description }]) => !words.includes((description ?? '').replaceAll('`', '')));
    expect(silent.map(([at]) => at)).toEqual([]);
  });

  it('shows who can use each field of the schema and what it costs, as in the permission tables', () => {
    const html = pageOf(GRAPH, host);
    const surface = surfaceOf(host);
    const problems: string[] = [];
    for (const [type, rows] of Object.entries(policies[surface]))
      for (const [field, { access, fee, money, counts, endpoint }] of Object.entries(rows)) {
        const displayedFacts = factsOf(html, `${type}.${field}`);
        const expected = [
          ...(access.kind === 'session' ? [...access.roles, ...access.team].map((role) => role.toUpperCase()) : []),
          ...(access.kind === 'token' ? ['an API token', access.service ?? ''] : []),
          ...(access.kind === 'public' ? ['anyone'] : []),
          ...(fee ? ['a fee'] : []),
          ...(money ? ['moves money'] : []),
          ...(counts === 'never'
            ? []
            : [`${surface === 'console' && access.kind !== 'public' ? 600 : 60} uses`, endpoint]),
        ];
        if (!expected.every((words) => displayedFacts.includes(words)))
          problems.push(`${type}.${field}: ${displayedFacts}`);
      }
    expect(problems).toEqual([]);
    expect(factsOf(html, 'Order.timeline')).toContain('10 rows');
    expect(factsOf(html, 'Order.status')).toBe('');
  });

  it('can be searched: each part of the index exists and contains its words', async () => {
    const index = (await (await fetch(`${test.urls[host]}/docs/search.json`)).json()) as string[][];
    const broken = index.filter(([place]) => {
      const [path, anchor] = place!.split('#');
      const html = pageOf(path!, host);
      return !html || (anchor !== undefined && !hasAnchor(html, anchor));
    });
    expect(broken).toEqual([]);
    const found = (title: string) => index.find((entry) => entry[2] === title);
    expect(found('RATE_LIMITED')).toEqual([
      '/docs/errors#RATE_LIMITED',
      'Errors',
      'RATE_LIMITED',
      expect.stringContaining('429'),
    ]);
    expect(found('Order.timeline')).toEqual([
      `${GRAPH}#Order.timeline`,
      'GraphQL reference',
      'Order.timeline',
      expect.stringContaining('status checks'),
    ]);
    expect(index.filter(([, page, title]) => !page || !title)).toEqual([]);
    expect(new Set(index.map(([place]) => place!.split('#')[0]))).toEqual(new Set(framed[host]));
  });
});

const ROOTS = ['Query', 'Mutation', 'Subscription'];
const BUILT_IN = ['Boolean', 'Float', 'ID', 'Int', 'String'];

/** Permissions and cost of a field, as shown on the schema page. */
function factsOf(html: string, at: string): string {
  const [, entry = ''] = html.split(` id="${at}"`);
  const [, facts = ''] = /<p class="facts">(.*?)<\/p>/s.exec(entry.split(/<div id=|<\/section>|<h2/, 1)[0]!) ?? [];
  return plainText(facts);
}

describe.each(environments)('the pages of %s', (environment) => {
  it('name only existing calls', async () => {
    const { body: openApi } = await test.rest(environment, 'GET', '/openapi.json');
    const mentioned = guides.flatMap(({ path }) =>
      [...pageOf(path, environment).matchAll(/<code>(GET|POST|DELETE|PUT) (\/api\/v1\/[^<?]+)/g)].map(
        ([, method, call]) => [method!.toLowerCase(), call!] as const,
      ),
    );
    expect(mentioned.length).toBeGreaterThan(30);
    expect(mentioned.filter(([method, path]) => openApi.paths[path]?.[method] === undefined)).toEqual([]);
  });

  it('describe the token lifetime and the token renewal', () => {
    const words = plainText(pageOf('/docs/environments', environment)).replaceAll('\n', ' ');
    expect(words).toContain('It expires after 30 days without use, and at the latest 365 days after the exchange');
    expect(words).toContain('exchange the API key again and retry the request');
  });

  it('describe how long a deprecated field works, when `held` changes, and which setting lists origins', () => {
    const page = plainText(pageOf('/docs/graphql', environment)).replaceAll('\n', ' ');
    expect(page).toContain('works for at least two more releases');
    expect(page).toContain('A successful order lowers held of the wallet');
    expect(page).toContain('The setting CORS_ORIGINS_UAT lists the origins');
  });

  it('warn about pending first', () => {
    const [before, after] = pageOf('/docs', environment).split('Never create a new order for the same payment.');
    expect(after).toBeDefined();
    expect(before).not.toContain('<h2');
  });
});

const pageText = async (response: Response): Promise<string> => (response.ok ? response.text() : '');

it('shows the code of a guide unchanged, with syntax highlighting', () => {
  for (const { path, file } of guides) {
    const expected = codeBlocksOf(file).map(({ code }) => code);
    const rendered = displayedBlocks(pageOf(path)).map(({ code }) => code);
    expect([path, rendered.length]).toEqual([path, expected.length]);
    expect(rendered.filter((code, n) => code !== expected[n] && !expected[n]!.includes('{{'))).toEqual([]);
  }
  const colours = (html: string) => [...new Set([...html.matchAll(/<span class="(\w+)">/g)].map(([, part]) => part))];
  expect(colours(pageOf('/docs/webhooks')).toSorted()).toEqual(['comment', 'keyword', 'name', 'number', 'string']);
});

it('describes the console in its guide, with links to the pages that new users need', async () => {
  const front = pageOf('/docs', 'console');
  for (const mutation of ['signUp', 'verifyEmail', 'signIn', 'submitKyc', 'createCredential'])
    expect(front).toContain(`<a href="${GRAPH}#Mutation.${mutation}"><code>${mutation}</code></a>`);
  for (const place of ['/graphiql', '/schema.graphql', GRAPH, `${test.urls.uat}/docs`, `${test.urls.production}/docs`])
    expect(front.replace(/<nav.*?<\/nav>/gs, '')).toContain(`<a href="${place}">`);
  // The guides of the API link to the console guide.
  expect(pageOf('/docs/environments')).toContain(`<a href="${test.urls.console}${GRAPH}#Mutation.rotateCredential">`);
});

it.each(environments)(
  'redirects a browser from the root of %s to its first page, and has no other page there',
  async (host) => {
    const send = (method: string, path = '/') => fetch(test.urls[host] + path, { method, redirect: 'manual' });
    for (const response of [await send('GET'), await send('HEAD'), await send('GET', '/?next=//elsewhere.example')])
      expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await send(method);
      expect([method, response.status, await response.json()]).toMatchObject([method, 404, { code: 'NOT_FOUND' }]);
    }
    expect((await send('GET', '/none')).status).toBe(404);
  },
);

it.each(['uat', 'console'] as const)('opens GraphiQL on %s with a document that runs', async (host) => {
  const page = await (await fetch(`${test.urls[host]}/graphiql`)).text();
  const [, document] = /data-first-document="([^"]*)"/.exec(page)!;
  expect(plainText(document!)).toBe(FIRST_DOCUMENTS[surfaceOf(host)]);
  const token = host === 'uat' ? developer.tokens.uat : await signedIn(test, 'developer', developer);
  const { body } = await test.graphql(host, token, plainText(document!));
  expect(body.errors).toBeUndefined();
  expect(Object.values(body.data)).not.toContain(null);
});

it('sends the examples to UAT on the Production page, too, because they would cost money in Production', () => {
  const examples = plainText(pageOf('/docs/test-numbers', 'production')).match(/curl -s \S+/g)!;
  expect(new Set(examples.map((example) => example.split('/api/')[0]))).toEqual(new Set([`curl -s ${test.urls.uat}`]));
});

it('shows the address of each environment, and no UAT credentials in Production', () => {
  for (const { path } of guides) {
    const html = plainText(pageOf(path, 'production'));
    expect([path, html.match(/(cid|sk|at)_uat_/g)]).toEqual([path, null]);
    expect([path, html.includes(`BASE_URL=${test.urls.uat}`)]).toEqual([path, false]);
  }
  expect(plainText(pageOf('/docs', 'production'))).toContain(`BASE_URL=${test.urls.production}`);
  expect(plainText(pageOf('/docs', 'production'))).toContain('real money');
  expect(plainText(pageOf('/docs'))).toContain(`BASE_URL=${test.urls.uat}`);
});

describe('the page of errors', () => {
  it.each(Object.keys(errorCatalogue) as ErrorCode[])(
    'describes %s with its effect for the caller and the money',
    (code) => {
      const { httpStatus, onRecharge, meaning, action, message, retryable, charged } = errorCatalogue[code];
      const [, section] = new RegExp(`<section class="error" id="${code}">(.*?)</section>`, 's').exec(
        pageOf('/docs/errors'),
      )!;
      const facts = Object.fromEntries(
        [...section!.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, fact]) => [term, fact]),
      );
      expect(facts).toEqual({
        'HTTP status': String(httpStatus),
        'Status on recharge': onRecharge,
        'The same request may succeed later': retryable ? 'yes' : 'no',
        Charged: new AppError(code).charged ? 'unknown' : 'no',
        Refunded: wasRefunded(charged) ? 'yes' : 'no',
      });
      for (const words of [meaning, action, message]) expect(plainText(section!)).toContain(words.replaceAll('`', ''));
    },
  );

  it('contains no other code', () => {
    const rendered = [...pageOf('/docs/errors').matchAll(/<section class="error" id="(\w+)">/g)].map(
      ([, code]) => code,
    );
    expect(rendered.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
  });

  it.each(Object.entries(declineReasons))('contains the reason %s', (reason, { message, retryable }) => {
    expect(hasAnchor(pageOf('/docs/errors'), reason)).toBe(true);
    expect(rowsOf('/docs/errors')).toContain(`${reason} | ${message} | ${retryable ? 'yes' : 'no'}`);
  });

  it.each(Object.entries(leadRejections))('contains the reason of a rejected lead %s', (reason, meaning) => {
    expect(hasAnchor(pageOf('/docs/errors'), `LEAD_REFUSED-${reason}`)).toBe(true);
    expect(rowsOf('/docs/errors')).toContain(`${reason} | ${meaning}`);
  });
});

describe('doc_url', () => {
  /** Follows the link as a user would. */
  async function expectDocumented(url: string, code: string, host: Host): Promise<void> {
    expect(url).toBe(`${test.urls[host]}/docs/errors#${code}`);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(hasAnchor(await response.text(), new URL(url).hash.slice(1))).toBe(true);
  }
  const recharge = rechargeBody({ account_number: '9876540001' });

  it.each([
    ['an invalid field', 'uat', 'POST', '/api/v1/recharge', { ...recharge, amount: 0 }, 'VALIDATION_FAILED'],
    ['a decline', 'production', 'POST', '/api/v1/recharge', recharge, 'PROVIDER_DECLINED'],
    ['broken JSON', 'uat', 'POST', '/api/v1/recharge', '{', 'MALFORMED_REQUEST'],
    ['an unknown order', 'uat', 'GET', '/api/v1/recharge/status?client_request_id=none', undefined, 'RECORD_NOT_FOUND'],
    ['an unknown path', 'production', 'GET', '/api/v1/nothing', undefined, 'NOT_FOUND'],
    ['a file without days', 'uat', 'GET', '/api/v1/orders.csv', undefined, 'VALIDATION_FAILED'],
  ] as const)('of %s leads to its code', async (_name, environment, method, path, body, code) => {
    const response = await test.rest(environment, method, path, developer.tokens[environment], body);
    expect(response.body.code).toBe(code);
    await expectDocumented(response.body.doc_url, code, environment);
  });

  it('of an invalid request leads to its code', async () => {
    const { hostname, port } = new URL(test.urls.production);
    const socket = connect(Number(port), hostname);
    socket.end('no request\r\n\r\n');
    const [, body] = (await text(socket)).split('\r\n\r\n');
    const { code, doc_url } = JSON.parse(body!) as { code: string; doc_url: string };
    expect(code).toBe('MALFORMED_REQUEST');
    await expectDocumented(doc_url, code, 'production');
  });

  it.each([
    ['uat', '{ nothing }', 'INVALID_DOCUMENT'],
    ['production', '{ order(kind: RECHARGE, clientRequestId: "none") { id } }', 'RECORD_NOT_FOUND'],
    ['console', '{ developers(first: 1) { totalCount } }', 'UNAUTHENTICATED'],
  ] as const)('is extensions.docUrl in GraphQL, on %s a page of the same host', async (host, query, code) => {
    const token = host === 'console' ? undefined : developer.tokens[host];
    const { extensions } = (await test.graphql(host, token, query)).body.errors[0];
    expect(extensions.code).toBe(code);
    await expectDocumented(extensions.docUrl, code, host);
  });
});

describe('the generated tables', () => {
  it('contain every operator with its keys', () => {
    expect(rowsOf('/docs/codes')).toEqual(
      expect.arrayContaining(
        operators.map(({ name, spKeys, opcode }) => `${name} | ${spKeys.join(' or ')} | ${opcode}`),
      ),
    );
  });

  it('contain every circle, bank, category and service', () => {
    const rows = rowsOf('/docs/codes');
    const expected = [
      ...circles.map(({ name, code }) => `${name} | ${code}`),
      ...banks.map(({ name, opcode }) => `${name} | ${opcode}`),
      ...sampleCategories.map(({ title, id }) => `${title} | ${id}`),
    ];
    expect(expected.filter((row) => !rows.includes(row))).toEqual([]);
    expect(services.filter((key) => !rows.some((row) => row.startsWith(`${key} | `)))).toEqual([]);
  });

  it('contain every test number with its outcome', () => {
    expect(rowsOf('/docs/test-numbers')).toEqual(
      expect.arrayContaining(
        Object.entries(magicNumbers).map(
          ([digits, { money, lookup }]) => `54${digits} | ${moneyScripts[money]} | ${lookupScripts[lookup]}`,
        ),
      ),
    );
  });

  it('contain every header, every rule of a field and every root field of GraphQL', () => {
    const names = (path: string): string[] => rowsOf(path).map((row) => row.split(' | ')[0]!);
    expect(Object.keys(headerComponents).filter((name) => !names('/docs/limits').includes(name))).toEqual([]);
    const rendered = names('/docs/graphql');
    expect(Object.keys(fieldRules).filter((rule) => !rendered.includes(rule))).toEqual([]);
    const { api } = test.app.schemas;
    const fields = [api.getQueryType(), api.getMutationType(), api.getSubscriptionType()].flatMap((type) =>
      Object.keys(type!.getFields()),
    );
    expect(fields.length).toBeGreaterThan(25);
    expect(fields.filter((field) => !rendered.includes(field))).toEqual([]);
  });

  it('contain every call, each with a link to it', async () => {
    const { body: openApi } = await test.rest('uat', 'GET', '/openapi.json');
    const calls = Object.entries<object>(openApi.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const linked = [...pageOf('/docs').matchAll(/<td><a href="[^"]+"><code>([^<]+)<\/code>/g)].map(([, call]) => call);
    expect(linked).toEqual(calls);
  });
});

describe('the script of the API reference', () => {
  const send = (headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      httpRequest(`${test.urls.uat}/docs/viewer.js`, { method, headers }, (response) => {
        void buffer(response).then(
          (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
          reject,
        );
      })
        .on('error', reject)
        .end();
    });

  it('is sent as compressed by the build, if the client accepts it', async () => {
    const complete = await send({});
    expect(complete.headers['content-encoding']).toBeUndefined();
    const forms = [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
    ] as const;
    for (const [accepted, encoding, decompress] of forms) {
      const { status, headers, body } = await send({ 'accept-encoding': accepted });
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding']);
      expect(body.length).toBe(Number(headers['content-length']));
      expect(body.length).toBeLessThan(complete.body.length / 3);
      expect(decompress(body).equals(complete.body)).toBe(true);
    }
    expect((await send({ 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  it('is not sent again to a client with its ETag, or for HEAD', async () => {
    const { headers } = await send({ 'accept-encoding': 'br' });
    const cached = await send({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    expect([cached.status, cached.body.length]).toEqual([304, 0]);
    const head = await send({ 'accept-encoding': 'br' }, 'HEAD');
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      headers['content-length'],
    ]);
  });

  it('runs under a policy that allows scripts and requests of this host only', async () => {
    for (const environment of environments) {
      const { headers } = await fetch(`${test.urls[environment]}/docs/reference`);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(pageOf('/docs/reference', environment)).not.toMatch(/<script>|<script [^>]*src="(?!\/)/);
    }
  });
});
