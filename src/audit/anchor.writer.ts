import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../core/log.js';
import type { Queryable } from '../db/pool.js';
import { anchorLine } from './anchor.js';
import type { AuditKeys } from './audit-keys.js';

const LAST = 'select id::text, hash from audit_entry order by audit_entry.id desc limit 1';

export interface AnchorOptions {
  /** Only ever appended to; several processes may share it. */
  file: string;
  intervalMs: number;
}

/**
 * Writes down, outside the database, how far the audit log had come: an audit log that is cut or rewritten does not agree with
 * what is written here. At start, every few minutes and at the end; nothing when there is no new entry.
 */
export class AnchorWriter {
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #last: string | undefined;
  #succeededAtMs = Date.now();

  constructor(
    private readonly db: Queryable,
    private readonly keys: AuditKeys,
    private readonly options: AnchorOptions,
    private readonly log: Logger,
  ) {}

  /** When the last anchor was written, or found to be the newest entry still. */
  get succeededAtMs(): number {
    return this.#succeededAtMs;
  }

  start(): void {
    void this.anchor();
    this.#timer = setInterval(() => void this.anchor(), this.options.intervalMs).unref();
  }

  /** Writes the last one, if it was started. The database must still be there. */
  async stop(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.anchor();
  }

  /** One after the other. A failure is logged, and the next round tries again: the service does not depend on it. */
  anchor(): Promise<void> {
    this.#writing = this.#writing.then(() =>
      this.#write().then(
        () => void (this.#succeededAtMs = Date.now()),
        (error: Error) => this.log.warn({ err: error }, 'audit anchor not written'),
      ),
    );
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { rows } = await this.db.query<{ id: string; hash: Buffer }>({ text: LAST });
    const entry = rows[0];
    const last = entry && `${entry.id} ${entry.hash.toString('hex')}`;
    if (!entry || last === this.#last) return;
    const line = anchorLine(this.keys, entry, new Date());
    // first, because a log that is shipped elsewhere is out of reach of an intruder on this machine
    this.log.info(line, 'audit anchor');
    await this.#append(line);
    this.#last = last;
  }

  /** Writes down an entry that this process saw and that is gone, so that `gateway doctor` finds it as well. Never rejects. */
  async lost(entry: { id: string; hash: Buffer }): Promise<void> {
    const line = anchorLine(this.keys, entry, new Date());
    this.log.error(line, 'the end of the audit log was cut off: this entry is gone');
    await this.#append(line).catch((err: Error) => this.log.warn({ err }, 'audit anchor not written'));
  }

  async #append(line: object): Promise<void> {
    const { file } = this.options;
    await mkdir(path.dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  }
}
