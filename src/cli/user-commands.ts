import type { UserRow } from '../accounts/account.entities.js';
import type { InvitationService } from '../accounts/people/invitation.service.js';
import { USER_COMMAND } from '../accounts/people/people.notices.js';
import type { UserService } from '../accounts/people/user.service.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { newId } from '../core/ids.js';
import { type DeveloperId, type StaffRole, staffRoles, teamRoles } from '../core/principal.js';
import { checkPassword, checkPerson, generatePassword } from './password-input.js';

const USAGE: Usage = {
  command: 'user',
  synopsis: 'create|set-role|invite|reset|reset-factor|suspend|reinstate|list [options]',
  description: `Manages staff from the machine itself. In an empty database, it creates the first administrator.
gateway user create --role admin|finance|reviewer|support --email ADDRESS --name NAME [--generate]
gateway user set-role --role admin|finance|reviewer|support --email ADDRESS [--reason TEXT]
gateway user invite --developer ID --email ADDRESS --name NAME [--team-role owner|builder|finance|reader]
   invites a user into an account without an active owner, if there is only one active administrator
gateway user reset --email ADDRESS [--generate]
gateway user suspend|reinstate --email ADDRESS [--reason TEXT]
gateway user reset-factor --email ADDRESS [--reason TEXT]   removes lost second factors; new ones are enrolled at the next sign-in
gateway user list [--email ADDRESS]   lists staff, or the user with this address
The command prompts for a password, or reads it from standard input if that is not a terminal.
Each change is recorded in the audit log and emailed to every administrator. No second person must approve it, so use it only while fewer than
two administrators are active. "suspend" confirms an emergency suspension, "reinstate" undoes it.`,
  options: `  --role ROLE           admin, finance, reviewer or support; developers sign up themselves
  --email ADDRESS       email address of the user
  --name NAME           name of the user
  --developer ID        account that the user joins: an ID such as dev_0199…, or an account number
  --team-role ROLE      role in the account: owner (default), builder, finance or reader
  --reason TEXT         reason for the audit log
  --generate            generates a password and prints it once`,
  example: 'gateway user create --role admin --email you@shop.example --name "Your name"',
};

export interface UserCommandParts {
  users: UserService;
  invitations: Pick<InvitationService, 'inviteByCommand'>;
  /** Returns the ID of the account with the given ID or account number. */
  developerOf: (text: string) => Promise<DeveloperId>;
  /** Returns the hash that identifies an email address in the log. */
  identifierHash: (email: string) => string;
  /** Prompts for a password. */
  readPassword: () => Promise<string>;
  print: (line: string) => void;
}

const COMMANDS = ['create', 'set-role', 'invite', 'reset', 'reset-factor', 'suspend', 'reinstate', 'list'] as const;

/** Returns the options of the command line. Throws Ending. */
export function userOptions(args: string[]) {
  const options = {
    role: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    developer: { type: 'string' },
    'team-role': { type: 'string', default: 'owner' },
    reason: { type: 'string' },
    generate: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = commandLine(USAGE, args, options, 'some');
  const command = COMMANDS.find((name) => name === positionals[0]);
  if (command === undefined || positionals.length > 1)
    throw wrongUsage(USAGE, `Enter a subcommand: ${COMMANDS.join(', ')}.`);
  return { ...values, command };
}

type Options = ReturnType<typeof userOptions>;

function required(options: Options, name: 'role' | 'email' | 'name' | 'developer'): string {
  const value = options[name]?.trim();
  if (!value) throw wrongUsage(USAGE, `--${name} is required.`);
  return value;
}

async function passwordOf(
  { generate }: Options,
  { readPassword, print }: UserCommandParts,
  words: readonly string[],
): Promise<string> {
  if (!generate) {
    const password = await readPassword();
    await checkPassword(password, words);
    return password;
  }
  const password = generatePassword();
  print(`Password (shown only once): ${password}`);
  return password;
}

const isStaffRole = (role: string): role is StaffRole => (staffRoles as readonly string[]).includes(role);

const lineOf = ({ id, role, email, name, disabledAt }: UserRow, logName: string): string =>
  [id, role, disabledAt ? 'suspended' : 'active', email, name, logName].join('\t');

function staffRoleOf(options: Options): StaffRole {
  const role = required(options, 'role');
  if (isStaffRole(role)) return role;
  throw wrongUsage(USAGE, `--role must be one of ${staffRoles.join(', ')}; developers sign up themselves.`);
}

/** Runs a command. Its errors have a message for the user. Throws Ending if an option is missing. */
export async function runUserCommand(options: Options, parts: UserCommandParts): Promise<void> {
  const { users, identifierHash, print } = parts;
  const by = { actor: USER_COMMAND, requestId: newId() };
  switch (options.command) {
    case 'create': {
      const role = staffRoleOf(options);
      const person = { email: required(options, 'email'), name: required(options, 'name') };
      checkPerson(person);
      const password = await passwordOf(options, parts, [person.name, person.email]);
      const id = await users.create({ ...person, role, password }, by);
      return print(`User ${id} can sign in now.`);
    }
    case 'set-role': {
      const role = staffRoleOf(options);
      const { id } = await users.byEmail(required(options, 'email'));
      await users.setStaffRole(id, role, options.reason, by);
      return print(`The role of the user is now ${role}. It takes effect on the next request.`);
    }
    case 'invite': {
      const teamRole = teamRoles.find((role) => role === options['team-role']);
      if (!teamRole) throw wrongUsage(USAGE, `--team-role must be one of ${teamRoles.join(', ')}.`);
      const person = { email: required(options, 'email'), name: required(options, 'name') };
      checkPerson(person);
      const developerId = await parts.developerOf(required(options, 'developer'));
      await parts.invitations.inviteByCommand({ ...person, role: 'developer', teamRole, developerId }, by);
      return print(`An invitation to join the account as ${teamRole} was sent. The link expires in 72 hours.`);
    }
    case 'reset': {
      const { email, name } = await users.byEmail(required(options, 'email'));
      await users.setPassword(email, await passwordOf(options, parts, [name, email]), by);
      return print('The password was changed, and all sessions of the user were ended.');
    }
    case 'reset-factor': {
      const { id } = await users.byEmail(required(options, 'email'));
      await users.resetFactors(id, options.reason, by);
      return print('The second factors were removed, and all sessions of the user were ended.');
    }
    case 'suspend':
    case 'reinstate': {
      const { id } = await users.byEmail(required(options, 'email'));
      if (options.command === 'suspend') {
        await users.disable(id, options.reason, by);
        return print('The user is suspended and cannot sign in.');
      }
      await users.enable(id, options.reason, by);
      return print('The user is reinstated and can sign in again.');
    }
    case 'list':
      print('id\trole\tstate\temail\tname\tidentifierHash in the log');
      for (const user of options.email ? [await users.byEmail(options.email)] : await users.list(null))
        print(lineOf(user, identifierHash(user.email)));
      return undefined;
  }
}
