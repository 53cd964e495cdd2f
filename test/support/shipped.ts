import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandOfImage, yamlOf } from '../ops/deployment-files.fixture.js';

/** Parsed command line of the image. */
export interface ShippedCommand {
  program: string;
  args: readonly string[];
  /** Options of Node, including its memory limits. */
  execArgv: readonly string[];
  /** Has no effect until a signal enables the inspector. Any port, because several services run on one machine. */
  env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };
}

/**
 * Reads the command from the Dockerfile, so that the shipped command is tested. Errors: the Dockerfile starts the service in
 * another way.
 */
export function shippedCommand(): ShippedCommand {
  const [node, ...words] = commandOfImage();
  const at = words.findIndex((word) => word.startsWith('dist/'));
  if (node !== 'node' || at < 0 || /^\s*(ENV|ARG)\b.*NODE_OPTIONS/m.test(readFileSync('Dockerfile', 'utf8')))
    throw new Error(`The image must have its options between "node" and its program: ${words.join(' ')}`);
  return {
    program: words[at]!,
    args: words.slice(at + 1),
    execArgv: words.slice(0, at),
    env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' },
  };
}

/** Maximum heap size that V8 derives from the options. */
export function shippedHeapLimitBytes(): number {
  const question = 'v8.getHeapStatistics().heap_size_limit';
  return Number(execFileSync(process.execPath, [...shippedCommand().execArgv, '-p', question], { encoding: 'utf8' }));
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Memory limit of a process of the service in compose.yaml. */
export function containerLimitBytes(): number {
  const limit: string = yamlOf('compose.yaml').services['serve-1'].deploy.resources.limits.memory;
  const [, number, unit] = /^(\d+)([KMG])$/i.exec(limit)!;
  return Number(number) * UNITS[unit!.toUpperCase()]!;
}
