import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { Passwords, PasswordThreads } from '../../src/accounts/people/passwords.js';
import { rowKeys } from '../support/row-keys.js';

const open: { close: () => Promise<void> }[] = [];
const opened = <T extends { close: () => Promise<void> }>(threads: T): T => {
  open.push(threads);
  return threads;
};
afterEach(() => Promise.all(open.splice(0).map((threads) => threads.close())));

/** Priorities of the threads of this process on Linux: field 19 of `stat`. The second field can contain spaces. */
const niceOfThreads = (): number[] =>
  readdirSync('/proc/self/task').map((id) =>
    Number(readFileSync(`/proc/self/task/${id}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[16]),
  );
const portsInUse = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

const secret = rowKeys.passwordSecret('one');
/** Returns the password; "die" ends the thread and "throw" throws an error. */
const FAULTY_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ password }) => {
      if (password === 'die') process.exit(1);
      if (password === 'throw') throw new TypeError('a defect');
      parentPort.postMessage(password === 'refuse' ? { failure: 'InvalidArg' } : { value: password + threadId });
    });`)}`,
);

describe('password hashing threads', () => {
  it('have a low priority, unlike the event loop', async () => {
    const priorityBefore = getPriority();
    await opened(new Passwords(rowKeys)).hash('a long enough password', 'one');
    expect(getPriority()).toBe(priorityBefore);
    if (process.platform === 'linux') expect(niceOfThreads()).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  it('keep the process alive only while they work', async () => {
    const threads = opened(new PasswordThreads(FAULTY_THREAD));
    const portsBefore = portsInUse();
    const work = threads.run({ password: 'x', secret });
    expect(portsInUse()).toBe(portsBefore + 1);
    await work;
    expect(portsInUse()).toBe(portsBefore);
  });

  it('are reused', async () => {
    const threads = opened(new PasswordThreads(FAULTY_THREAD));
    expect(await threads.run({ password: 'x', secret })).toBe(await threads.run({ password: 'x', secret }));
  });

  it.each(['die', 'throw'])('reject their job and are replaced when they %s', async (password) => {
    const threads = opened(new PasswordThreads(FAULTY_THREAD));
    const first = await threads.run({ password: 'x', secret });
    await expect(threads.run({ password, secret })).rejects.toThrow('A password thread ended during a task.');
    const next = await threads.run({ password: 'x', secret });
    expect(next).toMatch(/^x\d+$/);
    expect(next).not.toBe(first);
  });

  it('reject a job that argon2 rejects, and continue', async () => {
    const threads = opened(new PasswordThreads(FAULTY_THREAD));
    await expect(threads.run({ password: 'refuse', secret })).rejects.toThrow('argon2 failed: InvalidArg.');
    expect(await threads.run({ password: 'x', secret })).toMatch(/^x/);
  });

  it('reveal nothing of a password or of an invalid hash', async () => {
    const failure = await opened(new Passwords(rowKeys))
      .verify({ id: 'one', passwordHash: 'stored-nonsense' }, 'secret-of-mine')
      .catch((error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(`${failure.stack}${failure.cause}`).not.toMatch(/nonsense|secret-of-mine/);
  });
});

describe('closing the password hashing', () => {
  it('rejects running, queued and later jobs without hanging', async () => {
    const passwords = opened(new Passwords(rowKeys));
    const work = [1, 2, 3, 4].map(() => passwords.hash('secret-of-mine', 'one'));
    const results = Promise.allSettled(work);
    await passwords.close();
    for (const result of await results) {
      expect(result.status).toBe('rejected');
      expect(String((result as PromiseRejectedResult).reason.stack)).not.toContain('secret-of-mine');
    }
    await expect(passwords.verify(undefined, 'x')).rejects.toThrow('Password threads are stopped.');
  });
});
