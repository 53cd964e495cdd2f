import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { postmanCollection } from '../../src/rest/postman/postman.js';
import type { OpenApi } from '../../src/rest/postman/postman-document.js';

// test/tools/newman.test.ts runs the collection
describe('the Postman collection', () => {
  it('contains no credentials', () => {
    const environment = JSON.parse(readFileSync('clients/postman/uat.environment.json', 'utf8')) as {
      values: { key: string; value: string }[];
    };
    const filled = environment.values.filter(({ value }) => value !== '').map(({ key }) => key);
    expect(filled).toEqual(['base_url', 'environment']);
    expect(readFileSync('clients/postman/collection.json', 'utf8')).not.toMatch(
      /sk_(uat|live)_\w{8}|at_(uat|live)_\w{8}/,
    );
  });
});

describe('a collection generated from another document', () => {
  const ok = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const operation = (operationId: string, more: object) => ({ operationId, security: [{ token: [] }], ...more });
  const hook = object({ id: { type: 'string' } });
  const id = { name: 'id', in: 'path', required: true, example: 'whe_1' };
  const document: OpenApi = {
    info: { title: 'Other', version: '2', description: '' },
    servers: [{ url: 'https://uat.example' }],
    paths: {
      '/api/v1/hooks': {
        post: operation('Create', {
          tags: ['Hooks'],
          requestBody: { content: { 'application/json': { examples: { one: { value: { url: 'https://a' } } } } } },
          responses: { 200: { $ref: '#/components/responses/Hook' } },
        }),
        get: operation('List', {
          tags: ['Hooks'],
          parameters: [{ $ref: '#/components/parameters/limit' }, { name: 'cursor', in: 'query' }],
          responses: { 200: ok(object({ data: { type: 'array', items: hook } })) },
        }),
      },
      '/api/v1/hooks/{id}': {
        delete: operation('Delete', { tags: ['Hooks'], parameters: [id], responses: { 200: ok(hook) } }),
      },
      '/api/v1/orders.csv': { get: operation('File', { responses: { 200: ok({ type: 'string' }, 'text/csv') } }) },
      '/api/v1/pay': {
        post: operation('Pay', {
          requestBody: { content: { 'application/json': { example: { orderid: 'a', amount: 1 } } } },
          responses: {
            200: ok({
              oneOf: ['success', 'pending'].map((word) =>
                object({ status: { type: 'string', enum: [word] }, data: object({ [`${word}_ref`]: {}, utr: {} }) }),
              ),
            }),
          },
        }),
      },
    },
    components: {
      parameters: { limit: { name: 'limit', in: 'query', example: 5 } },
      responses: { Hook: ok({ $ref: '#/components/schemas/Made' }) },
      schemas: { Made: object({ status: { type: 'string' }, data: hook }) },
    },
  };
  const items = (postmanCollection(document, 'uat') as any).item as any[];
  const requestNamed = (group: string, name: string) =>
    items.find((item) => item.name === group).item.find((one: any) => one.name === name);
  const script = (item: any): string => item.event.at(-1).script.exec.join('\n');

  it('supports references, tags and methods', () => {
    expect(items.map(({ name, item }) => [name, item.length])).toEqual([
      ['Hooks', 3],
      ['orders.csv', 1],
      ['pay', 1],
    ]);
    expect(requestNamed('Hooks', 'POST /hooks').request.body.raw).toBe('{\n  "url": "https://a"\n}');
    expect(requestNamed('Hooks', 'GET /hooks').request.url).toMatchObject({
      raw: '{{base_url}}/api/v1/hooks?limit=5',
      query: [
        { key: 'limit', value: '5' },
        { key: 'cursor', disabled: true },
      ],
    });
    expect(script(requestNamed('orders.csv', 'GET /orders.csv'))).toContain('text/csv');
  });

  it('uses IDs of created objects in paths, but not those of lists', () => {
    expect(requestNamed('Hooks', 'DELETE /hooks/{id}').request.url).toMatchObject({
      raw: '{{base_url}}/api/v1/hooks/:id',
      variable: [{ key: 'id', value: '{{hooks_id}}' }],
    });
    expect(script(requestNamed('Hooks', 'POST /hooks'))).toContain(`set('hooks_id', found.id)`);
    expect(script(requestNamed('Hooks', 'GET /hooks'))).not.toContain('hooks_id');
  });

  it('checks the fields common to all variants of a response', () => {
    const pay = script(requestNamed('pay', 'POST /pay'));
    expect(pay).toContain(`keys(['status', 'data'])`);
    expect(pay).toContain(`keys(['utr'])`);
    expect(pay).toContain('Pending is not failed');
  });
});
