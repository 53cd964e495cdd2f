import { troubleOf } from './trouble.js';

const PAUSE_MS = 200;

/** Repeats work that is safe to repeat while the database is away and `mayGoOn`. Errors: those of the work. */
export async function outlast<T>(work: () => Promise<T>, mayGoOn: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if ((trouble !== 'away' && trouble !== 'doubt') || !mayGoOn()) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
}
