import type { Logger } from '../core/log.js';
import type { Attempt, AttemptKind, AttemptLog } from './attempts.js';
import { TOO_MANY } from './attempts.js';
import type { FailedAttempts, SecurityEventStore } from './security-event.store.js';

interface SecurityLogParts {
  events: Pick<SecurityEventStore, 'add'>;
  log: Logger;
  /** Adds to the metric of failed attempts. */
  count: (kind: string, reason: string) => void;
}

/** Maximum number of rows per statement. */
const BATCH = 500;

/**
 * Log of failed attempts for investigations. It writes a log line and a metric for each attempt, and one row with a count per
 * identifier, address and 15 minutes, so that guessing cannot fill the table. The audit log is not used, because its lock
 * would delay the attempts. Rows are written after the response, so that response times reveal nothing. Attempts during a
 * write are counted in memory, so that many failures need few statements.
 */
export class SecurityLog implements AttemptLog {
  readonly #waiting = new Map<string, FailedAttempts>();
  #writing: Promise<void> | undefined;

  constructor(private readonly parts: SecurityLogParts) {}

  failed(attempt: Attempt, identifierHash: string, failure: { reason: string; userId: string | undefined }): void {
    const { log, count } = this.parts;
    const { kind, addressKey, requestId } = attempt;
    const { reason } = failure;
    count(kind, reason);
    log.warn({ attempt: kind, addressKey, identifierHash, reason, requestId }, 'attempt failed');
    this.#note(attempt, identifierHash, failure);
    this.#writing ??= this.#write();
  }

  /** Resolves when all rows are written. Call it before closing the database. */
  async drain(): Promise<void> {
    await this.#writing;
  }

  #note(
    { kind, identifier, addressKey: address, requestId }: Attempt,
    identifierHash: string,
    failure: { reason: string; userId: string | undefined },
  ): void {
    const { reason, userId } = failure;
    const refused = reason === TOO_MANY;
    const now = new Date();
    const key = JSON.stringify([kind, identifierHash, address, refused]);
    const known = this.#waiting.get(key);
    this.#waiting.set(key, {
      kind,
      identifierHash,
      identifier: maskedIdentifier(kind, identifier),
      address,
      at: known?.at ?? now,
      lastAt: now,
      count: (known?.count ?? 0) + 1,
      userId: userId ?? known?.userId ?? null,
      reason,
      requestId,
      refused,
    });
  }

  async #write(): Promise<void> {
    // waits for attempts of the same event loop turn
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, BATCH);
      for (const [key] of batch) this.#waiting.delete(key);
      await this.parts.events
        .add(batch.map(([, attempts]) => attempts))
        .catch((err: Error) =>
          this.parts.log.error({ err }, 'security events: writing failed attempts failed, they are not recorded'),
        );
    }
    // is reset in the same event loop turn as the empty check, so that the next attempt starts a new write
    this.#writing = undefined;
  }
}

/**
 * Number of visible characters of a client ID. Other texts may be a password in the wrong field, so only their first letter is
 * shown.
 */
const CLIENT_ID_SHOWN = 14;
const DOMAIN_SHOWN = 60;

/**
 * Returns the masked identifier, which is sufficient to recognize a known address. Null for links and for users, who are
 * referenced by ID.
 */
export function maskedIdentifier(kind: AttemptKind, identifier: string): string | null {
  switch (kind) {
    case 'sign-in': {
      const [, first = '', domain] = /^(.)[^@]*(?:@([a-z\d.-]+))?$/iu.exec(identifier) ?? [];
      return domain === undefined ? `${first}***` : `${first}***@${domain.slice(0, DOMAIN_SHOWN)}`;
    }
    case 'exchange':
      return /^cid_[\w-]+$/.test(identifier)
        ? `${identifier.slice(0, CLIENT_ID_SHOWN)}***`
        : `${identifier.slice(0, 1)}***`;
    case 'verify-email':
    case 'reset-password':
    case 'change-password':
    case 'second-factor':
    case 'accept-invitation':
    case 'confirm-email':
      return null;
  }
}
