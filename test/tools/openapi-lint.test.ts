import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderings, servedDocuments } from '../rest/served-openapi.js';

/** Disabled rules of Spectral. All others are enabled, including those disabled by default. */
const SPECTRAL_OFF = {
  // the contact is configured per installation in the console and has no email address that the document could contain
  'contact-properties': 'off',
  // the license is proprietary and has no page
  'license-url': 'off',
  // the order follows the use by a client
  'openapi-tags-alphabetical': 'off',
} as const;

/** Disabled rules of Redocly for 3.0, because only 3.1 allows an identifier in place of a license page. */
const REDOCLY_OFF = { 'info-license-strict': 'off' } as const;

let documents: Awaited<ReturnType<typeof servedDocuments>>;
beforeAll(async () => {
  documents = await servedDocuments();
});

describe.each(['uat', 'production'] as const)('the OpenAPI documents of %s', (environment) => {
  describe.each(renderings)('%s', (rendering) => {
    const document = (): any => documents[environment][rendering];

    it('are valid, and every reference resolves', async () => {
      const resolved = await SwaggerParser.validate(structuredClone(document()));
      expect(Object.keys(resolved.paths!)).toEqual(Object.keys(document().paths));
    });

    it('have no Redocly errors', async () => {
      const rules = rendering === '/openapi-3.0.json' ? REDOCLY_OFF : {};
      const config = await createConfig({ extends: ['recommended-strict'], rules });
      const problems = await lintFromString({ source: JSON.stringify(document()), config });
      expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    });

    it('have no Spectral errors', async () => {
      const linter = new spectral.Spectral();
      linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: SPECTRAL_OFF } as never);
      const problems = await linter.run(document());
      expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
    });
  });
});
