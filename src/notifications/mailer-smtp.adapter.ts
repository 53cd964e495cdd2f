import { createTransport } from 'nodemailer';
import type { Secret } from '../core/secret.js';
import type { Mailer } from './mailer.port.js';

/** Together less than a job may take before another process takes it over (a minute). */
const CONNECT_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 20_000;
const MAX_CONNECTIONS = 4;

/** Mails through a server: `smtps://user:password@host:465`, or `smtp://…:587`, which is encrypted when the server offers it. */
export function createSmtpMailer(url: Secret, from: string): Mailer {
  const transport = createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: ANSWER_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send({ id, to, subject, text }) {
      // an object, so that no address is read as a list of them
      await transport.sendMail({ messageId: `<${id}@${domain}>`, from, to: { name: '', address: to }, subject, text });
    },
    async close() {
      transport.close();
    },
  };
}

/** "Gateway <no-reply@mail.example>" → "mail.example". */
export const domainOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
