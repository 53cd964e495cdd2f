import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { AppError, type FieldProblem } from '../../core/errors.js';
import { shortened } from '../../graphql-toolkit/input.js';
import type { SentFile } from '../../onboarding/kyc-document.js';
import { MULTIPART, rejectCompressed } from '../requests/bodies.js';
import { decodeUtf8 } from '../requests/head.js';

/** Maximum size of the rest of the form: boundaries, part headers and texts. */
export const AROUND_FILE_BYTES = 64 * 1024;
const MAX_TEXT_BYTES = 1_024;
/** A valid form has only two parts: one text and one file. */
export const MAX_PARTS = 20;

/** Part names of a form with one text and one file. */
export interface FileFormShape {
  text: string;
  file: string;
  maxFileBytes: number;
}

/** Checks the headers before the body is read. Throws UNSUPPORTED_MEDIA_TYPE or MALFORMED_REQUEST. */
export function requireFileForm({ headers }: FastifyRequest): void {
  const contentType = headers['content-type'] ?? '';
  if (contentType.split(';', 1)[0]!.trim().toLowerCase() !== MULTIPART)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: `The request body must be ${MULTIPART}.` });
  if (!/;\s*boundary=/i.test(contentType))
    throw new AppError('MALFORMED_REQUEST', {
      message: 'The Content-Type header has no boundary. Let your HTTP client set this header.',
    });
  rejectCompressed(headers);
}

/** Returns the maximum body size of such a form. */
export const limitOf = ({ maxFileBytes }: FileFormShape): number => maxFileBytes + AROUND_FILE_BYTES;

/** Content of a form. `problems` lists missing and additional parts. */
export interface ReadForm {
  text: string | undefined;
  file: SentFile | undefined;
  problems: FieldProblem[];
}

/**
 * Reads a form as it arrives. Only the file is kept in memory, in one buffer. Throws MALFORMED_REQUEST and the errors of the
 * body stream.
 */
export async function readFileForm(
  request: FastifyRequest,
  payload: Readable,
  shape: FileFormShape,
): Promise<ReadForm> {
  const { maxFileBytes } = shape;
  const declaredBytes = Number(request.headers['content-length'] ?? maxFileBytes);
  const problems: FieldProblem[] = [];
  const parts = new Map<string, Part>();
  const form = formOf(request);
  let malformed: string | undefined;
  form.on('partsLimit', () => (malformed = `The form has more than ${MAX_PARTS} parts.`));
  form.on('file', (name: string | undefined, stream, fileName: string | undefined, _encoding, contentType) => {
    // the form reports the error of the stream
    stream.on('error', () => {});
    if (name === shape.text && !parts.has(name))
      parts.set(name, new Part(stream, fileName, contentType, MAX_TEXT_BYTES));
    else if (name === shape.file && !parts.has(name))
      parts.set(name, new Part(stream, fileName, contentType, Math.min(declaredBytes, maxFileBytes)));
    else {
      stream.resume();
      if (name === undefined) malformed ??= 'A part of the form has no name.';
      else if (parts.has(name)) problems.push({ path: name, rule: 'ITEMS', message: 'Must be sent only once.' });
      else problems.push({ path: shortened(name), rule: 'UNKNOWN_FIELD', message: 'Unknown field.' });
    }
  });
  try {
    await pipeline(payload, form);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unreadable(cause);
  }
  if (malformed !== undefined) throw new AppError('MALFORMED_REQUEST', { message: malformed });
  const text = textOf(parts.get(shape.text), shape.text, problems);
  const file = fileOf(parts.get(shape.file), shape, problems);
  return { text, file, problems };
}

/** One part of a form, whose bytes arrive in chunks. */
class Part {
  readonly fileName: string | undefined;
  readonly contentType: string;
  readonly #buffer: Buffer;
  #sentBytes = 0;

  constructor(stream: Readable, fileName: string | undefined, contentType: string, maxBytes: number) {
    this.fileName = fileName;
    this.contentType = contentType;
    // a separate allocation is released together with the file, and its unused pages take no memory
    this.#buffer = Buffer.allocUnsafeSlow(maxBytes);
    stream.on('data', (chunk: Buffer) => {
      chunk.copy(this.#buffer, Math.min(this.#sentBytes, maxBytes));
      this.#sentBytes += chunk.length;
    });
  }

  get isTooLong(): boolean {
    return this.#sentBytes > this.#buffer.length;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#sentBytes);
  }
}

function textOf(part: Part | undefined, path: string, problems: FieldProblem[]): string | undefined {
  if (!part) problems.push({ path, rule: 'REQUIRED', message: 'This field is required.' });
  else if (part.fileName !== undefined) problems.push({ path, rule: 'TYPE', message: 'Must be text, not a file.' });
  else if (part.isTooLong) problems.push({ path, rule: 'TEXT', message: `Must be at most ${MAX_TEXT_BYTES} bytes.` });
  else {
    const text = decodeUtf8(part.bytes);
    if (text !== undefined) return text;
    problems.push({ path, rule: 'TEXT', message: 'Must be UTF-8 text.' });
  }
  return undefined;
}

function fileOf(
  part: Part | undefined,
  { file: path, maxFileBytes }: FileFormShape,
  problems: FieldProblem[],
): SentFile | undefined {
  if (!part) problems.push({ path, rule: 'REQUIRED', message: 'This field is required.' });
  else if (!part.fileName) problems.push({ path, rule: 'TYPE', message: 'Must be a file with a name.' });
  else if (part.fileName.includes('\ufffd'))
    problems.push({ path, rule: 'TEXT', message: 'The file name must be UTF-8.' });
  else if (part.isTooLong)
    problems.push({ path, rule: 'RANGE', message: `Must be at most ${maxFileBytes / 1024 / 1024} MiB.` });
  else return { fileName: part.fileName, contentType: part.contentType, content: part.bytes };
  return undefined;
}

function formOf({ headers }: FastifyRequest) {
  try {
    const form = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      limits: { parts: MAX_PARTS },
      // texts are read as bytes, because the library would replace characters that are not UTF-8
      isPartAFile: () => true,
    });
    // the form can emit a second truncation error after its listener was removed
    form.on('error', () => {});
    return form;
  } catch (cause) {
    throw unreadable(cause);
  }
}

const unreadable = (cause: unknown): AppError =>
  new AppError('MALFORMED_REQUEST', {
    message: 'The form could not be read because it is truncated or its boundary is wrong.',
    cause,
  });
