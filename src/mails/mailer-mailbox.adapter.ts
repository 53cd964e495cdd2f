import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../core/log.js';
import type { EmailMessage, Mailer } from './mailer.port.js';
import { domainOf } from './mailer-smtp.adapter.js';

/**
 * Writes each email to its own file in a directory, for machines without a mail server. The text is not encoded, so that links
 * can be copied.
 */
export function createMailboxMailer(directory: string, from: string, log: Logger): Mailer {
  return {
    async send(email) {
      // emails contain links that grant access
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = path.join(directory, `${email.id}.eml`);
      await writeFile(`${file}.part`, messageOf(email, from), { mode: 0o600 });
      // renames the file, so that a reader never sees an incomplete email; a second attempt replaces the first
      await rename(`${file}.part`, file);
      log.info({ emailId: email.id }, 'email stored in the local mailbox');
    },
    async close() {},
  };
}

const messageOf = ({ id, to, subject, text }: EmailMessage, from: string): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${id}@${domainOf(from)}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
  ].join('\r\n');
