import type { z } from 'zod';

/** How the text of a setting is parsed. An error message follows the name of the setting and never contains its value. */
export interface Kind<T> {
  /** Name of the format in the documents, such as "duration". */
  form: string;
  schema: z.ZodType<T, string>;
  /** `<NAME>_FILE` can name a file with the value. */
  secret?: true;
  /** Value for programs that do not use a required setting. */
  placeholder?: string;
}

/** Default value, or a function that derives it from other settings. If undefined, the setting is required. */
type Default = string | ((of: (variable: string) => string) => string) | undefined;

/** Definition of one setting. */
export class Setting<T> {
  constructor(
    readonly variable: string,
    readonly kind: Kind<T>,
    readonly fallback: Default,
    /** Description for administrators, in one or two sentences. */
    readonly about: string,
  ) {}
}

/** Settings by the names that the code uses. */
export interface Tree {
  [name: string]: Setting<unknown> | Tree;
}

/** Parsed values of a tree of settings. */
export type Values<T> = T extends Setting<infer Value> ? Value : { [Name in keyof T]: Values<T[Name]> };

/** Declares an optional setting. An empty default means that it is not set. */
export const setting = <T>(variable: string, kind: Kind<T>, fallback: Exclude<Default, undefined>) => ({
  about: (text: string) => new Setting(variable, kind, fallback, text),
});

/** Declares a setting without which no process starts. */
export const required = <T>(variable: string, kind: Kind<T>) => ({
  about: (text: string) => new Setting(variable, kind, undefined, text),
});

export const settingsIn = (tree: Tree): Setting<unknown>[] =>
  Object.values(tree).flatMap((node) => (node instanceof Setting ? [node] : settingsIn(node)));

/** Returns the tree with each setting replaced by the result of `read`. */
export const readTree = <T extends Tree>(tree: T, read: (leaf: Setting<unknown>) => unknown): Values<T> =>
  Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [name, node instanceof Setting ? read(node) : readTree(node, read)]),
  ) as Values<T>;

/** Returns a value for each required setting of the tree, for programs that do not use these settings. */
export const placeholdersOf = (tree: Tree): Record<string, string> =>
  Object.fromEntries(
    settingsIn(tree)
      .filter(({ fallback }) => fallback === undefined)
      .map(({ variable, kind }) => [variable, kind.placeholder ?? '']),
  );
