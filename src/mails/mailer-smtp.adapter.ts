import { createTransport } from 'nodemailer';
import { isLoopback } from '../core/addresses.js';
import type { Secret } from '../core/secret.js';
import type { Mailer } from './mailer.port.js';

/** Together less than a job may take before another process takes it over (a minute). */
const CONNECT_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 20_000;
const MAX_CONNECTIONS = 4;

/** What a URL's query could set to send in clear. */
const TLS_SETTINGS = ['secure', 'requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * `smtps://host:465` is encrypted from the first byte. `smtp://host:587` must become encrypted before anything is said: who strips
 * the server's offer of it would read the links that let somebody in. On this machine itself it need not.
 */
export function connectionOptions(url: string): { url: string; requireTLS: boolean } {
  const parsed = new URL(url);
  for (const name of TLS_SETTINGS) parsed.searchParams.delete(name);
  return { url: parsed.href, requireTLS: parsed.protocol === 'smtp:' && !isLoopback(parsed.hostname) };
}

/** Emails through a server: `smtps://user:password@host:465`, or `smtp://…:587`. */
export function createSmtpMailer(url: Secret, from: string): Mailer {
  const transport = createTransport({
    ...connectionOptions(url.reveal()),
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
