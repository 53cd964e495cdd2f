// Reports the processor time of `npm test` by file, from the lines that TEST_TIMES=FILE makes it write. Prints the 20 most
// expensive files, and exits with code 1 if the share of a file exceeds its entry in test/budget.json by half. `--write` stores
// the shares of this run. Shares are used because machines differ in speed, and one machine differs from day to day.
import { readFileSync, writeFileSync } from 'node:fs';

const ENTRIES = 'test/budget.json';
/** Percent. Files with a smaller share have this entry. */
const SMALL = 2;
const MOST = 20;

const [times, option] = process.argv.slice(2);
const rows = readFileSync(times, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const totalMs = rows.reduce((sum, { ms }) => sum + ms, 0);
const shares = rows.map(({ file, ms }) => ({ file, ms, share: (100 * ms) / totalMs })).toSorted((a, b) => b.ms - a.ms);

if (option === '--write') {
  const entries = shares
    .filter(({ share }) => share > SMALL)
    .map(({ file, share }) => [file, Number(share.toFixed(1))]);
  writeFileSync(ENTRIES, `${JSON.stringify(Object.fromEntries(entries.toSorted()), null, 2)}\n`);
}
const entries = JSON.parse(readFileSync(ENTRIES, 'utf8'));
console.log(
  `Processor time of ${rows.length} test files: ${(totalMs / 1_000).toFixed(0)} s without PostgreSQL. Most of it:`,
);
for (const { file, ms, share } of shares.slice(0, MOST))
  console.log(
    `${(ms / 1_000).toFixed(1).padStart(7)} s ${share.toFixed(1).padStart(5)} % of ${(entries[file] ?? SMALL).toFixed(1)} %  ${file}`,
  );
for (const { file, share } of shares) {
  const entry = entries[file] ?? SMALL;
  if (share <= 1.5 * entry) continue;
  console.error(
    `${file} takes ${share.toFixed(1)} % of the run's processor time; its entry in ${ENTRIES} is ${entry} %.`,
  );
  process.exitCode = 1;
}
for (const file of Object.keys(entries)) {
  if (shares.some((row) => row.file === file)) continue;
  console.error(`${ENTRIES} has an entry for ${file}, which did not run.`);
  process.exitCode = 1;
}
