/** What a provider does with a recharge, bill payment or lookup for a magic number; see `magicNumbers`. */
export type MoneyScript =
  | 'declined'
  | 'silent_performed'
  | 'silent_not_performed'
  | 'silent_never_found'
  | 'pending_then_success'
  | 'pending_then_failed'
  | 'html_500_performed'
  | 'truncated_performed'
  | 'slow_success'
  | 'success_then_reversed'
  | 'other_amount_performed'
  | 'reset_performed'
  | 'odd_but_valid'
  | 'success';

export type LookupScript =
  | 'failure'
  | 'silent'
  | 'html_500'
  | 'truncated'
  | 'slow_success'
  | 'reset'
  | 'odd_but_valid'
  | 'success';

interface Script {
  money: MoneyScript;
  lookup: LookupScript;
}

/**
 * Identifiers whose last six digits are 54 and one of these four script an outcome, in the simulator and in the UAT sandbox
 * alike. Pending scripts settle on the third enquiry; slow ones answer after 3 s.
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

/** Enquiries until a pending script settles. */
export const ENQUIRIES_UNTIL_SETTLED = 3;
export const SLOW_ANSWER_MS = 3_000;
