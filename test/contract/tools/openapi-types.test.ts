import { expect, it } from 'vitest';
import { typesOf } from './openapi-types.js';
import { servedDocuments } from './served-openapi.js';

// `vitest -u` writes the file: openapi-client.test.ts is a client that is compiled with it
it('a client generated from either document, of either environment, has the same types', async () => {
  const { uat, production } = await servedDocuments();
  const types = await typesOf(uat['/openapi.json']);
  expect(await typesOf(production['/openapi.json'])).toBe(types);
  // which knows no webhooks
  const known = await typesOf({ ...(uat['/openapi.json'] as object), webhooks: undefined });
  for (const { '/openapi-3.0.json': other } of [uat, production]) expect(await typesOf(other)).toBe(known);
  await expect(types).toMatchFileSnapshot('generated/openapi.d.ts');
});
