import { type FieldProblem, validationError } from '../core/errors.js';
import { isPrintable } from '../graphql-toolkit/rules.js';

/** Allowed formats, with the bytes at the start of the file. */
const formats = {
  'application/pdf': { magic: Buffer.from('%PDF-'), extension: 'pdf' },
  'image/jpeg': { magic: Buffer.from([0xff, 0xd8, 0xff]), extension: 'jpg' },
  'image/png': { magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), extension: 'png' },
} as const;

export type ContentType = keyof typeof formats;
export const contentTypes = Object.keys(formats) as ContentType[];

export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
/** Maximum number of unsubmitted documents, and of documents in one submission. */
export const MAX_DOCUMENTS = 10;

const MAX_NAME_LENGTH = 100;

/** Returns the type detected from the content, regardless of the declared type. */
const typeOf = (content: Buffer): ContentType | undefined =>
  contentTypes.find((type) => content.subarray(0, formats[type].magic.length).equals(formats[type].magic));

/** End record of a ZIP archive. Archive tools look for it in the last 64 KiB of a file, whatever precedes it. */
const END_OF_ARCHIVE = Buffer.from('PK\x05\x06\0\0\0\0', 'latin1');
const END_OF_ARCHIVE_WITHIN = 65_557;
const END_OF_PDF_WITHIN = 1_024;

const PDF_HEADER = /^%PDF-[12]\.\d[\s%]/;

/** Whether the file is also an archive, or is an incomplete PDF. */
function isAmbiguous(content: Buffer, type: ContentType): boolean {
  const tail = content.subarray(Math.max(0, content.length - END_OF_ARCHIVE_WITHIN));
  if (tail.includes(END_OF_ARCHIVE)) return true;
  if (type !== 'application/pdf') return false;
  return !PDF_HEADER.test(content.toString('latin1', 0, 9)) || !tail.subarray(-END_OF_PDF_WITHIN).includes('%%EOF');
}

export interface SentFile {
  fileName: string;
  /** Declared type in lower case. */
  contentType: string;
  content: Buffer;
}

/** Uploaded document. If a field is undefined, `problems` contains the reason. */
export interface SentDocument {
  /** Kind of document as named by the sender, such as `pan_card`. */
  kind: string | undefined;
  file: SentFile | undefined;
  /** Problems found while the upload was read. */
  problems: readonly FieldProblem[];
}

const KIND = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/;
const MAX_SENT_NAME_LENGTH = 255;

/** Checks an uploaded document. Throws VALIDATION_FAILED for `kind` and `file`, and for the document's `problems`. */
export function checkedDocument({ kind, file, problems: formProblems }: SentDocument): {
  kind: string;
  file: SentFile;
} {
  const problems = [...formProblems];
  if (kind !== undefined && !KIND.test(kind))
    problems.push({ path: 'kind', rule: 'PATTERN', message: 'Must be 1 to 40 letters, digits, spaces, _ or -.' });
  const problem = file && problemOf(file);
  if (problem) problems.push({ path: 'file', ...problem });
  if (problems.length > 0 || kind === undefined || file === undefined) throw validationError(problems);
  return { kind, file };
}

function problemOf({ fileName, contentType, content }: SentFile): Omit<FieldProblem, 'path'> | undefined {
  if (!isPrintable(fileName, 1, MAX_SENT_NAME_LENGTH))
    return { rule: 'PATTERN', message: `Must have a file name of 1 to ${MAX_SENT_NAME_LENGTH} printable characters.` };
  if (!contentTypes.some((type) => type === contentType))
    return { rule: 'ENUM', allowed: contentTypes, message: `Must have a Content-Type of ${contentTypes.join(', ')}.` };
  if (content.length === 0) return { rule: 'RANGE', message: 'Must not be empty.' };
  const type = typeOf(content);
  if (type !== contentType)
    return {
      rule: 'COMBINATION',
      message: `Must match its Content-Type. The content is ${type ?? 'of another type'}.`,
    };
  if (isAmbiguous(content, type))
    return {
      rule: 'PATTERN',
      message: 'Must be one complete document. This file is truncated or contains an archive.',
    };
  return undefined;
}

/**
 * Returns a file name that is safe to save: without folders and characters with a meaning to a shell or file system, and with
 * the extension of the actual type. `C:\scans\..\my pan?.PDF` → `my pan_.pdf`.
 */
export function safeFileName(name: string, type: ContentType): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const stem = last
    .replace(/\.[^.]*$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ()_-]+/gu, '_')
    .replace(/^[\s_-]+|\s+$/g, '');
  return `${[...stem].slice(0, MAX_NAME_LENGTH).join('') || 'document'}.${formats[type].extension}`;
}
