import type { Environment } from './secret-files.js';
import { allSettings } from './settings.js';

const read = new Set(
  allSettings.flatMap(({ variable, kind }) => (kind.secret ? [variable, `${variable}_FILE`] : [variable])),
);

/** Nobody else's variables begin so. */
const OUR_PREFIXES = [
  'AUDIT_',
  'CALLBACK_',
  'STATUS_CHECK_',
  'MAX_SLOW_',
  'PROVIDER_',
  'PUBLIC_URL_',
  'TOKEN_',
  'WEBHOOK_',
];
/** What Kubernetes and Docker set for a service that is called "webhook" or "console". */
const OF_A_SERVICE = /_(SERVICE_(HOST|PORT.*)|PORT_\d+_.*|PORT)$/;
/** The unit of another name is a mistake like any other, and only secrets are read from files. */
const bareOf = (name: string): string => name.replace(/_(MS|S|SECONDS|MINUTES|HOURS|DAYS|FILE)$/, '');

/** Short names are close to too many others: HOST to HOME, LOG_LEVEL to the LOGLEVEL of other programs. */
const LEAST_LENGTH = 10;
const MOST_EDITS = 2;

/** Letters to insert, delete or change to make one text of the other. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= b.length; column++)
      next.push(
        Math.min(next[column - 1]! + 1, row[column]! + 1, row[column - 1]! + (letter === b[column - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}

/** The setting that a variable was probably meant for. */
function meantBy(name: string): string | undefined {
  return allSettings
    .map(({ variable }) => variable)
    .find(
      (variable) =>
        bareOf(variable) === bareOf(name) ||
        (variable.length >= LEAST_LENGTH && editsBetween(name, variable) <= MOST_EDITS),
    );
}

const strangers = (environment: Environment): string[] =>
  Object.keys(environment).filter(
    (name) => environment[name] && /^[A-Z][A-Z0-9_]*$/.test(name) && !read.has(name) && !OF_A_SERVICE.test(name),
  );

/**
 * Names that are nearly those of settings, which are not set themselves: what was meant would not hold, so nothing starts.
 * Where the setting is set too, the other one is some other program's.
 */
export const misspeltIn = (environment: Environment): string[] =>
  strangers(environment).flatMap((name) => {
    const meant = meantBy(name);
    return meant === undefined || environment[meant] ? [] : [`${name}: is not a setting; ${meant} is`];
  });

/** Names that begin as settings do, and are read by nobody: for a warning. */
export const unreadIn = (environment: Environment): string[] =>
  strangers(environment).filter((name) => OUR_PREFIXES.some((prefix) => name.startsWith(prefix)));
