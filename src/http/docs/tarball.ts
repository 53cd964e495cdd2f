import { gzipSync } from 'node:zlib';

const BLOCK = 512;

/** Returns a `ustar` entry: header, content, and zeros up to the next block. */
function entry(name: string, bytes: Buffer): Buffer {
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0);
  head.write(octal(0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(bytes.length, 11), 124);
  head.write(octal(TIME, 11), 136);
  // the checksum is computed with spaces in the checksum field
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\x0000', 257, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([head, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

/** Modification time of all files. It is constant, so that the archive and its checksum are the same on every machine. */
const TIME = Date.UTC(2000, 0, 1) / 1_000;

/**
 * Creates a package for npm and Composer, which is a .tgz archive of one directory. File names have at most 99 ASCII characters.
 */
export const tarball = (files: Readonly<Record<string, Buffer>>): Buffer =>
  gzipSync(
    Buffer.concat([
      ...Object.entries(files).map(([name, bytes]) => entry(`package/${name}`, bytes)),
      Buffer.alloc(2 * BLOCK),
    ]),
    { level: 9 },
  );
