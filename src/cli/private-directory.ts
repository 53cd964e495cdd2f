import { createHash, type Hash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';

/** File mode of export directories. Exports contain personal data, so only the owner can read the directory and its files. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Index entry of a file. */
export interface WrittenFile {
  name: string;
  holds: string;
  /** Number of lines of a JSON Lines file. */
  lines?: number;
  bytes: number;
  sha256: string;
}

/** Creates the directory if it does not exist, and makes it readable only for its owner. Throws if that fails. */
export function makePrivate(directory: string): void {
  try {
    const existing = statSync(directory, { throwIfNoEntry: false });
    if (existing?.isDirectory() === false) throw new Error('A file with the name of the directory exists.');
    if (existing) chmodSync(directory, DIRECTORY_MODE);
    else mkdirSync(directory, { mode: DIRECTORY_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`The directory cannot be created (${code}).`, { cause: error });
  }
}

/** New directory for an export. Existing files are never overwritten. */
export class PrivateDirectory {
  readonly files: WrittenFile[] = [];

  private constructor(private readonly directory: string) {}

  /** Creates a directory. Throws if it cannot be created or is not empty. */
  static make(directory: string): PrivateDirectory {
    makePrivate(directory);
    if (readdirSync(directory).length > 0) throw new Error('The directory is not empty. Use a new directory.');
    return new PrivateDirectory(directory);
  }

  /** Writes a JSON Lines file and keeps only one page in memory. */
  async writeLines(name: string, holds: string, pages: AsyncIterable<readonly object[]>): Promise<void> {
    let lines = 0;
    async function* texts(): AsyncGenerator<Buffer> {
      for await (const page of pages) {
        lines += page.length;
        yield Buffer.from(page.map((line) => `${JSON.stringify(line)}\n`).join(''));
      }
    }
    const { bytes, sha256 } = await this.#write(name, texts());
    this.files.push({ name, holds, lines, bytes, sha256 });
  }

  async writeBytes(name: string, holds: string, content: Buffer): Promise<void> {
    this.files.push({ name, holds, ...(await this.#write(name, [content])) });
  }

  async #write(
    name: string,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<{ bytes: number; sha256: string }> {
    const file = path.join(this.directory, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: DIRECTORY_MODE });
    const hash = createHash('sha256');
    const disk = await open(file, 'wx', FILE_MODE);
    try {
      return { bytes: await writeAll(disk, pieces, hash), sha256: hash.digest('hex') };
    } finally {
      await disk.close();
    }
  }
}

async function writeAll(
  disk: FileHandle,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  hash: Hash,
): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    await disk.writeFile(piece);
    hash.update(piece);
    bytes += piece.length;
  }
  await disk.sync();
  return bytes;
}
