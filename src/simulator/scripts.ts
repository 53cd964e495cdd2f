import {
  type LookupScript,
  lookupScripts,
  type MoneyScript,
  magicNumbers,
  magicSuffixOf,
  moneyScripts,
} from '../core/magic-numbers.js';

const isMoneyWord = (word: string): word is MoneyScript => Object.hasOwn(moneyScripts, word);
const isLookupWord = (word: string): word is LookupScript => Object.hasOwn(lookupScripts, word);

/** All words that `POST /_/outcome` accepts. */
export const outcomeWords: readonly string[] = [
  ...new Set([...Object.keys(moneyScripts), ...Object.keys(lookupScripts)]),
];

/** Table of magic numbers with the overrides set at run time. */
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

  /** Overrides the script of a suffix. A word that is in both columns overrides both. Returns false if the word is in neither. */
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
