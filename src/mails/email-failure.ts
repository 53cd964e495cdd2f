/** Why an email was not taken, in words that quote nothing: servers repeat addresses, and links that let somebody in. */
export const emailFailures = {
  rejected: 'The mail server permanently rejected the email, for example because the address does not exist.',
  deferred: 'The mail server put it off, such as for a full mailbox.',
  authentication: 'The mail server rejected the user name or password of SMTP_URL.',
  unreachable: 'The mail server could not be reached or did not respond, or not over an encrypted connection.',
  other: 'Something else; the log says what.',
} as const;
export type EmailFailure = keyof typeof emailFailures;

export interface NotTaken {
  failure: EmailFailure;
  /** Response of the server, only its codes: "550 5.1.1"; null if it did not respond. */
  response: string | null;
}

/** As Nodemailer's errors say it. */
interface SmtpError {
  code?: unknown;
  response?: unknown;
}

const AUTHENTICATION = new Set<unknown>(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
const CONNECTION = new Set<unknown>([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'EREQUIRETLS',
  'EPROTOCOL',
  'EPROXY',
]);
/** RFC 5321 4.2 and RFC 3463: "550 5.1.1 …", or "550 …". */
const RESPONSE = /^([245]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})(?= |$))?/;

export function whyNotTaken(error: unknown): NotTaken {
  const { code, response: reported } = (error ?? {}) as SmtpError;
  const [, reply, enhanced] = RESPONSE.exec(typeof reported === 'string' ? reported : '') ?? [];
  const response = reply === undefined ? null : [reply, enhanced].filter(Boolean).join(' ');
  return { failure: failureOf(code, reply), response };
}

function failureOf(code: unknown, reply: string | undefined): EmailFailure {
  if (AUTHENTICATION.has(code)) return 'authentication';
  if (reply?.startsWith('5')) return 'rejected';
  if (reply?.startsWith('4')) return 'deferred';
  return CONNECTION.has(code) ? 'unreachable' : 'other';
}
