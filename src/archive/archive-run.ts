import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditService } from '../audit/audit.service.js';
import { newId } from '../core/ids.js';
import type { MikroORM } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';
import { oldEntries, oldWallets } from './archive.reader.js';
import {
  type ArchiveFile,
  copyTables,
  descriptionOf,
  markRemoved,
  nextStep,
  prepareTables,
  recordFile,
  unfinishedFiles,
} from './archive.store.js';
import { countSubject, sameCounts, zeroCounts } from './archive-counts.js';
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
  /** Single connection as the owner of the tables. */
  query: PatientQuery;
  orm: MikroORM;
  audit: AuditService;
  /** Directory of the files. */
  directory: string;
  subjectsAtATime?: number;
  /**
   * Minimum time since the last copied row before the copies replace the tables of a month. It is longer than any statement of
   * the service.
   */
  quietMs?: number;
  /** Pause before the next attempt to lock tables. Each attempt can delay other statements by a second. */
  lockPauseMs?: number;
  /** Called when another transaction holds a lock on the tables of the month. */
  onLocked?: (month: IndianMonth) => void;
}

/** Archived month. */
export interface ArchivedMonth extends ArchiveFile {
  /**
   * Number of subjects that changed after the file was written. They remain in the database, and a later file contains them
   * again.
   */
  stayed: number;
}

/** Pause before the next attempt while a full ledger check is reading. */
const BUSY_PAUSE_MS = 500;
const QUIET_MS = 30_000;
const LOCK_PAUSE_MS = 30_000;
/** Pause before checking again whether the quiet time has passed. */
const WAIT_PAUSE_MS = 1_000;

const REMOVE_BATCH =
  'select busy, gone, stayed from archive_leave($1, $2, $3, $4, $5::uuid[], $6::integer[], $7::bigint[], $8::integer[])';

/**
 * Archives old months, oldest first. An interrupted run continues with the next step:
 * 1. Write the file and read it back.
 * 2. Record it with its audit entry, and give it its final name.
 * 3. Delete its content from the database. Most orders are not deleted row by row: tables of the remaining orders replace the
 * tables of the month.
 * 4. Mark the file as finished.
 * Only subjects that were read back from a recorded file are removed from the database.
 */
export class ArchiveRun {
  constructor(private readonly parts: ArchiveParts) {}

  /** Completes the month of an interrupted run. Throws if its file is missing in the directory or differs from the record. */
  async *finish(): AsyncGenerator<ArchivedMonth> {
    for (const file of await unfinishedFiles(this.parts.query)) {
      await this.#requireFile(file);
      yield await this.#removeFromDatabase(file);
    }
  }

  /** Archives all data from before the start of a month. */
  async *apply(cutoff: Date): AsyncGenerator<ArchivedMonth> {
    for (const month of await this.#months(cutoff)) {
      const file = await this.#write(month);
      if (!file) continue;
      await recordFile(file, this.parts.orm, this.parts.audit);
      yield await this.#removeFromDatabase(file);
    }
    for (const step of ['archive_searches', 'archive_small_months'])
      await this.parts.query({ text: `select ${step}($1)`, values: [cutoff.toISOString()] });
  }

  /** Returns the months from the oldest one in the database to the last one before a time. */
  async #months(cutoff: Date): Promise<IndianMonth[]> {
    const wallets = await oldWallets(this.parts.query, cutoff);
    if (wallets.length === 0) return [];
    const start = wallets.reduce(
      (earliest, { firstMonth }) => (firstMonth < earliest ? firstMonth : earliest),
      monthOf(cutoff),
    );
    return monthsBetween(start, monthOf(cutoff));
  }

  /** Writes and verifies the file of subjects that were complete at the end of a month. Returns undefined if there are none. */
  async #write(month: IndianMonth): Promise<ArchiveFile | undefined> {
    const id = newId();
    const file = `ledger-${month}-${id}.ndjson.gz`;
    const before = startOfMonth(monthsLater(month, 1));
    const counts = zeroCounts();
    const { query } = this.parts;
    async function* lines(): AsyncGenerator<string> {
      for await (const entry of oldEntries(query, before, true)) {
        if (!entry.leaves) continue;
        countSubject(counts, entry);
        yield `${entry.text}\n`;
      }
    }
    const partial = this.#pathOf(file) + PARTIAL;
    const sha256 = await writeLines(partial, lines());
    if (counts.subjects === 0) {
      await unlink(partial);
      return undefined;
    }
    const archived: ArchiveFile = { id, file, sha256, month, before, ...counts };
    await requireMatch(partial, archived);
    return archived;
  }

  /** Verifies the file of an interrupted run. It may still have its partial name. */
  async #requireFile(archived: ArchiveFile): Promise<void> {
    const file = this.#pathOf(archived.file);
    const existingFile = [file, file + PARTIAL].find((name) => existsSync(name));
    if (!existingFile)
      throw new Error(
        `An earlier run wrote ${archived.file} and was interrupted. Set --out to the directory of this file.`,
      );
    await requireMatch(existingFile, archived);
  }

  async #removeFromDatabase(archived: ArchiveFile): Promise<ArchivedMonth> {
    const file = this.#pathOf(archived.file);
    await publish(file, descriptionOf(archived));
    const { query, subjectsAtATime = 500 } = this.parts;
    const state = await this.#prepareTables(archived);
    let stayed = 0;
    if (state === 'none' || state === 'staging') {
      for await (const batch of batchesOf(readSubjects(file), subjectsAtATime))
        stayed += await this.#removeBatch(archived, batch);
    }
    if (state === 'staging') await copyTables(query, archived, stayed);
    if (state === 'none') await markRemoved(query, archived, stayed);
    else stayed = await this.#detach(archived);
    return { ...archived, stayed };
  }

  /** Returns the state of the tables of the month, see archive_begin. */
  async #prepareTables(archived: ArchiveFile): Promise<'none' | 'staging' | 'copied' | 'detached'> {
    for (;;) {
      const state = await prepareTables(this.parts.query, archived);
      if (state !== 'locked') return state;
      await this.#waitForLock(archived);
    }
  }

  /**
   * Replaces the month's tables with tables of the orders that remain, and deletes the transfers of archived orders. Returns the
   * number of remaining subjects.
   */
  async #detach(archived: ArchiveFile): Promise<number> {
    const { query, quietMs = QUIET_MS } = this.parts;
    for (;;) {
      const detachStep = await nextStep(query, archived, quietMs);
      if (detachStep.step === 'done') return detachStep.stayed;
      if (detachStep.step === 'locked') await this.#waitForLock(archived);
      if (detachStep.step === 'busy') await pause(BUSY_PAUSE_MS);
      if (detachStep.step === 'waits') await pause(Math.min(quietMs, WAIT_PAUSE_MS));
    }
  }

  async #waitForLock({ month }: ArchiveFile): Promise<void> {
    this.parts.onLocked?.(month);
    await pause(this.parts.lockPauseMs ?? LOCK_PAUSE_MS);
  }

  /** Archives a batch of subjects of one wallet. Returns the number of subjects that remain. */
  async #removeBatch({ before }: ArchiveFile, batch: readonly ArchivedSubject[]): Promise<number> {
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
      const [row] = await this.parts.query<{ busy: boolean; stayed: number }>({ text: REMOVE_BATCH, values });
      if (!row!.busy) return row!.stayed;
      await pause(BUSY_PAUSE_MS);
    }
  }

  #pathOf(file: string): string {
    return path.join(this.parts.directory, file);
  }
}

/** Verifies the hash and the counts of a file. Throws if they differ. */
async function requireMatch(file: string, expected: ArchiveFile): Promise<void> {
  if (!(await sha256Of(file)).equals(expected.sha256) || !sameCounts(await countFile(file), expected))
    throw new Error(
      `${file} differs from the data that was written to it, so archiving was stopped. Restore the file, or check the disk.`,
    );
}

/** Returns batches of subjects of one wallet. A file is sorted by wallet. */
async function* batchesOf(subjects: AsyncIterable<ArchivedSubject>, size: number): AsyncGenerator<ArchivedSubject[]> {
  let batch: ArchivedSubject[] = [];
  for await (const subject of subjects) {
    const [first] = batch;
    const isNextWallet = first && (first.developer !== subject.developer || first.environment !== subject.environment);
    if (isNextWallet || batch.length === size) {
      yield batch;
      batch = [];
    }
    batch.push(subject);
  }
  if (batch.length > 0) yield batch;
}
