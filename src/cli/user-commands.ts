import { parseArgs } from 'node:util';
import type { UserRow } from '../accounts/account.entities.js';
import type { UserService } from '../accounts/user.service.js';
import { newId } from '../core/ids.js';
import { checkPerson, generatePassword } from './password-input.js';

const USAGE = `npm run user -- create --role admin|support --email ADDRESS --name NAME [--generate]
npm run user -- reset --email ADDRESS [--generate]
npm run user -- disable|enable --email ADDRESS [--reason TEXT]
npm run user -- list [--email ADDRESS]
list shows the staff, or the user with the address, of whatever role.
The password is asked for, or read from standard input when that is not a terminal; --generate makes one and prints it once.
Works on the database of DATABASE_URL, or on that of "npm start" in DATA_DIR (.data), which it starts when it is not running.`;

/** What the commands need of the world around them. */
export interface UserCommandParts {
  users: UserService;
  /** How the log names an e-mail address. */
  identifierHash: (email: string) => string;
  /** Asks for a password. */
  readPassword: () => Promise<string>;
  say: (line: string) => void;
}

function optionsOf(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      reason: { type: 'string' },
      generate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return { ...values, command: positionals.length === 1 ? positionals[0] : undefined };
}

type Options = ReturnType<typeof optionsOf>;

function required(options: Options, name: 'role' | 'email' | 'name'): string {
  const value = options[name]?.trim();
  if (!value) throw new Error(`--${name} is missing.\n${USAGE}`);
  return value;
}

async function passwordOf({ generate }: Options, { readPassword, say }: UserCommandParts): Promise<string> {
  if (!generate) {
    const password = await readPassword();
    checkPerson({ password });
    return password;
  }
  const password = generatePassword();
  say(`Password (shown this once): ${password}`);
  return password;
}

const lineOf = ({ id, role, email, name, disabledAt }: UserRow, logName: string): string =>
  [id, role, disabledAt ? 'disabled' : 'active', email, name, logName].join('\t');

/** One command. Errors: one sentence, or the usage. */
export async function runUserCommand(args: string[], parts: UserCommandParts): Promise<void> {
  const options = optionsOf(args);
  const { users, identifierHash, say } = parts;
  if (options.help) return say(USAGE);
  const by = { actor: 'system:cli', requestId: newId() };
  switch (options.command) {
    case 'create': {
      const role = required(options, 'role');
      if (role !== 'admin' && role !== 'support')
        throw new Error('--role must be admin or support; developers sign up by themselves.');
      const person = { email: required(options, 'email'), name: required(options, 'name') };
      checkPerson(person);
      const id = await users.create({ ...person, role, password: await passwordOf(options, parts) }, by);
      return say(`User ${id} may sign in now.`);
    }
    case 'reset': {
      const { email } = await users.byEmail(required(options, 'email'));
      await users.setPassword(email, await passwordOf(options, parts), by);
      return say('The password is set; every session of the user has ended.');
    }
    case 'disable':
    case 'enable': {
      const { id } = await users.byEmail(required(options, 'email'));
      await users[options.command](id, options.reason, by);
      return say(
        options.command === 'disable' ? 'The user is out, and cannot sign in.' : 'The user may sign in again.',
      );
    }
    case 'list':
      say('id\trole\tstate\temail\tname\tidentifierHash in the log');
      for (const user of options.email ? [await users.byEmail(options.email)] : await users.list(null))
        say(lineOf(user, identifierHash(user.email)));
      return undefined;
    case undefined:
    default:
      throw new Error(USAGE);
  }
}
