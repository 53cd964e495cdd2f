import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../core/log.js';
import type { Queryable } from '../db/pool.js';
import { anchorLine } from './anchor.js';
import type { AuditKeys } from './audit-keys.js';

const LAST = 'select id::text, hash from audit_entry order by audit_entry.id desc limit 1';

export interface AnchorOptions {
  /** Append-only file that several processes can share. */
  file: string;
  intervalMs: number;
}

/**
 * Writes the current end of the audit log to a file outside the database, so that a truncated or rewritten audit log can be
 * detected. It runs at start, periodically and at shutdown, and writes nothing if there is no new entry.
 */
export class AnchorWriter {
  #timer: NodeJS.Timeout | undefined;
  #queue: Promise<void> = Promise.resolve();
  #last: string | undefined;
  #succeededAtMs = Date.now();

  constructor(
    private readonly db: Queryable,
    private readonly keys: AuditKeys,
    private readonly options: AnchorOptions,
    private readonly log: Logger,
  ) {}

  /** Time the last anchor was written or found to be up to date. */
  get succeededAtMs(): number {
    return this.#succeededAtMs;
  }

  start(): void {
    void this.anchor();
    this.#timer = setInterval(() => void this.anchor(), this.options.intervalMs).unref();
  }

  /** Writes the last anchor if the writer was started. The database must still be available. */
  async stop(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.anchor();
  }

  /**
   * Writes an anchor. Only one run is active at a time. A failure is logged and retried in the next run, because the service
   * does not depend on anchors.
   */
  anchor(): Promise<void> {
    this.#queue = this.#queue.then(() =>
      this.#write().then(
        () => void (this.#succeededAtMs = Date.now()),
        (error: Error) => this.log.warn({ err: error }, 'audit anchor: writing failed, retrying in the next round'),
      ),
    );
    return this.#queue;
  }

  async #write(): Promise<void> {
    const { rows } = await this.db.query<{ id: string; hash: Buffer }>({ text: LAST });
    const entry = rows[0];
    const last = entry && `${entry.id} ${entry.hash.toString('hex')}`;
    if (!entry || last === this.#last) return;
    const line = anchorLine(this.keys, entry, new Date());
    // the log comes first, because an intruder on this server cannot change a log that was already shipped
    this.log.info(line, 'audit anchor');
    await this.#append(line);
    this.#last = last;
  }

  /**
   * Anchors an entry that this process has seen and that is now missing, so that `gateway doctor` detects the loss as well.
   * Never rejects.
   */
  async lost(entry: { id: string; hash: Buffer }): Promise<void> {
    const line = anchorLine(this.keys, entry, new Date());
    this.log.error(line, 'the end of the audit log was cut off: this entry is missing');
    await this.#append(line).catch((err: Error) => this.log.warn({ err }, 'audit anchor: writing failed'));
  }

  async #append(line: object): Promise<void> {
    const { file } = this.options;
    await mkdir(path.dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  }
}
