import { type IndianMonth, isMonth, monthsLater } from '../archive/indian-month.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';

/** Minimum number of complete months in the database besides the current one, as promised to developers. */
export const MIN_MONTHS = 13;

const USAGE: Usage = {
  command: 'archive',
  synopsis: '[--before YYYY-MM | --keep-months N] [--out DIR --apply]',
  description: `Lists the orders and transfers of old months that can be archived, and the orders that stay, with the reason. Changes nothing without --apply.
Requires the DATABASE_URL of the owner of the tables, like "gateway migrate".`,
  options: `  --before YYYY-MM      first month (IST) that stays; at least ${MIN_MONTHS} complete months must stay
  --keep-months N       number of complete months before the current one that stay (default ${MIN_MONTHS})
  --out DIR             directory of the files: one per month (gzip of JSON lines), and its description with SHA-256 and counts
  --apply               writes the files, verifies them, and deletes their rows from the database. Can be interrupted and repeated at any time.`,
  example: 'gateway archive --apply --out /archive/ledger',
};

export interface ArchiveOptions {
  /** First month that is retained. */
  before: IndianMonth | undefined;
  keepMonths: number;
  directory: string | undefined;
  apply: boolean;
}

/** Returns the options of the command line. Throws Ending. */
export function optionsOf(args: string[]): ArchiveOptions {
  const { values } = commandLine(USAGE, args, {
    before: { type: 'string' },
    'keep-months': { type: 'string' },
    out: { type: 'string' },
    apply: { type: 'boolean', default: false },
  });
  const { before, out: directory, 'keep-months': months = String(MIN_MONTHS), apply } = values;
  if (before !== undefined && values['keep-months'] !== undefined)
    throw wrongUsage(USAGE, 'Use either --before or --keep-months.');
  if (before !== undefined && !isMonth(before))
    throw wrongUsage(USAGE, '--before must be a month in the form YYYY-MM.');
  const keepMonths = Number(months);
  if (!Number.isInteger(keepMonths) || keepMonths < MIN_MONTHS)
    throw wrongUsage(USAGE, `--keep-months must be a whole number, ${MIN_MONTHS} or more.`);
  if (apply !== (directory !== undefined)) throw wrongUsage(USAGE, 'Use --apply and --out together.');
  return { before, keepMonths, directory, apply };
}

/** Returns the first month that is retained. Throws if too few months would remain. */
export function firstKept({ before, keepMonths }: ArchiveOptions, current: IndianMonth): IndianMonth {
  const latest = monthsLater(current, -keepMonths);
  if (before !== undefined && before > latest)
    throw new Error(`--before must be ${latest} or earlier: ${MIN_MONTHS} complete months must stay.`);
  return before ?? latest;
}
