import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderings, servedDocuments } from '../rest/served-openapi.js';

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

    it('have nothing that Spectral complains of', async () => {
      const linter = new spectral.Spectral();
      linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: SPECTRAL_OFF } as never);
      const problems = await linter.run(document());
      expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
    });
  });
});
