import { tmpdir } from 'node:os';

/** Other tests may keep their databases in memory, but durable commits can only be measured on a disk. */
export default function setup(): void {
  process.env.TMPDIR ??= tmpdir();
}
