import type { FastifyInstance } from 'fastify';

/** Where researchers report a flaw (RFC 9116). */
export const SECURITY_TEXT_PATH = '/.well-known/security.txt';

/** Less than a year, as the standard asks: who keeps a copy has to look again. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

export interface SecurityReports {
  /** Addresses as URIs, the preferred one first; without any there is nothing to serve. */
  contacts: readonly string[];
  policyUrl: string | undefined;
}

/** The text of one host; it is the same all day. */
export const securityText = ({ contacts, policyUrl }: SecurityReports, publicUrl: string, nowMs: number): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${SECURITY_TEXT_PATH}`,
    ...(policyUrl === undefined ? [] : [`Policy: ${policyUrl}`]),
    '',
  ].join('\n');

/** Made anew for each who asks: a process may run for longer than a copy is valid. */
export function mountSecurityText(app: FastifyInstance, reports: SecurityReports, publicUrl: string): void {
  app.get(SECURITY_TEXT_PATH, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      .send(securityText(reports, publicUrl, Date.now())),
  );
}
