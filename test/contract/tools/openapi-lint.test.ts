import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { beforeAll, describe, expect, it } from 'vitest';
import { offences } from './openapi-rules.js';
import { renderings, servedDocuments } from './served-openapi.js';

/** Rules of Spectral that are off. All others are on, those too that it leaves off by itself. */
const SPECTRAL_OFF = {
  // who runs the service puts a person behind the console; it has no mail address that the document could name
  'contact-properties': 'off',
  // the licence is nobody's but the owner's, and has no page
  'license-url': 'off',
  // they stand in the order in which a client needs them
  'openapi-tags-alphabetical': 'off',
} as const;

/** The same of Redocly, for 3.0 alone: 3.1 has an identifier where there is no page. */
const REDOCLY_OFF = { 'info-license-strict': 'off' } as const;

let documents: Awaited<ReturnType<typeof servedDocuments>>;
beforeAll(async () => {
  documents = await servedDocuments();
});

describe.each(['uat', 'production'] as const)('the OpenAPI documents of %s', (environment) => {
  describe.each(renderings)('%s', (rendering) => {
    const document = (): any => documents[environment][rendering];

    it('are valid, and each reference in them leads somewhere', async () => {
      const resolved = await SwaggerParser.validate(structuredClone(document()));
      expect(Object.keys(resolved.paths!)).toEqual(Object.keys(document().paths));
    });

    it('have nothing that Redocly complains of', async () => {
      const rules = rendering === '/openapi-3.0.json' ? REDOCLY_OFF : {};
      const config = await createConfig({ extends: ['recommended-strict'], rules });
      const problems = await lintFromString({ source: JSON.stringify(document()), config });
      expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    });

    it('have nothing that generators of clients die of', () => {
      expect(offences(document())).toEqual([]);
    });

    it('have nothing that Spectral complains of', async () => {
      const linter = new spectral.Spectral();
      linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: SPECTRAL_OFF } as never);
      const problems = await linter.run(document());
      expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
    });
  });
});

it('knows each thing that generators of clients die of', () => {
  const schemas = {
    Pay: { enum: ['a', null], properties: { circle: { enum: ['1'], pattern: '^1$' } } },
    PayRequest: {
      type: 'object',
      properties: { amount: { type: 'number' }, paid: { type: 'number', multipleOf: 0.01 } },
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
  ];
  expect(found('3.1.0')).toEqual(always);
  const union = 'a union stands in a document of 3.0: ';
  expect(found('3.0.3').filter((offence) => !always.includes(offence))).toEqual([
    `${union}/paths/~1x/get/responses/200/content/application~1json/schema`,
    `${union}/components/schemas/Paid`,
  ]);
});
