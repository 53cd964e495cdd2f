import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends a command with a message before it does anything: help (exit code 0) or an invalid command line (exit code 2). */
export class CommandExit extends Error {
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

/** Returns the error of a command line, without its values, because one of them can be a password. */
function sentenceOf({ code, message }: NodeJS.ErrnoException): string {
  const name = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `Unknown option ${name}.`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return 'Too many arguments.';
  return `${name} ${message.includes('does not take an argument') ? 'does not take a value' : 'requires a value'}.`;
}

export interface Usage {
  /** Name of the command, such as `doctor`. */
  command: string;
  /** Arguments on one line. */
  synopsis: string;
  /** Description in sentences. */
  description: string;
  /** Options with their meaning, one per line. */
  options?: string;
  example: string;
}

const helpOf = ({ command, synopsis, description, options, example }: Usage): string =>
  [
    `gateway ${command} ${synopsis}`.trimEnd(),
    description,
    ...(options === undefined ? [] : [options]),
    `  --help                shows this help`,
    `Example: ${example}`,
  ].join('\n');

/** Returns a command-line error: one sentence and a reference to the help. */
export const wrongUsage = ({ command }: Usage, sentence: string): CommandExit =>
  new CommandExit(`${sentence} See "gateway ${command} --help".`, 2);

/**
 * Parses the options of a command. Throws Ending with the help text for `--help`, or with one sentence for an invalid command
 * line.
 */
export function commandLine<const T extends Options>(
  usage: Usage,
  args: readonly string[],
  options: T,
  positionals: 'none' | 'some' = 'none',
): Parsed<T> {
  // `--help` takes precedence over errors
  if (args.includes('--help')) throw new CommandExit(helpOf(usage), 0);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: positionals === 'some', strict: true }) as Parsed<T>;
  } catch (error) {
    throw wrongUsage(usage, sentenceOf(error as NodeJS.ErrnoException));
  }
}
