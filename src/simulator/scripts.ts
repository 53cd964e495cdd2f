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

/** Every word that `POST /_/outcome` takes. */
export const outcomeWords: readonly string[] = [
  ...new Set([...Object.keys(moneyScripts), ...Object.keys(lookupScripts)]),
];

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
