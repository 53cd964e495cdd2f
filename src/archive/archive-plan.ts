import type { PatientQuery } from '../db/patience.js';
import { type OldEntry, oldEntries } from './archive.reader.js';
import { type ArchiveCounts, countSubject, zeroCounts } from './archive-counts.js';
import type { IndianMonth } from './indian-month.js';

export interface ArchivePlan {
  /** Counts by the month of the last transfer, oldest first. `bytes`: size of the rows, without indexes. */
  months: Map<IndianMonth, ArchiveCounts & { bytes: number }>;
  /** Number of older orders that are not archived, by reason. */
  staying: Map<string, number>;
}

/** Lists the data from before a time that can be archived. This function changes nothing. */
export async function planOf(query: PatientQuery, cutoff: Date): Promise<ArchivePlan> {
  const months: ArchivePlan['months'] = new Map();
  const staying: ArchivePlan['staying'] = new Map();
  for await (const entry of oldEntries(query, cutoff, false)) {
    if (entry.stays !== null) staying.set(entry.stays, (staying.get(entry.stays) ?? 0) + 1);
    if (entry.leaves) add(months, entry);
  }
  return { months: new Map([...months].toSorted(([a], [b]) => (a < b ? -1 : 1))), staying };
}

function add(months: ArchivePlan['months'], entry: OldEntry): void {
  const counts = months.get(entry.month) ?? { ...zeroCounts(), bytes: 0 };
  months.set(entry.month, counts);
  countSubject(counts, entry);
  counts.bytes += entry.bytes;
}
