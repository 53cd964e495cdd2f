import { readFileSync } from 'node:fs';
import { allSettings } from './settings.js';

/** Variables as a process is given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Why a file cannot be used; undefined when it was read. Neither its path nor its content is quoted. */
function fileText(file: string): { content: string } | { problem: string } {
  try {
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return content === '' ? { problem: 'names a file that is empty' } : { content };
  } catch (error) {
    return { problem: `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** The environment with each `<NAME>_FILE` of a secret in place of its name. Problems by the name of the setting. */
export function readSecretFiles(environment: Environment) {
  const texts: Record<string, string | undefined> = { ...environment };
  const problems = new Map<string, string>();
  for (const { variable, kind } of allSettings) {
    const name = `${variable}_FILE`;
    const file = texts[name];
    if (!kind.secret || !file) continue;
    delete texts[name];
    if (texts[variable]) {
      problems.set(variable, `${name}: must not be set together with ${variable}`);
      continue;
    }
    const read = fileText(file);
    if ('content' in read) texts[variable] = read.content;
    else problems.set(variable, `${name}: ${read.problem}`);
  }
  return { texts, problems };
}
