/**
 * Runs in a thread of `PasswordThreads`: hashes a password, or compares it with a stored hash. It imports none of our modules,
 * so that a thread starts fast.
 */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

export interface PasswordTask {
  password: string;
  /** Secret of Argon2 that is required to compute the hash. */
  secret: Uint8Array;
  /** Hash to compare with. If it is omitted, the password is hashed. */
  stored?: string | undefined;
}

/** Result of a task. A failure is an error code of argon2, because its messages might quote the input. */
export type PasswordAnswer = { value: string | boolean; failure?: undefined } | { value?: undefined; failure: string };

// On Linux this sets the priority of the thread; elsewhere it would set that of the process. It is not the lowest priority,
// because users must be able to sign in on a busy machine.
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
