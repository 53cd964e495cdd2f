import 'reflect-metadata';

import { registerEnumType } from 'type-graphql';

/** The words of an enum by the names that GraphQL has for them: "card_payment" is CARD_PAYMENT. */
export type Words<Word extends string> = Readonly<Record<string, Word>>;
export type WordOf<Enum> = Enum extends Words<infer Word> ? Word : never;

const nameOf = (word: string): string => word.replace(/[.-]/g, '_').toUpperCase();

/**
 * An enum of the graph: the words that the code uses, each with what it means.
 *
 * @param meanings in the order in which the words are listed
 */
export function words<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
): Words<Word> {
  const all = Object.keys(meanings) as Word[];
  const named: Words<Word> = Object.fromEntries(all.map((word) => [nameOf(word), word]));
  registerEnumType(named, {
    name,
    description,
    valuesConfig: Object.fromEntries(all.map((word) => [nameOf(word), { description: meanings[word] }])),
  });
  return named;
}
