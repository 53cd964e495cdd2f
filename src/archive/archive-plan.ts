import type { PatientQuery } from '../db/patience.js';
import { type OldLine, oldLines } from './archive.reader.js';
import { type ArchiveCounts, countSubject, noCounts } from './archive-counts.js';
import type { IndianMonth } from './indian-month.js';

export interface ArchivePlan {
  /** By the month of the last transfer, in order; `bytes` of rows, without indexes. */
  months: Map<IndianMonth, ArchiveCounts & { bytes: number }>;
  /** How many orders from before the instant stay, by reason. */
  staying: Map<string, number>;
}

/** What would leave with everything from before an instant. Changes nothing. */
export async function planOf(query: PatientQuery, before: Date): Promise<ArchivePlan> {
  const months: ArchivePlan['months'] = new Map();
  const staying: ArchivePlan['staying'] = new Map();
  for await (const line of oldLines(query, before, false)) {
    if (line.stays !== null) staying.set(line.stays, (staying.get(line.stays) ?? 0) + 1);
    if (line.leaves) add(months, line);
  }
  return { months: new Map([...months].toSorted(([a], [b]) => (a < b ? -1 : 1))), staying };
}

function add(months: ArchivePlan['months'], line: OldLine): void {
  const counts = months.get(line.month) ?? { ...noCounts(), bytes: 0 };
  months.set(line.month, counts);
  countSubject(counts, line);
  counts.bytes += line.bytes;
}
