import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';

const USAGE: Usage = {
  command: 'developer',
  takes: 'export|close DEVELOPER [DIRECTORY] [options]',
  does: `What developers may ask for as persons: what is kept of them, and an end of it. DEVELOPER is an id such as dev_0199…, or an account number.
gateway developer export DEVELOPER DIRECTORY
  writes everything that is kept of the account into a new directory that only you can read: JSON lines, documents of KYC as they are, and
  index.json, the last one, with the SHA-256 of each. It holds personal data in clear: hand it over in a safe way, and delete it then.
  Exits with 1 when something could not be decrypted, which the index names.
gateway developer close DEVELOPER --reason TEXT [--dry-run]
  ends the account for good, with its people, keys and webhooks, and erases what no law wants kept. Says all that stands in the way, such as
  real money or an open order, changes nothing then, and exits with 1. Nothing takes it back. What stays is in "A person's data" of docs/operating.md.
Both stand in the audit trail.`,
  options: `  --reason TEXT         why it is closed, for the audit trail: at most 500 characters
  --dry-run             says what would be ended and erased, and changes nothing`,
  example: 'gateway developer close 1001 --reason "Asked for by letter of 3 March" --dry-run',
};

export type DeveloperOptions = { developer: string } & (
  | { command: 'export'; directory: string }
  | { command: 'close'; reason: string; dryRun: boolean }
);

const MOST_REASON = 500;

/** The options of the command line. Errors: Ending. */
export function developerOptions(args: string[]): DeveloperOptions {
  const options = { reason: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } as const;
  const { values, positionals } = commandLine(USAGE, args, options, 'some');
  const [command, developer, directory, ...more] = positionals;
  if (command !== 'export' && command !== 'close') throw wrongUsage(USAGE, 'Say what to do: export or close.');
  if (!developer) throw wrongUsage(USAGE, `Say which developer to ${command}.`);
  if (more.length > 0 || (command === 'close' && directory !== undefined))
    throw wrongUsage(USAGE, 'There is an argument too many.');
  const { 'dry-run': dryRun } = values;
  const reason = values.reason?.trim();
  if (command === 'export') {
    if (reason !== undefined || dryRun) throw wrongUsage(USAGE, '--reason and --dry-run are for close.');
    if (!directory) throw wrongUsage(USAGE, 'Say into which directory.');
    return { command, developer, directory };
  }
  if (!reason || reason.length > MOST_REASON)
    throw wrongUsage(USAGE, `--reason must say why, in at most ${MOST_REASON} characters.`);
  return { command, developer, reason, dryRun };
}
