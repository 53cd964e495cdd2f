import { setTimeout as pause } from 'node:timers/promises';

/**
 * SQLSTATE of work that the server has rolled back whole because another transaction was in its way: a deadlock, and two that
 * cannot be put in a row.
 */
const IN_THE_WAY = new Set(['40P01', '40001']);

/** The other transaction has to wake up first: who repeats at once may lock the same row before it, and the two meet again. */
const PAUSE_MS = 20;

/** Is told why something is done once more. */
export type OnRepeat = (cause: Error) => unknown;

/** Whether somebody else's transaction was in the way: nothing was applied, and the other one is through. */
export const wasInTheWay = (error: unknown): error is Error =>
  IN_THE_WAY.has((error as { code?: string } | undefined)?.code ?? '');

/**
 * Does work once more when another transaction was in its way. It must be a whole transaction, or a statement that is one, and keep
 * nothing of its first attempt. Errors: those of the work.
 */
export async function repeatedOnce<T>(work: () => Promise<T>, onRepeat: OnRepeat): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!wasInTheWay(error)) throw error;
    await onRepeat(error);
    await pause(PAUSE_MS * (1 + Math.random()));
    return work();
  }
}
