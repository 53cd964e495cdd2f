import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends a program with these words before it has done anything: help that was asked for (0), or a command line that is wrong (2). */
export class Ending extends Error {
  constructor(
    message: string,
    readonly exitCode: 0 | 2,
  ) {
    super(message);
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** What is wrong with a command line, without its values: one of them may be a password. */
function sentenceOf({ code, message }: NodeJS.ErrnoException): string {
  const name = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${name}.`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return 'There is an argument too many.';
  return `${name} ${message.includes('does not take an argument') ? 'takes no value' : 'needs a value'}.`;
}

/** What a command says of itself when it is asked for help. */
export interface Usage {
  /** Its name: `doctor`. */
  command: string;
  /** What follows the name, in one line. */
  takes: string;
  /** Whole sentences: what it does, and with which database. */
  does: string;
  /** One option a line, each with what it means. */
  options?: string;
  /** A whole command line. */
  example: string;
}

const helpOf = ({ command, takes, does, options, example }: Usage): string =>
  [
    `gateway ${command} ${takes}`.trimEnd(),
    does,
    ...(options === undefined ? [] : [options]),
    `  --help                says this`,
    `Example: ${example}`,
  ].join('\n');

/** The complaint about a command line: one sentence, and where help is. */
export const wrongUsage = ({ command }: Usage, sentence: string): Ending =>
  new Ending(`${sentence} See "gateway ${command} --help".`, 2);

/** The options of a command. Errors: Ending, with its help where `--help` is, with one sentence for what is no option of it. */
export function commandLine<const T extends Options>(
  usage: Usage,
  args: readonly string[],
  options: T,
  positionals: 'none' | 'some' = 'none',
): Parsed<T> {
  // also beside what is wrong: whoever asks for help needs it then
  if (args.includes('--help')) throw new Ending(helpOf(usage), 0);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: positionals === 'some', strict: true }) as Parsed<T>;
  } catch (error) {
    throw wrongUsage(usage, sentenceOf(error as NodeJS.ErrnoException));
  }
}
