import path from 'node:path';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { chromiumProgram } from './chromium.js';

/** One for all files of a worker; it ends with the worker's process. Who opens a page closes it, or its context. */
let opened: Promise<Browser> | undefined;

export const openBrowser = (): Promise<Browser> => (opened ??= launch());

/** Closed networks are not asked for anything. */
async function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromiumProgram(),
    // its own list is for a single process that ends with its first page
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--disable-sync',
    ],
    headless: true,
  });
}

/** For people who want to see a page: into the directory SCREENSHOTS. Proves nothing, so without the directory none is taken. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (directory) await page.screenshot({ path: path.join(directory, `${name}.png`) });
}
