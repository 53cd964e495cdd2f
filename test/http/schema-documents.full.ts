import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLObjectType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ClientSettings } from '../../src/http/pages/schema-documents.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const files = { uat: 'schema.graphql', production: 'schema.graphql', console: 'schema.console.graphql' } as const;
const hosts = Object.keys(files) as (keyof typeof files)[];
const send = (host: keyof typeof files, path: string, init: RequestInit = {}) => fetch(test.urls[host] + path, init);

describe.each(hosts)('%s', (host) => {
  it('serves its schema as in the repository, without authentication', async () => {
    const response = await send(host, '/schema.graphql');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await response.text()).toBe(readFileSync(files[host], 'utf8'));
  });

  it('has no security.txt without SECURITY_CONTACT, because it would be invalid without a contact', async () => {
    expect((await send(host, '/.well-known/security.txt')).status).toBe(404);
  });

  it('returns 304 for its ETag', async () => {
    const etag = (await send(host, '/schema.graphql')).headers.get('etag')!;
    const retry = await send(host, '/schema.graphql', { headers: { 'if-none-match': etag } });
    expect([retry.status, await retry.text()]).toEqual([304, '']);
    expect((await send(host, '/schema.graphql', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const head = await send(host, '/schema.graphql', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
  });

  it('describes each scalar where @specifiedBy links, including what clients must handle', async () => {
    const schema = buildSchema(await (await send(host, '/schema.graphql')).text());
    const scalars = Object.values(schema.getTypeMap()).filter(isScalarType);
    const own = scalars.filter((type) => !isSpecifiedScalarType(type));
    const response = await send(host, '/clients.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const { keys, possibleTypes, scalars: types, customScalarTypes } = (await response.json()) as ClientSettings;
    expect(Object.keys(types).toSorted()).toEqual(own.map(({ name }) => name).toSorted());
    expect(customScalarTypes).toEqual(types);
    expect(possibleTypes.Node).toContain('Order');
    const withoutId = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !/^(__|Query$|Mutation$|Subscription$)/.test(type.name))
      .filter((type) => String((type as GraphQLObjectType).getFields().id?.type) !== 'ID!');
    expect(keys).toEqual(Object.fromEntries(withoutId.map(({ name }) => [name, null])));
    // Caches use a field named `id` as their key, so only global IDs have that name.
    expect(
      Object.values(schema.getTypeMap())
        .flatMap((type) => (isObjectType(type) && type.getFields().id ? [String(type.getFields().id!.type)] : []))
        .filter((type) => type !== 'ID!'),
    ).toEqual([]);
    expect(own.length).toBeGreaterThan(2);
    for (const { name, specifiedByURL } of own) {
      const [path, anchor] = specifiedByURL!.split('#');
      expect(await (await send(host, path!)).text()).toContain(`<tr id="${anchor}">`);
      expect(types[name]).toMatch(/^(string|number)$/);
    }
  });

  it('accepts no other method there', async () => {
    const response = await send(host, '/schema.graphql', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it.each([
  '/schema.graphql',
  '/clients.json',
  '/openapi.json',
  '/openapi-3.0.json',
  '/docs/kits/postman-collection.json',
  '/docs/kits/postman-environment.json',
])('pages of every origin can read %s of the API hosts', async (path) => {
  const allowed = async (host: keyof typeof files) => {
    const response = await send(host, path, { headers: { origin: 'https://anywhere.example' } });
    return [response.status, response.headers.get('access-control-allow-origin')];
  };
  expect([await allowed('uat'), await allowed('production')]).toEqual([
    [200, '*'],
    [200, '*'],
  ]);
  expect((await allowed('console'))[1]).toBeNull();
});

it.each(['/openapi.json', '/openapi-3.0.json', '/docs'])('%s has an ETag, too', async (path) => {
  const etag = (await send('production', path)).headers.get('etag')!;
  expect((await send('production', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
});
