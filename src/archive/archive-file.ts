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
import { type ArchiveCounts, countSubject, noCounts } from './archive-counts.js';

/** A line of a file: an order with all that belongs to it, or a posting without an order. */
export interface ArchivedSubject {
  developer: DeveloperId;
  environment: Environment;
  subject: string;
  /** The wallet version of its last transfer that has one. */
  lastVersion: number;
  amountPaise: number;
  /** Rows of the tables of these names, encrypted columns as they are (`\x…`). */
  order: object | null;
  transfers: { amount_paise: number }[];
  events: object[];
}

/** A file holds personal data, if encrypted: its owner alone may read it. */
const MODE = 0o600;

/** While it has this ending, nothing has left because of the file. */
export const PARTIAL = '.partial';

const sha256 = () => createHash('sha256');

/** Compresses lines into a new file, which is on the disk when this returns; answers its SHA-256. Errors: those of the disk. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<Buffer> {
  const hash = sha256();
  const hashed = new PassThrough().on('data', (bytes: Buffer) => hash.update(bytes));
  const disk = createWriteStream(file, { flags: 'wx', mode: MODE, flush: true });
  await pipeline(Readable.from(lines), createGzip(), hashed, disk);
  return hash.digest();
}

/** The subjects of a file, one at a time. Errors: those of the disk, of a damaged compression or line. */
export async function* readSubjects(file: string): AsyncGenerator<ArchivedSubject> {
  const bytes = createReadStream(file);
  const unpacked = createGunzip();
  const reading = pipeline(bytes, unpacked);
  reading.catch(() => {}); // the lines end early with the same error
  for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as ArchivedSubject;
  await reading;
}

export async function sha256Of(file: string): Promise<Buffer> {
  const hash = sha256();
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest();
}

/** What a file really holds, counted anew from its transfers. */
export async function countFile(file: string): Promise<ArchiveCounts> {
  const counts = noCounts();
  for await (const { order, transfers, events } of readSubjects(file))
    countSubject(counts, {
      isOrder: order !== null,
      transfers: transfers.length,
      events: events.length,
      amountPaise: transfers.reduce((sum, transfer) => sum + BigInt(transfer.amount_paise), 0n),
    });
  return counts;
}

/** Gives a file its name for good, and puts a description beside it; both are on the disk when this returns. */
export async function publish(file: string, description: object): Promise<void> {
  await writeFile(`${file}.json`, `${JSON.stringify(description, null, 2)}\n`, { mode: MODE, flush: true });
  await rename(`${file}${PARTIAL}`, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // an earlier run came so far
  });
  const directory = await open(path.dirname(file));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
