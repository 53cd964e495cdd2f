import { Ending } from './core/command-line.js';
import type { Logger } from './core/log.js';

/** Time that a drain may take before the process ends anyway: longer than any provider call. The units and manifests in `ops` allow it. */
export const DRAIN_LIMIT_MS = 40_000;

/** The oldest Node that the stack runs on. */
const MINIMUM_NODE = [26, 0] as const;

/** One sentence instead of a stack of syntax errors; npm scripts bring their own Node, so this is for everything else. */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  process.stderr.write(
    `This needs Node ${MINIMUM_NODE.join('.')} or newer; this is ${process.version}. In a checkout "npm start" and "npm run serve" bring their own.\n`,
  );
  process.exit(1);
}

/**
 * SIGINT and SIGTERM end the process by `stop`; a second signal, or a drain that takes too long, ends it at once.
 *
 * @param delayMs what passes before the drain begins
 */
export function stopOnSignals(stop: () => Promise<void>, log?: Logger, delayMs = 0): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS + delayMs).unref();
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        log?.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** A promise failed that nobody waited for: a defect, and no reason to end the requests of everybody else. */
export function outliveRejections(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    const err = reason instanceof Error ? reason : new Error('what was thrown is no error');
    log.error({ err }, 'a rejection that nobody handled');
  });
}

/** Ends a program that could not start with one clear sentence, or with the help that was asked for. */
export function failToStart(error: unknown): never {
  const code = error instanceof Ending ? error.exitCode : 1;
  const words = `${error instanceof Error ? error.message : String(error)}\n`;
  if (code === 0) process.stdout.write(words);
  else process.stderr.write(words);
  process.exit(code);
}
