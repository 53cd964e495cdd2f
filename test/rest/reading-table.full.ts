import { beforeAll, describe, expect, it } from 'vitest';
import { takesBody } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { bodyOf, raw, statusOf } from './raw.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 100_000 });
});

const BLANKS = {
  'a space': ' ',
  'a tab': '\t',
  'a line end': '\r\n',
  'a no-break space': '\u00a0',
  'a byte order mark': '\ufeff',
} as const;

let counter = 0;
type Route = (typeof routes)[number];

/** Path and fields of a route's example with one field changed and a unique idempotency key. */
function requestOf(
  route: Route,
  change: Readonly<Record<string, unknown>>,
): { path: string; rest: [string, unknown][] } {
  const key = route.keyField && route.keyField in route.example ? { [route.keyField]: `blank ${++counter}` } : {};
  const fields: Record<string, unknown> = { ...route.example, ...key, ...change };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fields[name] ?? 'none')),
  );
  return { path, rest: Object.entries(fields).filter(([name]) => !route.path.includes(`{${name}}`)) };
}

function sent(route: Route, change: Readonly<Record<string, unknown>>, more = ''): Promise<TestResponse> {
  const { path, rest } = requestOf(route, change);
  if (takesBody(route)) return test.rest('uat', route.method, path, developer.tokens.uat, Object.fromEntries(rest));
  const query = new URLSearchParams(rest as string[][]);
  return test.rest('uat', route.method, `${path}?${query}${more}`, developer.tokens.uat);
}

const cases = routes.flatMap((route) =>
  Object.keys(route.example).map((field) => ({ route, field, path: route.path })),
);

it.each(cases)('spaces around $field of $path are ignored', async ({ route, field }) => {
  const { [field]: value } = route.example;
  // spaces are part of a secret
  if (typeof value === 'object' || field === 'api_secret') return;
  const { body: plain } = await sent(route, { [field]: String(value) });
  for (const [name, blank] of Object.entries(BLANKS)) {
    const text = field === route.keyField ? `${value} ${++counter}` : String(value);
    const { body } = await sent(route, { [field]: `${blank}${text}${blank}` });
    expect([name, body.errors]).toEqual([name, plain.errors]);
    expect(body.code).not.toBe('INVALID_DOCUMENT');
  }
});

const withNames = (all: readonly Route[]) => all.map((route) => ({ route, path: `${route.method} ${route.path}` }));
const withQuery = routes.filter((route) => !takesBody(route));
const withBody = routes.filter((route) => takesBody(route));
/** Fields that a route accepts in its query. */
const queryFieldsOf = ({ path, fields }: Route) =>
  Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`));

describe.each(withNames(withQuery))('the query of $path', ({ route }) => {
  it('ignores or rejects unknown and empty parameters as documented for its section', async () => {
    const plain = await sent(route, {});
    const unknown = await sent(route, {}, '&of_another_api=1');
    const empty = await sent(route, {}, '&of_another_api=');
    for (const { status, body } of [unknown, empty])
      if (route.isStrict) expect([status, Object.keys(body.errors)]).toEqual([422, ['of_another_api']]);
      else expect([status, body.errors]).toEqual([plain.status, plain.body.errors]);
    for (const ignored of ['&_=1764400000', '&utm_source=mail'])
      expect((await sent(route, {}, ignored)).body.errors).toEqual(plain.body.errors);
  });

  it('accepts all list formats and rejects any other repeated parameter', async () => {
    for (const [name, field] of queryFieldsOf(route)) {
      const [firstKey = 'x', secondKey = 'y'] = typeof field.kind === 'object' ? Object.keys(field.kind) : [];
      const responses = await Promise.all(
        [
          `${name}=${firstKey}&${name}=${secondKey}`,
          `${name}[]=${firstKey}&${name}[]=${secondKey}`,
          `${name}[0]=${firstKey}&${name}[1]=${secondKey}`,
        ].map((query) => sendWithQuery(route, name, query)),
      );
      if (!field.list) {
        for (const { status, body } of responses)
          expect([name, status, body.errors?.[name]]).toEqual([name, 422, ['Must be sent only once.']]);
        continue;
      }
      const { status, body } = await sendWithQuery(route, name, `${name}=${firstKey},${secondKey}`);
      expect([name, status]).toEqual([name, 200]);
      for (const response of responses) expect(response.body.data).toEqual(body.data);
    }
  });

  it('is percent-encoded UTF-8', async () => {
    for (const [name] of queryFieldsOf(route)) {
      const { status, body } = await sendWithQuery(route, name, `${name}=%FF`);
      expect([name, status, body.code]).toEqual([name, 400, 'MALFORMED_REQUEST']);
    }
  });
});

/** Example of a route with a part of its query replaced. */
function sendWithQuery(route: Route, name: string, part: string): Promise<TestResponse> {
  const { path, rest } = requestOf(route, {});
  const otherParameters = new URLSearchParams(rest.filter(([other]) => other !== name) as string[][]);
  return test.rest('uat', route.method, `${path}?${part}&${otherParameters}`, developer.tokens.uat);
}

describe.each(withNames(withBody))('the body of $path', ({ route }) => {
  it('ignores unknown fields and is equivalent to a form', async () => {
    const { body: plain } = await sent(route, {});
    expect((await sent(route, { of_another_api: [1, { a: null }] })).body.errors).toEqual(plain.errors);
    const { path, rest } = requestOf(route, { of_another_api: '1' });
    const form = new URLSearchParams(
      rest.flatMap(([name, value]) =>
        [value].flat().map((item) => [Array.isArray(value) ? `${name}[]` : name, String(item)]),
      ),
    );
    const response = await fetch(test.urls.uat + path, {
      method: route.method,
      headers: { authorization: `Bearer ${developer.tokens.uat}` },
      body: form,
    });
    expect(((await response.json()) as TestResponse['body']).errors).toEqual(plain.errors);
  });

  it('is UTF-8', async () => {
    const { path } = requestOf(route, {});
    const lines = [
      `${route.method} ${path} HTTP/1.1`,
      `host: ${new URL(test.urls.uat).host}`,
      'content-type: application/json',
      `authorization: Bearer ${developer.tokens.uat}`,
    ];
    const response = await raw(
      test.urls.uat,
      lines,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]),
    );
    expect([statusOf(response), bodyOf(response).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

it.each(withNames(routes))(
  'a repeated header of $path is either used once or rejected before authentication',
  async ({ route }) => {
    const { path } = requestOf(route, {});
    const own: Readonly<Record<string, string>> = {
      host: new URL(test.urls.uat).host,
      authorization: 'Bearer at_uat_of_nobody',
      'content-type': 'application/json',
      'idempotency-key': 'one',
    };
    const send = (more: string) =>
      raw(
        test.urls.uat,
        [`${route.method} ${path} HTTP/1.1`, ...Object.entries(own).map(([name, value]) => `${name}: ${value}`), more],
        takesBody(route) ? '{}' : '',
      );
    const plain = statusOf(await send('accept: */*'));
    for (const [name, value] of Object.entries(own)) {
      expect([name, statusOf(await send(`${name}: ${value}`))]).toEqual([name, plain]);
      const different = await send(`${name}: other`);
      expect([name, statusOf(different), bodyOf(different).code]).toEqual([name, 400, 'MALFORMED_REQUEST']);
    }
  },
);
