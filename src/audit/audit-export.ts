import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { canonicalJson } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import type { AuditKeys, SignedEntry, SignedExport } from './audit-keys.js';
import { readAuditLog } from './audit-log.reader.js';

/**
 * Period with an inclusive start and an exclusive end. A period without a start begins at the first entry; one without an end
 * ends with the last entry.
 */
export interface Period {
  from?: Date | undefined;
  before?: Date | undefined;
}

/** Entry in a line of an export. Hashes are hexadecimal. */
interface EntryLine extends SignedEntry {
  previous_hash: string;
  hash: string;
}

/** Signed last line of a file. A file without a valid last line is not authentic. */
interface LastLine {
  auditExport: SignedExport & { signature: string };
}

/**
 * Yields the audit log of a period as JSON Lines: one entry with its hash per line, and a last line that signs all of them.
 * The console and the command line use it. It keeps a thousand entries in memory at a time.
 */
export async function* exportLines(db: Queryable, keys: AuditKeys, { from, before }: Period): AsyncGenerator<string> {
  const lines = createHash('sha256');
  const first: { id: string | null } = { id: null };
  let last: EntryLine | undefined;
  let entries = 0;
  for await (const { previous_hash, hash, ...entry } of readAuditLog(db, from, before)) {
    last = { ...entry, previous_hash: previous_hash.toString('hex'), hash: hash.toString('hex') };
    first.id ??= entry.id;
    entries++;
    const line = `${canonicalJson(last)}\n`;
    lines.update(line);
    yield line;
  }
  const signed: SignedExport = {
    from: from?.toISOString() ?? null,
    before: before?.toISOString() ?? null,
    entries,
    first: first.id,
    last: last?.id ?? null,
    lastHash: last?.hash ?? null,
    lines: lines.digest('hex'),
    at: new Date().toISOString(),
    keyId: keys.currentKeyId,
  };
  const signature = keys.exportSignature(signed)!;
  yield `${canonicalJson({ auditExport: { ...signed, signature } } satisfies LastLine)}\n`;
}

export interface ExportReport {
  entries: number;
  /** Content of the last line. Undefined if the line is missing. */
  signed: SignedExport | undefined;
  /** First 20 problems, with their line numbers. */
  problems: string[];
}

const MAX_PROBLEMS = 20;

/** Checks an exported file without the database. It checks each entry, the links between entries, and the last line. */
export async function verifyExport(file: string, keys: AuditKeys): Promise<ExportReport> {
  const check = new ExportCheck(keys);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    check.take(line);
  return check.report();
}

class ExportCheck {
  readonly #problems: string[] = [];
  readonly #lines = createHash('sha256');
  #number = 0;
  #entries = 0;
  #first: string | null = null;
  #last: EntryLine | undefined;
  #signed: SignedExport | undefined;

  constructor(private readonly keys: AuditKeys) {}

  take(line: string): void {
    this.#number++;
    const parsed = readLine(line);
    if (parsed === undefined) return this.#addProblem('not a line of an export');
    if (this.#signed) return this.#addProblem('unexpected content after the signed line');
    if ('auditExport' in parsed) return this.#end(parsed);
    this.#lines.update(`${line}\n`);
    const problem = this.#problemOf(parsed);
    if (problem) this.#addProblem(problem);
    this.#entries++;
    this.#first ??= parsed.id;
    this.#last = parsed;
  }

  report(): ExportReport {
    const truncation = this.#signed ? [] : ['the signed line is missing: the end of the file was cut off'];
    return { entries: this.#entries, signed: this.#signed, problems: [...this.#problems, ...truncation] };
  }

  #problemOf({ hash, previous_hash, ...entry }: EntryLine): string | undefined {
    const previous = this.#last;
    if (previous && (BigInt(entry.id) !== BigInt(previous.id) + 1n || previous_hash !== previous.hash))
      return `entry ${entry.id} does not follow entry ${previous.id}: lines are missing or reordered`;
    const expectedHash = this.keys.entryHash(Buffer.from(previous_hash, 'hex'), entry);
    if (!expectedHash)
      return `entry ${entry.id} cannot be verified: its key "${entry.key_id}" is missing in AUDIT_KEYS`;
    return expectedHash.toString('hex') === hash
      ? undefined
      : `entry ${entry.id} was changed, or was not signed with this key`;
  }

  #end({ auditExport: { signature, ...signed } }: LastLine): void {
    this.#signed = signed;
    const expectedSignature = this.keys.exportSignature(signed);
    if (!expectedSignature)
      return this.#addProblem(`the key "${signed.keyId}" of the signed line is missing in AUDIT_KEYS`);
    if (expectedSignature !== signature)
      return this.#addProblem('the signed line was changed, or was not signed with this key');
    const { entries, first, last, lastHash, lines } = signed;
    const isComplete = entries === this.#entries && first === this.#first && last === (this.#last?.id ?? null);
    if (!isComplete || lastHash !== (this.#last?.hash ?? null) || lines !== this.#lines.digest('hex'))
      this.#addProblem(
        `the lines differ from the signed lines: ${entries} entries, ${first === null ? 'none' : `${first} to ${last}`}`,
      );
  }

  #addProblem(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(`line ${this.#number}: ${problem}`);
  }
}

/** Parses a line according to its fields. Returns undefined if it is not an export line. */
function readLine(line: string): EntryLine | LastLine | undefined {
  try {
    const parsed = JSON.parse(line) as Partial<EntryLine & LastLine> | null;
    if (typeof parsed?.auditExport === 'object') return parsed as LastLine;
    const isEntry =
      /^\d+$/.test(parsed?.id ?? '') && [parsed?.hash, parsed?.previous_hash].every((hash) => typeof hash === 'string');
    return isEntry ? (parsed as EntryLine) : undefined;
  } catch {
    return undefined;
  }
}
