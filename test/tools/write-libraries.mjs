// `npm run libraries`: writes the files that test/tools/libraries.test.ts compares.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { isCompressed, libraries } from './libraries.mjs';

const TO = path.join(import.meta.dirname, '../../src/http/libraries');
const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

const files = await libraries();
rmSync(TO, { recursive: true, force: true });
for (const [name, text] of files) {
  const file = path.join(TO, name);
  mkdirSync(path.dirname(file), { recursive: true });
  if (isCompressed(name)) writeFileSync(`${file}.br`, brotliCompressSync(text, { params }));
  else writeFileSync(file, text);
}
