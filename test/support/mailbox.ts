import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';

/** What arrived in a mailbox directory for an address, oldest first. */
export function arrivedFor(directory: string, address: string): string[] {
  // the first mail makes it
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.eml')) : [];
  const mails = files.toSorted().map((name) => readFileSync(path.join(directory, name), 'utf8'));
  return mails.filter((mail) => mail.includes(`\r\nTo: ${address}\r\n`));
}

/** The same, once there are so many. */
export const mailsTo = (directory: string, address: string, count: number): Promise<string[]> =>
  vi.waitFor(
    () => {
      const found = arrivedFor(directory, address);
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
