// `npm run check`: the schemas of the code must support everything that the released ones support. A breaking change fails,
// unless it removes a deprecated element of the released copy. `--release` copies the schemas of the code to the released ones;
// before the first release there is no copy, and the schemas can change freely.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const FILES = ['schema.graphql', 'schema.console.graphql'];
const RELEASED = 'test/contract/released';
const releasedCopy = (file) => `${RELEASED}/${file}`;
const read = (file) => buildSchema(readFileSync(file, 'utf8'));

if (process.argv.includes('--release')) {
  mkdirSync(RELEASED, { recursive: true });
  for (const file of FILES) copyFileSync(file, releasedCopy(file));
} else if (!existsSync(RELEASED)) {
  console.log('No release yet: the schemas are not compared with an earlier one.');
} else {
  for (const file of FILES) {
    const changes = await diff(read(releasedCopy(file)), read(file), [DiffRule.suppressRemovalOfDeprecatedField]);
    for (const { criticality, message } of changes) {
      if (criticality.level !== CriticalityLevel.Breaking) continue;
      console.error(`${file}: ${message}`);
      process.exitCode = 1;
    }
  }
}
