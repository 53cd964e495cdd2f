import { createTransport } from 'nodemailer';
import { isLoopback } from '../core/addresses.js';
import type { Secret } from '../core/secret.js';
import type { Mailer } from './mailer.port.js';

/**
 * Time limit for connecting. The sum of the limits must be less than the time after which another process takes over a job
 * (one minute).
 */
const CONNECT_LIMIT_MS = 10_000;
const RESPONSE_LIMIT_MS = 20_000;
const MAX_CONNECTIONS = 4;

/** Query parameters of the URL that could disable encryption. */
const TLS_SETTINGS = ['secure', 'requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * Returns the connection options. `smtps://host:465` is encrypted from the start. `smtp://host:587` must switch to encryption
 * first, because an attacker who removes the offer of the server could otherwise read links that grant access. Encryption is
 * not required for a mail server on the same machine.
 */
export function connectionOptions(url: string): { url: string; requireTLS: boolean } {
  const parsed = new URL(url);
  for (const name of TLS_SETTINGS) parsed.searchParams.delete(name);
  return { url: parsed.href, requireTLS: parsed.protocol === 'smtp:' && !isLoopback(parsed.hostname) };
}

/** Sends emails through a mail server: `smtps://user:password@host:465`, or `smtp://…:587`. */
export function createSmtpMailer(url: Secret, from: string): Mailer {
  const transport = createTransport({
    ...connectionOptions(url.reveal()),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: RESPONSE_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send({ id, to, subject, text }) {
      // an object is used, so that the address cannot be parsed as a list
      await transport.sendMail({ messageId: `<${id}@${domain}>`, from, to: { name: '', address: to }, subject, text });
    },
    async close() {
      transport.close();
    },
  };
}

/** Returns the domain of a sender: "Gateway <no-reply@mail.example>" → "mail.example". */
export const domainOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
