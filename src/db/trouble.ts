/** The statement was not handed to the server: no connection could be made. */
export class NeverReached extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'NeverReached';
  }
}

/** The process cannot serve, and no waiting changes that. The message is one sentence for who runs it. */
export class CannotServe extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'CannotServe';
  }
}

/**
 * away   nothing was applied: no connection, or the server refused or rolled back for a reason that passes. Repeat it as it is
 * doubt  the connection went while the statement was under way: it may have been committed. Repeat it with the same ids
 * data   a value that the database refuses (SQLSTATE 22, 23)
 * bug    anything else
 */
export type Trouble = 'away' | 'doubt' | 'data' | 'bug';

/** Lost against another transaction, out of connections or memory, a timeout of ours, a server that starts or is a standby now. */
const PASSING = /^(40|53|57P03|55P03|57014|25006|ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH)/;
/** The session or the socket ended. */
const LOST = /^(08|57P|25P03|ECONN|EPIPE|ETIMEDOUT)/;
/** The driver's own errors have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout e|Cannot use a pool)/;

/** What an error of the driver, of the pool or of the ORM means for the statement it came from. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof NeverReached) return 'away';
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string') {
    if (PASSING.test(code)) return 'away';
    if (LOST.test(code)) return 'doubt';
    return /^2[23]/.test(code) ? 'data' : 'bug';
  }
  return LOST_WORDS.test(message ?? '') ? 'doubt' : 'bug';
}
