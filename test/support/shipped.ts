import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandOfImage, yamlOf } from '../ops/described.fixture.js';

/** The command line of the image, taken apart. */
export interface ShippedCommand {
  program: string;
  args: readonly string[];
  /** Node's options, with the sizes of its memory. */
  execArgv: readonly string[];
  /** Changes nothing until a signal asks for the inspector: any port, because several services run on one machine. */
  env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };
}

/** What is shipped is what is tested: read from the Dockerfile each time. Errors: when it starts the service in another way. */
export function shippedCommand(): ShippedCommand {
  const [node, ...words] = commandOfImage();
  const at = words.findIndex((word) => word.startsWith('dist/'));
  if (node !== 'node' || at < 0 || /^\s*(ENV|ARG)\b.*NODE_OPTIONS/m.test(readFileSync('Dockerfile', 'utf8')))
    throw new Error(`The image has options elsewhere than between "node" and its program: ${words.join(' ')}`);
  return {
    program: words[at]!,
    args: words.slice(at + 1),
    execArgv: words.slice(0, at),
    env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' },
  };
}

/** What V8 makes of the options: the most that its heap may take. */
export function shippedHeapLimitBytes(): number {
  const question = 'v8.getHeapStatistics().heap_size_limit';
  return Number(execFileSync(process.execPath, [...shippedCommand().execArgv, '-p', question], { encoding: 'utf8' }));
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** What compose.yaml lets one process of the service take. */
export function containerLimitBytes(): number {
  const limit: string = yamlOf('compose.yaml').services['serve-1'].deploy.resources.limits.memory;
  const [, number, unit] = /^(\d+)([KMG])$/i.exec(limit)!;
  return Number(number) * UNITS[unit!.toUpperCase()]!;
}
