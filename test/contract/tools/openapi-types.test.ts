import { expect, it } from 'vitest';
import { typesOf } from './openapi-types.js';
import { servedDocuments } from './served-openapi.js';

// `vitest -u` writes the file: openapi-client.test.ts is a client that is compiled with it
it('a client generated from either document, of either environment, has the same types', async () => {
  const { uat, production } = await servedDocuments();
  const types = await typesOf(uat['/openapi.json']);
  for (const other of [uat['/openapi-3.0.json'], production['/openapi.json'], production['/openapi-3.0.json']])
    expect(await typesOf(other)).toBe(types);
  await expect(types).toMatchFileSnapshot('generated/openapi.d.ts');
});
