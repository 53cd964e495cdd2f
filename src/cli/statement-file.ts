import type { Hash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { type ProviderLine, readBook, readCsvStatement } from '../reconcile/provider-statement.js';
import type { StatementOptions } from './reconcile-options.js';

/** Returns the transactions in the file. The bytes of the file are added to `hash`. */
export async function linesOf(options: StatementOptions, hash: Hash): Promise<ProviderLine[]> {
  const { statement, provider, columns, words, encoding, delimiter, skip, skipLast, timeFormat } = options;
  if (statement.endsWith('.jsonl')) {
    const bytes = readFileSync(statement);
    hash.update(bytes);
    return readBook(bytes.toString(), provider);
  }
  const format = { provider, columns, words, delimiter, skip, skipLast, ...(timeFormat ? { timeFormat } : {}) };
  return readCsvStatement(textOf(hashed(createReadStream(statement), hash), encoding), format);
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

/** Decodes the file. Throws if it has another encoding. */
async function* textOf(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (piece?: Buffer): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new Error(`the file is not ${encoding}: set its encoding with --encoding`);
    }
  };
  for await (const piece of bytes) yield decode(piece);
  yield decode();
}
