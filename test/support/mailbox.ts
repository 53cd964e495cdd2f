import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';

/** Files never change, and the mailbox of a shared application contains hundreds. */
const read = new Map<string, string>();

function textOf(file: string): string {
  const cached = read.get(file);
  if (cached !== undefined) return cached;
  const text = readFileSync(file, 'utf8');
  read.set(file, text);
  return text;
}

/** Emails to an address in a mailbox directory, oldest first. */
export function arrivedFor(directory: string, address: string): string[] {
  // the first email creates the directory
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.eml')) : [];
  const emails = files.toSorted().map((name) => textOf(path.join(directory, name)));
  return emails.filter((email) => email.includes(`\r\nTo: ${address}\r\n`));
}

/** Waits for this number of emails. */
export const emailsTo = (directory: string, address: string, count: number): Promise<string[]> =>
  vi.waitFor(
    () => {
      const found = arrivedFor(directory, address);
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 300_000, interval: 20 },
  );
