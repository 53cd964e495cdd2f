import { CommandExit } from './core/command-line.js';
import type { Logger } from './core/log.js';

/**
 * Maximum time of a drain before the process ends regardless: longer than any provider call. The units and manifests in `ops`
 * allow for it.
 */
export const DRAIN_LIMIT_MS = 40_000;

/** The oldest supported version of Node. */
const MINIMUM_NODE = [26, 0] as const;

/** Prints one sentence instead of a stack of syntax errors. npm scripts use their own Node, so this is for all other starts. */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  process.stderr.write(
    `Node ${MINIMUM_NODE.join('.')} or newer is required; this is ${process.version}. In a checkout, "npm start" and "npm run serve" use their own Node.\n`,
  );
  process.exit(1);
}

/**
 * SIGINT and SIGTERM end the process with `stop`. A second signal, or a drain that takes too long, ends it immediately.
 *
 * @param delayMs time before the drain starts
 */
export function stopOnSignals(stop: () => Promise<void>, log?: Logger, delayMs = 0): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS + delayMs).unref();
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        log?.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** Logs unhandled rejections: they are defects, but no reason to abort the requests of other callers. */
export function logUnhandledRejections(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    const err = reason instanceof Error ? reason : new Error('the thrown value is not an Error');
    log.error({ err }, 'unhandled promise rejection');
  });
}

/** Ends a program that could not start with one sentence, or with the requested help. */
export function failToStart(error: unknown): never {
  const code = error instanceof CommandExit ? error.exitCode : 1;
  const text = `${error instanceof Error ? error.message : String(error)}\n`;
  if (code === 0) process.stdout.write(text);
  else process.stderr.write(text);
  process.exit(code);
}
