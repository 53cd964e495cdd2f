import { readFileSync } from 'node:fs';
import { allSettings } from './settings.js';

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the content of a file, or the reason why it cannot be used. The reason quotes neither its path nor its content. */
function fileText(file: string): { content: string } | { problem: string } {
  try {
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return content === '' ? { problem: 'names a file that is empty' } : { content };
  } catch (error) {
    return { problem: `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** Returns the environment with the content of each `<NAME>_FILE` as the value of its setting. Problems are listed by setting. */
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
