import type { Queryable } from '../db/pool.js';
import type { FoundAnchor } from './anchor.js';
import { GENESIS } from './audit.service.js';
import type { AuditKeys } from './audit-keys.js';
import { readAuditLog } from './audit-log.reader.js';

export interface AuditLogReport {
  /** Number of the last entry, or 0 if the audit log is empty. */
  lastId: bigint;
  /** Problems, most severe first. Problems of the chain come before differences from the anchors. */
  problems: string[];
  /** First and last entry of each signing key. */
  keys: ReadonlyMap<string, { from: string; to: string }>;
}

/** Maximum number of problems per kind. Otherwise, a rewritten chain would have one for every entry. */
const MAX_PROBLEMS = 20;

const byEntry = (anchors: readonly FoundAnchor[]): Map<string, FoundAnchor[]> => Map.groupBy(anchors, ({ id }) => id);

/**
 * Checks the whole audit log: consecutive numbers, links to the previous entry, hashes, and the anchors. The caller must read
 * the anchors first, because entries written in the meantime only make the log longer.
 */
export async function checkAuditLog(
  db: Queryable,
  keys: AuditKeys,
  anchors: readonly FoundAnchor[],
): Promise<AuditLogReport> {
  const chainProblems: string[] = [];
  const anchorProblems: string[] = [];
  const spans = new Map<string, { from: string; to: string }>();
  const anchorsById = byEntry(anchors);
  let previous: Buffer = GENESIS;
  let lastId = 0n;
  for await (const { previous_hash, hash, ...entry } of readAuditLog(db)) {
    const problem = problemOf(keys, entry, { previous, previous_hash, hash, lastId });
    if (problem && chainProblems.length < MAX_PROBLEMS) chainProblems.push(problem);
    const span = spans.get(entry.key_id);
    if (span) span.to = entry.id;
    else spans.set(entry.key_id, { from: entry.id, to: entry.id });
    for (const anchor of anchorsById.get(entry.id) ?? [])
      if (anchor.hash !== hash.toString('hex') && anchorProblems.length < MAX_PROBLEMS)
        anchorProblems.push(`entry ${entry.id} differs from the entry anchored at ${anchor.at} (${anchor.location})`);
    previous = hash;
    lastId = BigInt(entry.id);
  }
  const furthest = anchors.reduce<FoundAnchor | undefined>(
    (latest, anchor) => (BigInt(anchor.id) > BigInt(latest?.id ?? 0) ? anchor : latest),
    undefined,
  );
  const truncationProblems =
    furthest && BigInt(furthest.id) > lastId
      ? [
          `the audit log ends at entry ${lastId}, but entry ${furthest.id} was anchored at ${furthest.at} (${furthest.location}). The end was cut off, or an older backup was restored`,
        ]
      : [];
  return { lastId, problems: [...chainProblems, ...truncationProblems, ...anchorProblems], keys: spans };
}

type Entry = Parameters<AuditKeys['entryHash']>[1];
interface Link {
  previous: Buffer;
  previous_hash: Buffer;
  hash: Buffer;
  lastId: bigint;
}

const missingUpTo = (last: bigint, first: bigint): string =>
  last === first ? 'it is missing' : `entries ${first} to ${last} are missing`;

/** Returns the problem of an entry, or undefined if it is intact. */
function problemOf(keys: AuditKeys, entry: Entry, { previous, previous_hash, hash, lastId }: Link): string | undefined {
  const expected = lastId + 1n;
  if (BigInt(entry.id) !== expected)
    return `the chain breaks at entry ${expected}: ${missingUpTo(BigInt(entry.id) - 1n, expected)}`;
  if (!previous_hash.equals(previous))
    return `the chain breaks at entry ${entry.id}: it does not follow the previous entry`;
  const expectedHash = keys.entryHash(previous_hash, entry);
  if (!expectedHash) return `entry ${entry.id} cannot be verified: its key "${entry.key_id}" is missing in AUDIT_KEYS`;
  if (!hash.equals(expectedHash))
    return `the chain breaks at entry ${entry.id}: it was changed, or was not signed with this key`;
  return undefined;
}
