import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Batch {
  lines: string[];
  written: Promise<void>;
}

const NEWLINE = 0x0a;

/**
 * Append-only file of JSON lines. Queued records are written and flushed together, so a flush per record does not limit the rate.
 * A record is durable when `append` has resolved. After a failed write no further records can be appended, because the end of the
 * file is then unknown.
 */
export class Journal {
  #tail: Promise<void> = Promise.resolve();
  #open: Batch | undefined;

  private constructor(private readonly file: FileHandle) {}

  /**
   * Opens or creates the file and passes every record to `replay`, oldest first. A last line without a newline is left by a crash
   * during a write that was never confirmed, so it is truncated. Any other unreadable line is an error.
   */
  static async open(path: string, replay: (record: unknown) => void): Promise<Journal> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+');
    try {
      const content = await file.readFile();
      const end = content.lastIndexOf(NEWLINE) + 1;
      replayLines(content.subarray(0, end), path, replay);
      if (end < content.length) await file.truncate(end);
      await file.sync();
      await syncDirectory(dirname(path));
      return new Journal(file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Appends a record. Resolves when the record is on disk. Records keep the order of the calls. */
  append(record: object): Promise<void> {
    const batch = this.#open ?? this.#startBatch();
    batch.lines.push(`${JSON.stringify(record)}\n`);
    return batch.written;
  }

  /** Waits for the disk. Resolves when everything appended so far is on disk. */
  whenFlushed(): Promise<void> {
    return this.#tail;
  }

  /** Clears the file. Removes all earlier records; later records are kept. */
  clear(): Promise<void> {
    this.#open = undefined;
    return this.#enqueue(async () => {
      await this.file.truncate(0);
      await this.file.datasync();
    });
  }

  async close(): Promise<void> {
    await this.#tail.catch(() => {}); // each pending append has already received the error
    await this.file.close();
  }

  #startBatch(): Batch {
    const batch: Batch = { lines: [], written: Promise.resolve() };
    this.#open = batch;
    batch.written = this.#enqueue(async () => {
      if (this.#open === batch) this.#open = undefined;
      await this.file.appendFile(batch.lines.join(''));
      await this.file.datasync();
    });
    return batch;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(work);
    this.#tail.catch(() => {}); // reported to the awaiting caller; without one, the rejection must not end the process
    return this.#tail;
  }
}

function replayLines(content: Buffer, path: string, replay: (record: unknown) => void): void {
  let start = 0;
  for (let line = 1; start < content.length; line++) {
    const end = content.indexOf(NEWLINE, start);
    try {
      replay(JSON.parse(content.toString('utf8', start, end)));
    } catch (error) {
      throw new Error(`${path}, line ${line}: not a record of the simulator's book`, { cause: error });
    }
    start = end + 1;
  }
}

/** Makes the name of a newly created file durable. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
