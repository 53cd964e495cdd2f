import { Worker } from 'node:worker_threads';
import { fieldError } from '../core/errors.js';
import { packageRoot } from '../core/package-root.js';
import type { PdfVerdict } from './pdf-thread.js';

/** The compiled file, also for the sources when tests run them. */
const THREAD = new URL('dist/onboarding/pdf-thread.js', packageRoot);
/** Of the thread's heap, and of its buffers outside it: a small file can unpack into any size. */
const MAX_HEAP_MB = 64;
const MAX_BUFFER_BYTES = 64 * 1024 ** 2;
const LOOK_EVERY_MS = 50;
export const PDF_TIMEOUT_MS = 5_000;

const PROBLEMS: Readonly<Record<Exclude<PdfVerdict, 'passive'>, string>> = {
  active: 'The PDF contains scripts, actions or attached files. Print it to a new PDF and upload that.',
  encrypted: 'Remove the password and upload again.',
  unreadable: 'The PDF cannot be read. Print it to a new PDF and upload that.',
};

/** A PDF that does nothing when it is opened. Errors: VALIDATION_FAILED on `file`. */
export async function requirePassivePdf(content: Buffer): Promise<void> {
  const verdict = await verdictOf(content);
  if (verdict !== 'passive') throw fieldError('file', 'PATTERN', PROBLEMS[verdict]);
}

/**
 * Read in a thread that ends with the document: what a hostile file does to its parser costs neither the event loop nor the memory of
 * the process, and what takes too long or too much is unreadable.
 */
function verdictOf(content: Buffer): Promise<PdfVerdict> {
  return new Promise((resolve) => {
    // neither the process's flags nor its environment, which holds secrets
    const thread = new Worker(THREAD, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 8 },
    });
    const timer = setTimeout(() => end('unreadable'), PDF_TIMEOUT_MS);
    // the limit above counts no buffers
    const look = setInterval(() => {
      thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => bytes > MAX_BUFFER_BYTES && end('unreadable'),
        () => {}, // it has not begun, or has ended
      );
    }, LOOK_EVERY_MS);
    const end = (verdict: PdfVerdict): void => {
      clearTimeout(timer);
      clearInterval(look);
      resolve(verdict);
      void thread.terminate();
    };
    thread.once('message', end);
    // out of memory, for example
    thread.once('error', () => end('unreadable'));
    thread.once('exit', () => end('unreadable'));
    thread.postMessage(new Uint8Array(content));
  });
}
