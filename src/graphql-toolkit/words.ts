import 'reflect-metadata';

import { registerEnumType } from 'type-graphql';

/** Enum values keyed by their GraphQL names, such as "card_payment" with the name CARD_PAYMENT. */
export type Words<Word extends string> = Readonly<Record<string, Word>>;
export type WordOf<Enum> = Enum extends Words<infer Word> ? Word : never;

const nameOf = (word: string): string => word.replace(/[.-]/g, '_').toUpperCase();

/**
 * Registers a GraphQL enum from the strings used in the code, each with its description.
 *
 * @param meanings descriptions in the order of the values
 */
export function words<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
): Words<Word> {
  const keys = Object.keys(meanings) as Word[];
  const values: Words<Word> = Object.fromEntries(keys.map((word) => [nameOf(word), word]));
  registerEnumType(values, {
    name,
    description,
    valuesConfig: Object.fromEntries(keys.map((word) => [nameOf(word), { description: meanings[word] }])),
  });
  return values;
}
