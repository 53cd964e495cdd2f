import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditService } from '../audit/audit.service.js';
import { newId } from '../core/ids.js';
import type { MikroORM } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';
import { oldLines, oldWallets } from './archive.reader.js';
import {
  type ArchiveFile,
  beginTables,
  copyTables,
  descriptionOf,
  markLeft,
  nextStep,
  recordFile,
  unfinishedFiles,
} from './archive.store.js';
import { countSubject, noCounts, sameCounts } from './archive-counts.js';
import {
  type ArchivedSubject,
  countFile,
  PARTIAL,
  publish,
  readSubjects,
  sha256Of,
  writeLines,
} from './archive-file.js';
import { type IndianMonth, monthOf, monthsBetween, monthsLater, startOfMonth } from './indian-month.js';

export interface ArchiveParts {
  /** As the owner of the tables, on one connection. */
  query: PatientQuery;
  orm: MikroORM;
  audit: AuditService;
  /** Where the files go. */
  directory: string;
  subjectsAtATime?: number;
  /** How long no row was copied before the copies replace the tables of a month. Longer than any statement of the service. */
  quietMs?: number;
  /** Pause before the next attempt to take locks. Each attempt can delay other statements by a second. */
  lockPauseMs?: number;
  /** Called when another transaction holds a lock that the month needs. */
  onLocked?: (month: IndianMonth) => void;
}

/** A month that has left. */
export interface LeftMonth extends ArchiveFile {
  /** Subjects that changed after the file was written: they are still here, and will be in a later file again. */
  stayed: number;
}

/** How often to try while the books are being checked as a whole. */
const BUSY_PAUSE_MS = 500;
const QUIET_MS = 30_000;
const LOCK_PAUSE_MS = 30_000;
/** Until it is checked again whether a copy is old enough. */
const WAIT_PAUSE_MS = 1_000;

const LEAVE =
  'select busy, gone, stayed from archive_leave($1, $2, $3, $4, $5::uuid[], $6::integer[], $7::bigint[], $8::integer[])';

/**
 * Lets old months leave, the oldest first, each in steps that may end anywhere and be begun again:
 * write the file, read it back, record it with its audit entry, give it its name, delete what the file holds, note the end.
 * Most orders are not deleted: the tables of their month are replaced by tables of the orders that stay.
 * Nothing leaves that was not read back from a recorded file in the same batch.
 */
export class ArchiveRun {
  constructor(private readonly parts: ArchiveParts) {}

  /** Ends what an earlier run began. Errors: one sentence, when its file is not in the directory as it was recorded. */
  async *finish(): AsyncGenerator<LeftMonth> {
    for (const file of await unfinishedFiles(this.parts.query)) {
      await this.#requireFile(file);
      yield await this.#leave(file);
    }
  }

  /** Everything from before an instant, which is the start of a month. */
  async *apply(before: Date): AsyncGenerator<LeftMonth> {
    for (const month of await this.#months(before)) {
      const file = await this.#write(month);
      if (!file) continue;
      await recordFile(file, this.parts.orm, this.parts.audit);
      yield await this.#leave(file);
    }
    for (const step of ['archive_searches', 'archive_small_months'])
      await this.parts.query({ text: `select ${step}($1)`, values: [before.toISOString()] });
  }

  /** From the oldest month that is here to the last one before an instant. */
  async #months(before: Date): Promise<IndianMonth[]> {
    const wallets = await oldWallets(this.parts.query, before);
    if (wallets.length === 0) return [];
    const first = wallets.reduce((least, { firstMonth }) => (firstMonth < least ? firstMonth : least), monthOf(before));
    return monthsBetween(first, monthOf(before));
  }

  /** The file of what was over when a month ended, read back; undefined when there is nothing. */
  async #write(month: IndianMonth): Promise<ArchiveFile | undefined> {
    const id = newId();
    const file = `ledger-${month}-${id}.ndjson.gz`;
    const before = startOfMonth(monthsLater(month, 1));
    const counts = noCounts();
    const { query } = this.parts;
    async function* lines(): AsyncGenerator<string> {
      for await (const line of oldLines(query, before, true)) {
        if (!line.leaves) continue;
        countSubject(counts, line);
        yield `${line.text}\n`;
      }
    }
    const partial = this.#pathOf(file) + PARTIAL;
    const sha256 = await writeLines(partial, lines());
    if (counts.subjects === 0) {
      await unlink(partial);
      return undefined;
    }
    const archived: ArchiveFile = { id, file, sha256, month, before, ...counts };
    await requireSame(partial, archived);
    return archived;
  }

  /** The file of an earlier run, which may not have got its name yet. */
  async #requireFile(archived: ArchiveFile): Promise<void> {
    const file = this.#pathOf(archived.file);
    const found = [file, file + PARTIAL].find((name) => existsSync(name));
    if (!found)
      throw new Error(`An earlier run wrote ${archived.file} and was not finished: name its folder with --out.`);
    await requireSame(found, archived);
  }

  async #leave(archived: ArchiveFile): Promise<LeftMonth> {
    const file = this.#pathOf(archived.file);
    await publish(file, descriptionOf(archived));
    const { query, subjectsAtATime = 500 } = this.parts;
    const state = await this.#begin(archived);
    let stayed = 0;
    if (state === 'none' || state === 'staging') {
      for await (const batch of batchesOf(readSubjects(file), subjectsAtATime))
        stayed += await this.#leaveBatch(archived, batch);
    }
    if (state === 'staging') await copyTables(query, archived, stayed);
    if (state === 'none') await markLeft(query, archived, stayed);
    else stayed = await this.#detach(archived);
    return { ...archived, stayed };
  }

  /** How far the tables of the month are; see archive_begin. */
  async #begin(archived: ArchiveFile): Promise<'none' | 'staging' | 'copied' | 'detached'> {
    for (;;) {
      const state = await beginTables(this.parts.query, archived);
      if (state !== 'locked') return state;
      await this.#locked(archived);
    }
  }

  /** Replaces the tables of the month by those of the orders that stay, and deletes the transfers of the others; returns how many subjects stayed. */
  async #detach(archived: ArchiveFile): Promise<number> {
    const { query, quietMs = QUIET_MS } = this.parts;
    for (;;) {
      const next = await nextStep(query, archived, quietMs);
      if (next.step === 'done') return next.stayed;
      if (next.step === 'locked') await this.#locked(archived);
      if (next.step === 'busy') await pause(BUSY_PAUSE_MS);
      if (next.step === 'waits') await pause(Math.min(quietMs, WAIT_PAUSE_MS));
    }
  }

  async #locked({ month }: ArchiveFile): Promise<void> {
    this.parts.onLocked?.(month);
    await pause(this.parts.lockPauseMs ?? LOCK_PAUSE_MS);
  }

  /** Subjects of one wallet; returns how many stayed. */
  async #leaveBatch({ before }: ArchiveFile, batch: readonly ArchivedSubject[]): Promise<number> {
    const { developer, environment } = batch[0]!;
    const values = [
      developer,
      environment,
      batch.at(-1)!.lastVersion,
      before.toISOString(),
      batch.map(({ subject }) => subject),
      batch.map(({ transfers }) => transfers.length),
      batch.map(({ amountPaise }) => amountPaise),
      batch.map(({ events }) => events.length),
    ];
    for (;;) {
      const [row] = await this.parts.query<{ busy: boolean; stayed: number }>({ text: LEAVE, values });
      if (!row!.busy) return row!.stayed;
      await pause(BUSY_PAUSE_MS);
    }
  }

  #pathOf(file: string): string {
    return path.join(this.parts.directory, file);
  }
}

/** Errors: one sentence, when a file holds something else than it should. */
async function requireSame(file: string, expected: ArchiveFile): Promise<void> {
  if (!(await sha256Of(file)).equals(expected.sha256) || !sameCounts(await countFile(file), expected))
    throw new Error(`${file} does not hold what was written to it: nothing leaves until it does.`);
}

/** Subjects of one wallet together; a file has them wallet by wallet. */
async function* batchesOf(subjects: AsyncIterable<ArchivedSubject>, size: number): AsyncGenerator<ArchivedSubject[]> {
  let batch: ArchivedSubject[] = [];
  for await (const subject of subjects) {
    const [first] = batch;
    const other = first && (first.developer !== subject.developer || first.environment !== subject.environment);
    if (other || batch.length === size) {
      yield batch;
      batch = [];
    }
    batch.push(subject);
  }
  if (batch.length > 0) yield batch;
}
