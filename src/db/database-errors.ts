/** Error if the statement was not sent, because no connection could be established. */
export class NeverReached extends Error {
  constructor(cause: unknown) {
    super('The database is unavailable.', { cause });
    this.name = 'NeverReached';
  }
}

/** Error if the process cannot serve requests, and waiting does not help. The message is shown to the administrator. */
export class CannotServe extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'CannotServe';
  }
}

/**
 * - `away`: nothing was applied, because there was no connection, or the server temporarily rejected the statement or rolled it
 *   back. Repeat it unchanged
 * - `doubt`: the connection was lost while the statement was running, so it may have been committed. Repeat it with the same IDs
 * - `data`: the database rejects a value (SQLSTATE 22, 23)
 * - `bug`: any other error
 */
export type FailureKind = 'away' | 'doubt' | 'data' | 'bug';

/**
 * Matches temporary errors: a conflict with another transaction, out of connections or memory, our own timeout, or a server that
 * is starting or is a standby.
 */
const TRANSIENT = /^(40|53|57P03|55P03|57014|25006|ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH)/;
/** Matches errors that end the session or close the socket. */
const LOST = /^(08|57P|25P03|ECONN|EPIPE|ETIMEDOUT)/;
/** Messages of driver errors without a code. */
const LOST_WORDS =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout e|Cannot use a pool)/;

/** Classifies an error of the driver, the pool or the ORM by its effect on the statement. */
export function failureKindOf(error: unknown): FailureKind {
  if (error instanceof NeverReached) return 'away';
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string') {
    if (TRANSIENT.test(code)) return 'away';
    if (LOST.test(code)) return 'doubt';
    return /^2[23]/.test(code) ? 'data' : 'bug';
  }
  return LOST_WORDS.test(message ?? '') ? 'doubt' : 'bug';
}
