import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';

const USAGE: Usage = {
  command: 'developer',
  takes: 'export DEVELOPER DIRECTORY',
  does: `What a developer may ask for as a person: what is kept of them. DEVELOPER is an id such as dev_0199…, or an account number.
export writes everything that is kept of the account into a new directory that only you can read: JSON lines, documents of KYC as they are, and
index.json, the last one, with the SHA-256 of each. It holds personal data in clear: hand it over in a safe way, and delete it then.
It stands in the audit trail. Exits with 1 when something could not be decrypted, which the index names.`,
  example: 'gateway developer export 1001 ./account-1001',
};

export interface ExportOptions {
  command: 'export';
  developer: string;
  directory: string;
}

/** The options of the command line. Errors: Ending. */
export function developerOptions(args: string[]): ExportOptions {
  const { positionals } = commandLine(USAGE, args, {}, 'some');
  const [command, developer, directory, ...more] = positionals;
  if (command !== 'export') throw wrongUsage(USAGE, 'Say what to do: export.');
  if (!developer || !directory || more.length > 0)
    throw wrongUsage(USAGE, 'export needs a developer and a directory, and nothing else.');
  return { command, developer, directory };
}
