import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import { type ArchiveCounts, countSubject, zeroCounts } from './archive-counts.js';

/** Line of a file: an order with all its transfers and events, or a posting without an order. */
export interface ArchivedSubject {
  developer: DeveloperId;
  environment: Environment;
  subject: string;
  /** Wallet version of the last transfer that has one. */
  lastVersion: number;
  amountPaise: number;
  /** Table rows as JSON. Encrypted columns remain encrypted (`\x…`). The value is null for a posting without an order. */
  order: object | null;
  transfers: { amount_paise: number }[];
  events: object[];
}

/** File mode. Files contain personal data, although encrypted, so only their owner can read them. */
const MODE = 0o600;

/** Extension until the file is recorded and renamed. Nothing has been deleted because of a file that has it. */
export const PARTIAL = '.partial';

const sha256 = () => createHash('sha256');

/** Compresses lines into a new file, flushes it to the disk and returns its SHA-256. Throws file system errors. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<Buffer> {
  const hash = sha256();
  const hashStream = new PassThrough().on('data', (bytes: Buffer) => hash.update(bytes));
  const output = createWriteStream(file, { flags: 'wx', mode: MODE, flush: true });
  await pipeline(Readable.from(lines), createGzip(), hashStream, output);
  return hash.digest();
}

/** Reads the subjects of a file one by one. Throws file system errors, and errors for corrupt compression or JSON. */
export async function* readSubjects(file: string): AsyncGenerator<ArchivedSubject> {
  const bytes = createReadStream(file);
  const gunzip = createGunzip();
  const decompression = pipeline(bytes, gunzip);
  decompression.catch(() => {}); // the loop below fails with the same error
  for await (const line of createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as ArchivedSubject;
  await decompression;
}

export async function sha256Of(file: string): Promise<Buffer> {
  const hash = sha256();
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest();
}

/** Counts the content of a file from its transfers. */
export async function countFile(file: string): Promise<ArchiveCounts> {
  const counts = zeroCounts();
  for await (const { order, transfers, events } of readSubjects(file))
    countSubject(counts, {
      isOrder: order !== null,
      transfers: transfers.length,
      events: events.length,
      amountPaise: transfers.reduce((sum, transfer) => sum + BigInt(transfer.amount_paise), 0n),
    });
  return counts;
}

/** Writes the description of a file, renames the file to its final name, and flushes both to the disk. */
export async function publish(file: string, description: object): Promise<void> {
  await writeFile(`${file}.json`, `${JSON.stringify(description, null, 2)}\n`, { mode: MODE, flush: true });
  await rename(`${file}${PARTIAL}`, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // an earlier run already renamed it
  });
  const directory = await open(path.dirname(file));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
