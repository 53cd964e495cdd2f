import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { type Paise, paiseFromDecimal } from '../core/money.js';

const USAGE: Usage = {
  command: 'developer',
  synopsis: 'export|close|credit DEVELOPER [DIRECTORY] [options]',
  description: `Exports, closes or credits the account of a developer. DEVELOPER is an ID such as dev_0199…, or an account number.
gateway developer export DEVELOPER DIRECTORY
  writes all data of the account to a new directory that only you can read: JSON lines, the KYC documents as uploaded, and finally index.json
  with the SHA-256 of each file. The files contain personal data in plain text: transfer them securely, then delete them.
  Exits with 1 if a value could not be decrypted; the index lists these values.
gateway developer export --all DIRECTORY
  exports every account into its own directory, such as DIRECTORY/dev_0199…. Repeat the command to continue an interrupted export.
gateway developer close DEVELOPER --reason TEXT [--dry-run]
  permanently closes the account with its users, API keys and webhooks, and erases its data, except records that the law requires to be kept
  (docs/personal-data.md). If something prevents this, such as a balance or an open order, it lists the reasons, changes nothing and exits
  with 1. Closing cannot be undone.
gateway developer credit DEVELOPER --amount RUPEES --reference TEXT --reason TEXT
  credits the Production wallet without a UTR, for example for cash, if only one active user can credit. If there are more, one of them
  requests the credit in the portal (creditWallet) and another one approves it. A reference in the form of a UTR is credited only once over
  all Production wallets.
Each command is recorded in the audit log.`,
  options: `  --all                 exports every account
  --reason TEXT         reason for closing or crediting, for the audit log: at most 500 characters
  --dry-run             shows what closing would end and erase, and changes nothing
  --amount RUPEES       amount to credit, such as 500 or 499.50
  --reference TEXT      source of the money: credited once per wallet, at most 100 characters`,
  example: 'gateway developer close 1001 --reason "Requested by letter of 3 March" --dry-run',
};

export type DeveloperOptions =
  | { command: 'export'; all: true; directory: string }
  | ({ developer: string } & (
      | { command: 'export'; all: false; directory: string }
      | { command: 'close'; reason: string; dryRun: boolean }
      | { command: 'credit'; reason: string; amountPaise: Paise; reference: string }
    ));

const MAX_REASON = 500;
const MAX_REFERENCE = 100;

/** Returns the options of the command line. Throws Ending. */
export function developerOptions(args: string[]): DeveloperOptions {
  const options = {
    all: { type: 'boolean', default: false },
    reason: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    amount: { type: 'string' },
    reference: { type: 'string' },
  } as const;
  const { values, positionals } = commandLine(USAGE, args, options, 'some');
  const { all } = values;
  const [command, ...named] = positionals;
  const [developer, directory, ...more] = all ? [undefined, ...named] : named;
  if (command !== 'export' && command !== 'close' && command !== 'credit')
    throw wrongUsage(USAGE, 'Enter a subcommand: export, close or credit.');
  if (all && command !== 'export') throw wrongUsage(USAGE, 'Use --all only with export.');
  if (!developer && !all) throw wrongUsage(USAGE, `Enter the developer to ${command}.`);
  if (more.length > 0 || (command !== 'export' && directory !== undefined))
    throw wrongUsage(USAGE, 'Too many arguments.');
  const { 'dry-run': dryRun } = values;
  const [reason, reference] = [values.reason?.trim(), values.reference?.trim()];
  if (command !== 'credit' && (values.amount !== undefined || reference !== undefined))
    throw wrongUsage(USAGE, 'Use --amount and --reference only with credit.');
  if (command !== 'close' && dryRun) throw wrongUsage(USAGE, 'Use --dry-run only with close.');
  if (command === 'export') {
    if (reason !== undefined) throw wrongUsage(USAGE, 'Use --reason only with close and credit.');
    if (!directory) throw wrongUsage(USAGE, 'Enter a directory.');
    return developer ? { command, all: false, developer, directory } : { command, all: true, directory };
  }
  if (!developer) throw wrongUsage(USAGE, `Enter the developer to ${command}.`);
  if (!reason || reason.length > MAX_REASON)
    throw wrongUsage(USAGE, `--reason must have 1 to ${MAX_REASON} characters.`);
  if (command === 'close') return { command, developer, reason, dryRun };
  const amountPaise = paiseFromDecimal(values.amount ?? '');
  if (amountPaise === undefined) throw wrongUsage(USAGE, '--amount must be rupees, such as 500 or 499.50.');
  if (!reference || reference.length > MAX_REFERENCE)
    throw wrongUsage(USAGE, `--reference must have 1 to ${MAX_REFERENCE} characters.`);
  return { command, developer, reason, amountPaise, reference };
}
