import { tmpdir } from 'node:os';

/** Tests may keep their databases in memory; what a durable commit costs is only known on a disk. */
export default function setup(): void {
  process.env.TMPDIR ??= tmpdir();
}
