import { expect, it } from 'vitest';
import { violations } from './openapi-rules.js';
import { servedDocuments } from './served-openapi.js';

it('no served document contains a construct that breaks client generators', async () => {
  for (const [environment, documents] of Object.entries(await servedDocuments()))
    for (const [rendering, document] of Object.entries(documents))
      expect([environment, rendering, violations(document)]).toEqual([environment, rendering, []]);
});

it('the rules detect each construct that breaks client generators', () => {
  const schemas = {
    Pay: { enum: ['a', null], properties: { circle: { enum: ['1'], pattern: '^1$' } } },
    PayRequest: {
      type: 'object',
      properties: { amount: { type: 'number' }, paid: { type: 'number', multipleOf: 0.01, maximum: 1 } },
    },
    Paid: { oneOf: [] },
  };
  const content = { 'application/json': { schema: { oneOf: [] } } };
  const found = (openapi: string) =>
    violations({ openapi, paths: { '/x': { get: { responses: { 200: { content } } } } }, components: { schemas } });
  const always = [
    'a response has no name: /paths/~1x/get/responses/200/content/application~1json',
    'a union has no name: /paths/~1x/get/responses/200/content/application~1json/schema',
    'an enum contains null: /components/schemas/Pay',
    'an enum also has a pattern: /components/schemas/Pay/properties/circle',
    'an amount in a request can have more than two decimal places: /components/schemas/PayRequest/properties/amount',
    'an amount in a request has no maximum: /components/schemas/PayRequest/properties/amount',
  ];
  expect(found('3.1.0')).toEqual(always);
  const union = 'a document of 3.0 contains a union: ';
  expect(found('3.0.3').filter((violation) => !always.includes(violation))).toEqual([
    `${union}/paths/~1x/get/responses/200/content/application~1json/schema`,
    `${union}/components/schemas/Paid`,
  ]);
});
