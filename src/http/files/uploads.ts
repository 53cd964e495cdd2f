import type { Readable } from 'node:stream';
import { AppError, overloaded } from '../../core/errors.js';
import { AT_ONCE_MS, FILE_PAUSE_MS, MIN_FILE_BYTES_PER_MS } from '../limits/slow-clients.js';

/** Each holds a file and its encryption in memory, some 10 MiB. */
export const UPLOADS_AT_ONCE = 2;
/** A file of 5 MiB takes some seconds. */
const RETRY_AFTER_MS = 5_000;
/** After an upload that had a place and did not finish, its account and its address wait for so long. */
export const UNFINISHED_WAIT_MS = 60_000;

export interface UploadSender {
  accountId: string;
  addressKey: string;
  /** Responds with the error and closes the connection. */
  cut: (error: AppError) => void;
}

/**
 * The uploads of a process. One account and one address have one unfinished upload each. A place, of which there are few, is taken
 * when data flows: with the second chunk, or with the end of a file that comes in one. So headers alone, or a first byte, keep nobody
 * out, and who holds a place has to go on sending at the least rate. While others want a place, the pause before that is short.
 */
export class Uploads {
  readonly #open = new Set<Upload>();
  /** Accounts and addresses that wait, until when. */
  readonly #waiting = new Map<string, number>();
  readonly #placed = new Set<Upload>();

  /**
   * Errors: RATE_LIMITED, because the sender has to wait for their own other upload and then send the same again, which a CONFLICT
   * would deny.
   */
  begin(sender: UploadSender, nowMs: number): Upload {
    for (const open of this.#open)
      if (open.keys.some((key) => keysOf(sender).includes(key)))
        throw new AppError('RATE_LIMITED', {
          message: 'Another upload of this account or address is under way. Retry after the time in Retry-After.',
          retryAfterMs: RETRY_AFTER_MS,
        });
    const waitMs = Math.max(0, ...keysOf(sender).map((key) => (this.#waiting.get(key) ?? 0) - nowMs));
    if (waitMs > 0)
      throw new AppError('RATE_LIMITED', {
        message: 'An earlier upload of this account or address was not finished. Retry after the time in Retry-After.',
        retryAfterMs: waitMs,
      });
    const upload = new Upload(sender, nowMs, this);
    this.#open.add(upload);
    return upload;
  }

  /** Where all places are taken, an upload slower than the least rate loses its own. Errors: OVERLOADED. */
  takePlace(upload: Upload, nowMs: number): void {
    for (const other of this.#placed) {
      if (this.#placed.size < UPLOADS_AT_ONCE) break;
      if (other.cutIfSlow(nowMs, AT_ONCE_MS)) this.#placed.delete(other);
    }
    if (this.#placed.size >= UPLOADS_AT_ONCE)
      throw overloaded('uploads', {
        message: 'Other uploads are under way. Retry after the time in Retry-After.',
        retryAfterMs: RETRY_AFTER_MS,
      });
    this.#placed.add(upload);
  }

  end(upload: Upload, nowMs: number, isAbandoned: boolean): void {
    if (!this.#open.delete(upload) || !upload.hasPlace) return;
    this.#placed.delete(upload);
    if (isAbandoned) for (const key of upload.keys) this.#waiting.set(key, nowMs + UNFINISHED_WAIT_MS);
  }

  /** To be called often: ends uploads that are too slow. */
  sweep(nowMs: number): void {
    for (const [key, untilMs] of this.#waiting) if (untilMs <= nowMs) this.#waiting.delete(key);
    for (const upload of this.#open) upload.cutIfSlow(nowMs);
  }
}

const keysOf = ({ accountId, addressKey }: UploadSender): readonly string[] => [
  `account:${accountId}`,
  `address:${addressKey}`,
];

export class Upload {
  readonly keys: readonly string[];
  hasPlace = false;
  /** The whole body is there: what is left is our own work. */
  hasArrived = false;
  /** It was too slow. */
  isCut = false;
  #chunks = 0;
  #receivedBytes = 0;

  constructor(
    private readonly sender: UploadSender,
    private readonly beganMs: number,
    private readonly uploads: Uploads,
  ) {
    this.keys = keysOf(sender);
  }

  /** Errors, thrown while the body is read: OVERLOADED. */
  async *reading(payload: Readable): AsyncGenerator<Buffer> {
    // destroying the request would take the connection away before the refusal is sent
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      this.received((chunk as Buffer).length);
      yield chunk as Buffer;
    }
    this.arrived();
  }

  received(bytes: number, nowMs = performance.now()): void {
    this.#receivedBytes += bytes;
    if (++this.#chunks === 2) this.#takePlace(nowMs);
  }

  arrived(nowMs = performance.now()): void {
    this.#takePlace(nowMs);
    this.hasArrived = true;
  }

  /** Returns whether it was. */
  cutIfSlow(nowMs: number, pauseMs = FILE_PAUSE_MS): boolean {
    const allowedMs = pauseMs + this.#receivedBytes / MIN_FILE_BYTES_PER_MS;
    if (this.hasArrived || this.isCut || nowMs - this.beganMs < allowedMs) return false;
    this.isCut = true;
    this.sender.cut(
      new AppError('REQUEST_TIMEOUT', {
        message: `The upload is slower than ${MIN_FILE_BYTES_PER_MS} KB a second.`,
      }),
    );
    return true;
  }

  /**
   * Gives its place to the next; to be called once. `isAnswered`: the sender got a response other than that they were too slow, so
   * that a body which we stopped reading, because it is too long for example, is not held against them.
   */
  end(nowMs: number, isAnswered: boolean): void {
    this.uploads.end(this, nowMs, this.isCut || !(this.hasArrived || isAnswered));
  }

  #takePlace(nowMs: number): void {
    if (this.hasPlace) return;
    this.uploads.takePlace(this, nowMs);
    this.hasPlace = true;
  }
}
