import type { z } from 'zod';

/** How the text of a setting is read. A complaint follows the setting's name and never holds its value. */
export interface Kind<T> {
  /** What stands for it in the documents, such as "duration". */
  form: string;
  schema: z.ZodType<T, string>;
  /** `<NAME>_FILE` may name a file that holds it. */
  secret?: true;
  /** For programs that have no use for a setting that is required. */
  placeholder?: string;
}

/** A text as it would be set, or one that follows from other settings; undefined: the setting is required. */
type Default = string | ((of: (variable: string) => string) => string) | undefined;

/** Everything that there is to say about one setting, once. */
export class Setting<T> {
  constructor(
    readonly variable: string,
    readonly kind: Kind<T>,
    readonly fallback: Default,
    /** A sentence or two for people who run the service. */
    readonly about: string,
  ) {}
}

/** Settings under the names that the code reads them by. */
export interface Tree {
  [name: string]: Setting<unknown> | Tree;
}

/** What is read from a tree of settings. */
export type Values<T> = T extends Setting<infer Value> ? Value : { [Name in keyof T]: Values<T[Name]> };

/** An empty text as the default is "none". */
export const setting = <T>(variable: string, kind: Kind<T>, fallback: Exclude<Default, undefined>) => ({
  about: (text: string) => new Setting(variable, kind, fallback, text),
});

/** A setting without which nothing starts. */
export const required = <T>(variable: string, kind: Kind<T>) => ({
  about: (text: string) => new Setting(variable, kind, undefined, text),
});

export const settingsIn = (tree: Tree): Setting<unknown>[] =>
  Object.values(tree).flatMap((node) => (node instanceof Setting ? [node] : settingsIn(node)));

/** The tree again, with what `read` makes of each setting. */
export const readTree = <T extends Tree>(tree: T, read: (one: Setting<unknown>) => unknown): Values<T> =>
  Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [name, node instanceof Setting ? read(node) : readTree(node, read)]),
  ) as Values<T>;

/** A text for each required setting of the tree, for programs that have no use for them. */
export const placeholdersOf = (tree: Tree): Record<string, string> =>
  Object.fromEntries(
    settingsIn(tree)
      .filter(({ fallback }) => fallback === undefined)
      .map(({ variable, kind }) => [variable, kind.placeholder ?? '']),
  );
