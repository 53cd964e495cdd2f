/** Status checks until a pending script settles. */
export const STATUS_CHECKS_UNTIL_SETTLED = 3;
export const SLOW_ANSWER_MS = 3_000;

const SLOW_SUCCESS = `success after ${SLOW_ANSWER_MS / 1_000} seconds`;

/** What a recharge or bill payment comes to for a magic number (see `magicNumbers`), for the documents. */
export const moneyScripts = {
  declined: 'declined; the money comes back',
  silent_performed: 'no answer; performed: a status check says success',
  silent_not_performed: 'no answer; not performed: a status check says failed',
  silent_never_found: 'no answer; status checks never find it, and it stays pending',
  pending_then_success: `pending; success with status check ${STATUS_CHECKS_UNTIL_SETTLED}`,
  pending_then_failed: `pending; failed with status check ${STATUS_CHECKS_UNTIL_SETTLED}`,
  html_500_performed: 'an HTML page with status 500; performed',
  truncated_performed: 'half an answer; performed',
  slow_success: SLOW_SUCCESS,
  success_then_reversed: 'success, taken back a few seconds later',
  other_amount_performed: 'an answer with another amount; performed with yours',
  reset_performed: 'the connection breaks after the request was read; performed',
  odd_but_valid: 'an odd but valid answer: success',
  success: 'success',
} as const;
export type MoneyScript = keyof typeof moneyScripts;

/** What a lookup, bill fetch or lead call comes to. */
export const lookupScripts = {
  failure: 'fails; a profile is refused',
  silent: 'no answer',
  html_500: 'an HTML page with status 500',
  truncated: 'half an answer',
  slow_success: SLOW_SUCCESS,
  reset: 'the connection breaks',
  odd_but_valid: 'an odd but valid answer: success',
  success: 'success',
} as const;
export type LookupScript = keyof typeof lookupScripts;

interface Script {
  money: MoneyScript;
  lookup: LookupScript;
}

/**
 * Identifiers whose last six digits are 54 and one of these four script an outcome, in the simulator and in the UAT sandbox
 * alike.
 */
export const magicNumbers: Readonly<Record<string, Script>> = {
  '0001': { money: 'declined', lookup: 'failure' },
  '0002': { money: 'silent_performed', lookup: 'silent' },
  '0003': { money: 'silent_not_performed', lookup: 'silent' },
  '0004': { money: 'silent_never_found', lookup: 'silent' },
  '0005': { money: 'pending_then_success', lookup: 'success' },
  '0006': { money: 'pending_then_failed', lookup: 'success' },
  '0007': { money: 'html_500_performed', lookup: 'html_500' },
  '0008': { money: 'truncated_performed', lookup: 'truncated' },
  '0009': { money: 'slow_success', lookup: 'slow_success' },
  '0010': { money: 'success_then_reversed', lookup: 'success' },
  '0011': { money: 'other_amount_performed', lookup: 'success' },
  '0012': { money: 'reset_performed', lookup: 'reset' },
  '0013': { money: 'odd_but_valid', lookup: 'odd_but_valid' },
};

const plain: Script = { money: 'success', lookup: 'success' };

/** The four digits behind a trailing 54, e.g. "9876540001" → "0001"; undefined for every other identifier. */
export const magicSuffixOf = (identifier: string): string | undefined => /54(\d{4})$/.exec(identifier)?.[1];

export const scriptOf = (identifier: string): Script => magicNumbers[magicSuffixOf(identifier) ?? ''] ?? plain;

/** Product ids whose leads end badly; the leads of every other one are approved. */
export const leadEnds: Readonly<Record<string, 'rejected' | 'failed'>> = { '99901': 'rejected', '99902': 'failed' };
