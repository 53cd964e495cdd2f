// `npm run check`: what clients could do with the released schemas, they can do with those of the code. A breaking change fails,
// unless it removes what the released copy deprecates. `--release` makes the schemas of the code the released ones.
import { copyFileSync, readFileSync } from 'node:fs';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const FILES = ['schema.graphql', 'schema.console.graphql'];
const releasedCopy = (file) => `test/contract/released/${file}`;
const read = (file) => buildSchema(readFileSync(file, 'utf8'));

for (const file of FILES) {
  if (process.argv.includes('--release')) {
    copyFileSync(file, releasedCopy(file));
    continue;
  }
  const changes = await diff(read(releasedCopy(file)), read(file), [DiffRule.suppressRemovalOfDeprecatedField]);
  for (const { criticality, message } of changes) {
    if (criticality.level !== CriticalityLevel.Breaking) continue;
    console.error(`${file}: ${message}`);
    process.exitCode = 1;
  }
}
