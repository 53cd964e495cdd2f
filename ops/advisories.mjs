// `npm run advisories`: lists known security advisories about the packages in package-lock.json, from the registry configured for
// npm. Arguments: directories with a package-lock.json; by default, this repository and test/tools.
//
// Exit code 0: no advisories · 1: there are advisories · 3: at least one lock file could not be checked, and no advisories were
// found. The output never contains the name of the registry.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const FOUND = 1;
const NOT_CHECKED = 3;
/** Checks per lock file: packages of the service, then all packages. */
const SCOPES = { 'production packages': ['--omit=dev'], 'all packages': [] };
const MOST_BYTES = 64 * 2 ** 20;

/** Standard output of `npm audit`, which exits with 1 for an advisory and if the registry does not respond. */
const audit = (directory, options) =>
  new Promise((resolve) => {
    const words = ['audit', '--json', '--package-lock-only', ...options];
    execFile('npm', words, { cwd: directory, maxBuffer: MOST_BYTES }, (error, stdout) => resolve({ error, stdout }));
  });

/** The reason for a missing report: the status of the registry or an error code, never its address. */
function reasonOf(report, error) {
  if (report?.statusCode) return `the registry returned ${report.statusCode}`;
  const code =
    report?.error?.code ?? /\b(E[A-Z]{4,}|UNABLE_TO_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)\b/.exec(report?.message)?.[1];
  return `npm audit failed (${code ?? error?.code ?? 'no report'})`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const RANKS = ['critical', 'high', 'moderate', 'low', 'info'];

/** The advisories of a report, the most severe first. Packages that only depend on an affected package are not listed. */
const advisoriesOf = ({ vulnerabilities }) => {
  const found = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((cause) => typeof cause === 'object'));
  const distinct = [...new Map(found.map((advisory) => [`${advisory.name} ${advisory.url}`, advisory])).values()];
  return distinct.toSorted((one, other) => RANKS.indexOf(one.severity) - RANKS.indexOf(other.severity));
};

/** Prints a summary and a line per advisory. Returns the exit code. */
async function check(directory, scope) {
  const title = `${scope} of ${path.join(directory, 'package-lock.json')}`;
  if (!existsSync(path.join(directory, 'package-lock.json'))) {
    console.log(`${title}: advisories not checked: file not found`);
    return NOT_CHECKED;
  }
  const { error, stdout } = await audit(directory, SCOPES[scope]);
  const report = parsed(stdout);
  if (!report?.vulnerabilities) {
    console.log(`${title}: advisories not checked: ${reasonOf(report, error)}`);
    return NOT_CHECKED;
  }
  const advisories = advisoriesOf(report);
  const { prod, total } = report.metadata.dependencies;
  const count = scope === 'production packages' ? prod : total;
  console.log(`${title}: ${advisories.length} advisories about ${count} packages`);
  for (const { severity, name, range, title: text, url } of advisories)
    console.log(`  ${severity.padEnd(8)}  ${name} ${range}: ${text} (${url})`);
  return advisories.length > 0 ? FOUND : 0;
}

const directories = process.argv.slice(2);
const codes = [];
for (const directory of directories.length > 0 ? directories : ['.', 'test/tools'])
  for (const scope of Object.keys(SCOPES)) codes.push(await check(directory, scope));
process.exitCode = codes.includes(FOUND) ? FOUND : Math.max(...codes);
