import path from 'node:path';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { chromiumProgram } from './chromium.js';

/** Shared by all files of a worker; closes with the process of the worker. Tests close the pages or contexts that they open. */
let opened: Promise<Browser> | undefined;

export const openBrowser = (): Promise<Browser> => (opened ??= launch());

/** Starts the browser without access to unreachable networks. */
async function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromiumProgram(),
    // the default list is for a single process that ends with its first page
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

/** Stores a screenshot in the directory SCREENSHOTS, for human review. Without the directory, none is taken. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (directory) await page.screenshot({ path: path.join(directory, `${name}.png`) });
}
