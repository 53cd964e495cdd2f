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

/** Rows of one statement. */
const BATCH = 500;

/**
 * What an investigation needs of failed attempts: a log line and a metric for each, and a row of an identifier, an address and a
 * quarter of an hour, in which they are counted: a guesser fills neither that table nor the audit log, whose lock this waits for no
 * more. The row is written after the answer, which would tell by its time what is there. What fails while rows are written is
 * counted in memory until then, so many failures at once are few statements.
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

  /** Resolves when every row is written. Before the database is closed. */
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
    // what comes in the same turn goes along
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, BATCH);
      for (const [key] of batch) this.#waiting.delete(key);
      await this.parts.events
        .add(batch.map(([, attempts]) => attempts))
        .catch((err: Error) => this.parts.log.error({ err }, 'failed attempts are missing among the security events'));
    }
    // in the turn that found nothing waiting: what comes in the next one begins anew
    this.#writing = undefined;
  }
}

/** Of a client id so much; of other words that somebody tried, which may be a password in the wrong field, the first letter. */
const CLIENT_ID_SHOWN = 14;
const DOMAIN_SHOWN = 60;

/** Who was tried, for people to read: enough to know an address by that they know. Null of links and of people, who are named otherwise. */
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
