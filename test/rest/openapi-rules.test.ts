import { expect, it } from 'vitest';
import { offences } from './openapi-rules.js';
import { servedDocuments } from './served-openapi.js';

it('no served document contains a construct that breaks client generators', async () => {
  for (const [environment, documents] of Object.entries(await servedDocuments()))
    for (const [rendering, document] of Object.entries(documents))
      expect([environment, rendering, offences(document)]).toEqual([environment, rendering, []]);
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
    offences({ openapi, paths: { '/x': { get: { responses: { 200: { content } } } } }, components: { schemas } });
  const always = [
    'an answer has no name: /paths/~1x/get/responses/200/content/application~1json',
    'a union has no name: /paths/~1x/get/responses/200/content/application~1json/schema',
    'null stands among the words of an enum: /components/schemas/Pay',
    'an enum has a pattern beside it: /components/schemas/Pay/properties/circle',
    'an amount in a request may have more than two digits: /components/schemas/PayRequest/properties/amount',
    'an amount in a request has no largest value: /components/schemas/PayRequest/properties/amount',
  ];
  expect(found('3.1.0')).toEqual(always);
  const union = 'a union stands in a document of 3.0: ';
  expect(found('3.0.3').filter((offence) => !always.includes(offence))).toEqual([
    `${union}/paths/~1x/get/responses/200/content/application~1json/schema`,
    `${union}/components/schemas/Paid`,
  ]);
});
