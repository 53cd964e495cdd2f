// Part of `npm run test:tools`: generates the client types from our OpenAPI document, with which openapi-client.test.ts is
// compiled. They are derived from the build, so no copy is stored.
import { mkdirSync, writeFileSync } from 'node:fs';
import { printedOpenApi } from '../../dist/cli/generate.js';
import { typesOf } from './openapi-types.ts';

const DIRECTORY = new URL('generated/', import.meta.url);

mkdirSync(DIRECTORY, { recursive: true });
writeFileSync(new URL('openapi.d.ts', DIRECTORY), await typesOf(await printedOpenApi()));
