/**
 * Reasons an email was not accepted. The texts quote no response, because servers repeat addresses and links that grant
 * access.
 */
export const emailFailures = {
  rejected: 'The mail server permanently rejected the email, for example because the address does not exist.',
  deferred: 'The mail server temporarily rejected the email, for example because of a full mailbox.',
  authentication: 'The mail server rejected the user name or password of SMTP_URL.',
  unreachable: 'The mail server could not be reached, did not respond, or offered no encrypted connection.',
  other: 'Other error. The log has the details.',
} as const;
export type EmailFailure = keyof typeof emailFailures;

export interface DeliveryError {
  failure: EmailFailure;
  /** Codes of the server's response, for example "550 5.1.1". Null if there was none. */
  response: string | null;
}

/** Error of Nodemailer. */
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
/** Start of a response (RFC 5321 4.2 and RFC 3463): "550 5.1.1 …", or "550 …". */
const RESPONSE = /^([245]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})(?= |$))?/;

export function deliveryErrorOf(error: unknown): DeliveryError {
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
