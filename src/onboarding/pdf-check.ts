import { Worker } from 'node:worker_threads';
import { fieldError } from '../core/errors.js';
import { packageRoot } from '../core/package-root.js';
import type { PdfCheckResult } from './pdf-thread.js';

/** The compiled file, which is also used when tests run the sources. */
const THREAD = new URL('dist/onboarding/pdf-thread.js', packageRoot);
/** Limit for the heap of the thread and its external buffers, because a small file can unpack to any size. */
const MAX_HEAP_MB = 64;
const MAX_BUFFER_BYTES = 64 * 1024 ** 2;
const POLL_MS = 50;
export const PDF_TIMEOUT_MS = 5_000;

const PROBLEMS: Readonly<Record<Exclude<PdfCheckResult, 'passive'>, string>> = {
  active: 'The PDF contains scripts, actions or attached files. Print it to a new PDF and upload that.',
  encrypted: 'The PDF is password-protected. Remove the password and upload it again.',
  unreadable: 'The PDF cannot be read. Print it to a new PDF and upload that.',
};

/** Rejects a PDF with active content. Throws VALIDATION_FAILED for `file`. */
export async function requirePassivePdf(content: Buffer): Promise<void> {
  const result = await checkPdf(content);
  if (result !== 'passive') throw fieldError('file', 'PATTERN', PROBLEMS[result]);
}

/**
 * Parses the PDF in its own thread, so that a hostile file can neither block the event loop nor exhaust the memory of the
 * process. A file that takes too long or needs too much memory is reported as unreadable.
 */
function checkPdf(content: Buffer): Promise<PdfCheckResult> {
  return new Promise((resolve) => {
    // the thread gets neither the flags nor the environment of the process, which contains secrets
    const thread = new Worker(THREAD, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 8 },
    });
    const timer = setTimeout(() => end('unreadable'), PDF_TIMEOUT_MS);
    // the heap limit does not include buffers
    const pollTimer = setInterval(() => {
      thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => bytes > MAX_BUFFER_BYTES && end('unreadable'),
        () => {}, // the thread has not started or has ended
      );
    }, POLL_MS);
    const end = (result: PdfCheckResult): void => {
      clearTimeout(timer);
      clearInterval(pollTimer);
      resolve(result);
      void thread.terminate();
    };
    thread.once('message', end);
    // for example, the thread is out of memory
    thread.once('error', () => end('unreadable'));
    thread.once('exit', () => end('unreadable'));
    thread.postMessage(new Uint8Array(content));
  });
}
