// Part of `npm run check`: descriptions of both schemas, and every text in the code of the service and the portal, by the rules
// of rules.mjs. Prints each complaint with its place and ends with 1.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quoted } from './quoted.mjs';
import { complaintsAbout } from './rules.mjs';
import { descriptionsOf, textsOf } from './texts.mjs';

const read = (file) => readFileSync(file, 'utf8');

const filesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/generated|simulator|samples\//.test(file))
    .toSorted();

const schemas = ['schema.graphql', 'schema.console.graphql'].flatMap((file) => descriptionsOf(read(file)));
const complaints = [
  // both schemas share most of their types
  ...new Map(schemas.map((each) => [`${each.place} ${each.text}`, each])).values(),
  ...['src', 'portal/src'].flatMap(filesOf).flatMap((file) => textsOf(file, read(file))),
]
  .flatMap((each) => complaintsAbout(each).map((what) => ({ ...each, what })))
  .filter(({ text, what }) => !quoted.some(([part, word]) => text.includes(part) && what.includes(word)));

for (const { place, text, what } of complaints) console.error(`${place}: ${what}\n    ${text}`);
if (complaints.length > 0) {
  console.error(
    `${complaints.length} complaints. The terms are in test/words/rules.mjs, quotations of the contract in test/words/quoted.mjs.`,
  );
  process.exitCode = 1;
}
