/** Number of status checks after which a pending script settles. */
export const STATUS_CHECKS_UNTIL_SETTLED = 3;
export const SLOW_RESPONSE_MS = 3_000;

const SLOW_SUCCESS = `success after ${SLOW_RESPONSE_MS / 1_000} seconds`;

/** Outcomes of a recharge or bill payment with a magic number (see `magicNumbers`), with their documentation. */
export const moneyScripts = {
  declined: 'declined; the amount is refunded',
  silent_performed: 'no response; the payment succeeded, and a status check returns success',
  silent_not_performed: 'no response; the payment failed, and a status check returns failed',
  silent_never_found: 'no response; status checks never find the payment, and it remains pending',
  pending_then_success: `pending; success at status check ${STATUS_CHECKS_UNTIL_SETTLED}`,
  pending_then_failed: `pending; failed at status check ${STATUS_CHECKS_UNTIL_SETTLED}`,
  html_500_performed: 'HTML page with status 500; the payment succeeded',
  truncated_performed: 'truncated response; the payment succeeded',
  slow_success: SLOW_SUCCESS,
  success_then_reversed: 'success, reversed a few seconds later',
  other_amount_performed: 'response with a different amount; the payment succeeded with the requested amount',
  reset_performed: 'connection reset after the request was read; the payment succeeded',
  odd_but_valid: 'unusual but valid response: success',
  success: 'success',
} as const;
export type MoneyScript = keyof typeof moneyScripts;

/** Outcomes of a lookup, bill fetch or lead call. */
export const lookupScripts = {
  failure: 'failure; a profile is rejected',
  silent: 'no response',
  html_500: 'HTML page with status 500',
  truncated: 'truncated response',
  slow_success: SLOW_SUCCESS,
  reset: 'connection reset',
  odd_but_valid: 'unusual but valid response: success',
  success: 'success',
} as const;
export type LookupScript = keyof typeof lookupScripts;

interface Script {
  money: MoneyScript;
  lookup: LookupScript;
}

/**
 * Simulated outcomes of identifiers that end in 54 and one of these four-digit suffixes, in the simulator and in the UAT sandbox.
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

/**
 * Returns the last four digits of an identifier if they follow 54, for example "9876540001" → "0001". Returns undefined for
 * other identifiers.
 */
export const magicSuffixOf = (identifier: string): string | undefined => /54(\d{4})$/.exec(identifier)?.[1];

export const scriptOf = (identifier: string): Script => magicNumbers[magicSuffixOf(identifier) ?? ''] ?? plain;

/** Product IDs whose leads are declined or fail. Leads for all other products are approved. */
export const leadEnds: Readonly<Record<string, 'rejected' | 'failed'>> = { '99901': 'rejected', '99902': 'failed' };
