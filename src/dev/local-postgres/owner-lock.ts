import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOfProcess } from '../process-identity.js';

/**
 * Makes this process the only owner of a directory, so that a second start cannot take over (and at its end stop) the server
 * of the first. The owner's id and start time are in the file: the lock of a process that was killed is void by itself.
 * Returns the function that gives the directory back. Throws one sentence when a live process owns it.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const file = path.join(directory, 'owner.lock');
  // The inode: a copy of the whole directory brings the file along, but not the ownership.
  const inode = statSync(directory).ino;
  const mine = `${process.pid} ${inode} ${randomUUID()} ${startOfProcess(process.pid)}`;
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return () => {
        // Whoever deleted the whole directory may have a successor in it.
        if (readOrEmpty(file) === mine) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const theirs = await readLock(file);
    const [pid = '', lockedInode, , ...start] = theirs.split(' ');
    if (lockedInode === String(inode) && startOfProcess(Number(pid)) === start.join(' ')) {
      throw new Error(
        `The database in ${directory} is in use by process ${pid}; stop that process first or choose another DATA_DIR.`,
      );
    }
    discard(file, theirs);
  }
}

/** The owner may have created the file and not yet written it; a file that stays empty is of a process killed in between. */
async function readLock(file: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const text = readOrEmpty(file);
    if (text !== '') return text;
    await sleep(10);
  }
  return '';
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Removes a void lock, but not one that another process put in its place since it was read. */
function discard(file: string, content: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // somebody else discarded it
  }
  if (readOrEmpty(aside) === content) rmSync(aside, { force: true });
  else renameSync(aside, file);
}
