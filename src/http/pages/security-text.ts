import type { FastifyInstance } from 'fastify';

/** Path of the contact for security reports (RFC 9116). */
export const SECURITY_TEXT_PATH = '/.well-known/security.txt';

/** Validity of the file in days. It is less than a year, as the RFC recommends, so that copies are refreshed. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

export interface SecurityReports {
  /** Contacts as URIs, in order of preference. If empty, the file is not served. */
  contacts: readonly string[];
  policyUrl: string | undefined;
}

/** Returns the content of the file for a host. It changes once a day. */
export const securityText = ({ contacts, policyUrl }: SecurityReports, publicUrl: string, nowMs: number): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${SECURITY_TEXT_PATH}`,
    ...(policyUrl === undefined ? [] : [`Policy: ${policyUrl}`]),
    '',
  ].join('\n');

/** Serves the contact file. The file is created for each request, because a process can run longer than a copy is valid. */
export function mountSecurityText(app: FastifyInstance, reports: SecurityReports, publicUrl: string): void {
  app.get(SECURITY_TEXT_PATH, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      .send(securityText(reports, publicUrl, Date.now())),
  );
}
