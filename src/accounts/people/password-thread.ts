/**
 * Runs in a thread of its own, see `PasswordThreads`: hashes a password, or compares it with a stored hash. It imports nothing of
 * ours, so that a thread starts fast.
 */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

export interface PasswordTask {
  password: string;
  /** Argon2's secret: without it the hash cannot be computed. */
  secret: Uint8Array;
  /** Compared with; without one the password is hashed. */
  stored?: string | undefined;
}

/** The failure is a code of argon2's, whose texts might quote what they were given. */
export type PasswordAnswer = { value: string | boolean; failure?: undefined } | { value?: undefined; failure: string };

// Linux has a priority for each thread; elsewhere this would be the priority of the whole process. Not the lowest one: on a machine
// that is busy throughout, people must still be able to sign in.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort!.on('message', ({ password, secret, stored }: PasswordTask) => {
  let answer: PasswordAnswer;
  try {
    answer = {
      value: stored === undefined ? hashSync(password, { secret }) : verifySync(stored, password, { secret }),
    };
  } catch (error) {
    answer = { failure: String((error as { code?: unknown }).code) };
  }
  parentPort!.postMessage(answer);
});
