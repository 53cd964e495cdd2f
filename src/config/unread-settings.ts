import type { Environment } from './secret-files.js';
import { allSettings } from './settings.js';

const readVariables = new Set(
  allSettings.flatMap(({ variable, kind }) => (kind.secret ? [variable, `${variable}_FILE`] : [variable])),
);

/** Prefixes that only settings of this product use. */
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
/** Matches variables that Kubernetes and Docker set for a service with a name like "webhook" or "console". */
const OF_A_SERVICE = /_(SERVICE_(HOST|PORT.*)|PORT_\d+_.*|PORT)$/;
/** Returns the name without its unit or `_FILE`, because a wrong unit is a mistake, and only secrets can be read from files. */
const bareOf = (name: string): string => name.replace(/_(MS|S|SECONDS|MINUTES|HOURS|DAYS|FILE)$/, '');

/**
 * Minimum length of a compared name. Shorter names resemble too many others, such as HOST and HOME, or LOG_LEVEL and LOGLEVEL.
 */
const MIN_LENGTH = 10;
const MAX_EDITS = 2;

/** Returns the edit distance: the number of letters to insert, delete or replace. */
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

/** Returns the setting that a variable probably refers to. */
function settingLike(name: string): string | undefined {
  return allSettings
    .map(({ variable }) => variable)
    .find(
      (variable) =>
        bareOf(variable) === bareOf(name) ||
        (variable.length >= MIN_LENGTH && editsBetween(name, variable) <= MAX_EDITS),
    );
}

const unknownNames = (environment: Environment): string[] =>
  Object.keys(environment).filter(
    (name) =>
      environment[name] && /^[A-Z][A-Z0-9_]*$/.test(name) && !readVariables.has(name) && !OF_A_SERVICE.test(name),
  );

/**
 * Returns errors for variables that resemble an unset setting. The intended value would be ignored, so the process does not
 * start. If the setting is set, the variable belongs to another program.
 */
export const misspelledIn = (environment: Environment): string[] =>
  unknownNames(environment).flatMap((name) => {
    const suggestion = settingLike(name);
    return suggestion === undefined || environment[suggestion]
      ? []
      : [`${name}: unknown setting. Did you mean ${suggestion}?`];
  });

/** Returns unknown variables that begin like settings, for a warning. */
export const unreadIn = (environment: Environment): string[] =>
  unknownNames(environment).filter((name) => OUR_PREFIXES.some((prefix) => name.startsWith(prefix)));
