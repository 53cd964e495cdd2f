import { createInterface } from 'node:readline';
import type { ReadStream } from 'node:tty';
import { requireGoodPassword } from '../accounts/people/password-rules.js';
import { AppError } from '../core/errors.js';
import { randomToken } from '../core/secret.js';
import { Email, NewPassword, rulesOf, Text } from '../graphql-toolkit/rules.js';

/** Validation rules of sign-up. */
class Person {
  @Text(100)
  name?: string;

  @Email()
  email?: string;

  @NewPassword()
  password?: string;
}

/** Checks the values. Throws with one line per invalid value, without the value. */
export function checkPerson(values: { name?: string; email?: string; password?: string }): void {
  const problems = rulesOf(Person)
    .filter(({ property, accepts }) => !accepts(values[property as keyof Person], values))
    .map(({ property, message }) => `${property}: ${message}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Applies the password rules of sign-up. The error is one line without the password. */
export async function checkPassword(password: string, words: readonly string[]): Promise<void> {
  checkPerson({ password });
  try {
    await requireGoodPassword('password', password, words);
  } catch (error) {
    const [problem] = error instanceof AppError ? (error.details.fields ?? []) : [];
    throw problem ? new Error(`password: ${problem.message}`) : error;
  }
}

export const generatePassword = (): string => randomToken('').slice(0, 24);

/**
 * Reads a password. On a terminal, prompts twice without echo; otherwise reads the first line of the input. Throws if there is
 * no input.
 */
export async function readPassword(input: ReadStream, terminal: NodeJS.WriteStream): Promise<string> {
  return input.isTTY ? promptTwice(input, terminal) : firstLine(input);
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  throw new Error('No password on standard input. Enter one on a terminal, pipe one in, or use --generate.');
}

async function promptTwice(input: ReadStream, terminal: NodeJS.WriteStream): Promise<string> {
  const first = await promptOnce('Password: ', input, terminal);
  if (first !== (await promptOnce('Again: ', input, terminal))) throw new Error('The two passwords differ.');
  return first;
}

/** Reads one line of a terminal in raw mode, without echo. Throws if the user presses Ctrl-C. */
async function promptOnce(question: string, input: ReadStream, terminal: NodeJS.WriteStream): Promise<string> {
  // raw mode starts before the prompt, because keys typed immediately would otherwise be echoed
  input.setRawMode(true);
  terminal.write(question);
  input.setEncoding('utf8').resume();
  let line = '';
  try {
    for (;;) {
      const typed = await new Promise<string>((resolve) => input.once('data', resolve));
      for (const key of typed) {
        if (key === '\u0003') throw new Error('Nothing was changed.');
        if (key === '\r' || key === '\n') return line;
        line = key === '\u007f' ? line.slice(0, -1) : line + key;
      }
    }
  } finally {
    input.setRawMode(false);
    input.pause();
    terminal.write('\n');
  }
}
