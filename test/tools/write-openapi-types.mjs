// `npm run test:tools`: the types of a client that is generated from our OpenAPI document, with which openapi-client.test.ts is
// compiled. They follow from the build, so no copy of them is kept.
import { mkdirSync, writeFileSync } from 'node:fs';
import { printedOpenApi } from '../../dist/cli/generate.js';
import { typesOf } from './openapi-types.ts';

const DIRECTORY = new URL('generated/', import.meta.url);

mkdirSync(DIRECTORY, { recursive: true });
writeFileSync(new URL('openapi.d.ts', DIRECTORY), await typesOf(await printedOpenApi()));
