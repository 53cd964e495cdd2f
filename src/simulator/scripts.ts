import { type LookupScript, type MoneyScript, magicNumbers, magicSuffixOf } from '../core/magic-numbers.js';

const moneyWords: Readonly<Record<MoneyScript, true>> = {
  declined: true,
  silent_performed: true,
  silent_not_performed: true,
  silent_never_found: true,
  pending_then_success: true,
  pending_then_failed: true,
  html_500_performed: true,
  truncated_performed: true,
  slow_success: true,
  success_then_reversed: true,
  other_amount_performed: true,
  reset_performed: true,
  odd_but_valid: true,
  success: true,
};

const lookupWords: Readonly<Record<LookupScript, true>> = {
  failure: true,
  silent: true,
  html_500: true,
  truncated: true,
  slow_success: true,
  reset: true,
  odd_but_valid: true,
  success: true,
};

const isMoneyWord = (word: string): word is MoneyScript => Object.hasOwn(moneyWords, word);
const isLookupWord = (word: string): word is LookupScript => Object.hasOwn(lookupWords, word);

/** Every word that `POST /_/outcome` takes. */
export const outcomeWords: readonly string[] = [...new Set([...Object.keys(moneyWords), ...Object.keys(lookupWords)])];

/** The table of magic numbers with the changes made while running. */
export class Scripts {
  readonly #money = new Map<string, MoneyScript>();
  readonly #lookup = new Map<string, LookupScript>();

  moneyOf(identifier: string): MoneyScript {
    const suffix = magicSuffixOf(identifier) ?? '';
    return this.#money.get(suffix) ?? magicNumbers[suffix]?.money ?? 'success';
  }

  lookupOf(identifier: string): LookupScript {
    const suffix = magicSuffixOf(identifier) ?? '';
    return this.#lookup.get(suffix) ?? magicNumbers[suffix]?.lookup ?? 'success';
  }

  /** Changes what a suffix does; a word of both columns changes both. False when the word is in neither. */
  override(suffix: string, word: string): boolean {
    if (isMoneyWord(word)) this.#money.set(suffix, word);
    if (isLookupWord(word)) this.#lookup.set(suffix, word);
    return isMoneyWord(word) || isLookupWord(word);
  }

  clear(): void {
    this.#money.clear();
    this.#lookup.clear();
  }
}
