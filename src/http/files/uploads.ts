import type { Readable } from 'node:stream';
import { AppError, overloaded } from '../../core/errors.js';
import { AT_ONCE_MS, FILE_PAUSE_MS, MIN_FILE_BYTES_PER_MS } from '../limits/slow-clients.js';

/** Number of concurrent uploads. Each upload holds a file and its encrypted form in memory, about 10 MiB. */
export const UPLOADS_AT_ONCE = 2;
/** Delay before a retry. Uploading a file of 5 MiB takes a few seconds. */
const RETRY_AFTER_MS = 5_000;
/** Waiting period for an account and its address after an upload that had a slot and was not completed. */
export const UNFINISHED_WAIT_MS = 60_000;

export interface UploadSender {
  accountId: string;
  addressKey: string;
  /** Sends the error response and closes the connection. */
  abort: (error: AppError) => void;
}

/**
 * Uploads of a process. Each account and each address can have one open upload. The few slots are taken only when data arrives:
 * with the second chunk, or at the end of a file with a single chunk. Therefore, a client that sends only headers or a first
 * byte does not block others. An upload with a slot must keep the minimum rate. If others wait for a slot, only a short pause is
 * allowed.
 */
export class Uploads {
  readonly #open = new Set<Upload>();
  /** Accounts and addresses in the waiting period, with the end time of the period. */
  readonly #waiting = new Map<string, number>();
  readonly #placed = new Set<Upload>();

  /**
   * Starts an upload. Throws RATE_LIMITED if the sender has another open upload. Unlike CONFLICT, this code means that the
   * sender can send the same request again after a delay.
   */
  begin(sender: UploadSender, nowMs: number): Upload {
    for (const open of this.#open)
      if (open.keys.some((key) => keysOf(sender).includes(key)))
        throw new AppError('RATE_LIMITED', {
          message: 'Another upload of this account or address is in progress. Retry after the time in Retry-After.',
          retryAfterMs: RETRY_AFTER_MS,
        });
    const waitMs = Math.max(0, ...keysOf(sender).map((key) => (this.#waiting.get(key) ?? 0) - nowMs));
    if (waitMs > 0)
      throw new AppError('RATE_LIMITED', {
        message:
          'The previous upload from this account or IP address was not completed. Retry after the time in Retry-After.',
        retryAfterMs: waitMs,
      });
    const upload = new Upload(sender, nowMs, this);
    this.#open.add(upload);
    return upload;
  }

  /** Gives the upload a slot. If all slots are taken, an upload below the minimum rate loses its slot. Throws OVERLOADED. */
  takePlace(upload: Upload, nowMs: number): void {
    for (const other of this.#placed) {
      if (this.#placed.size < UPLOADS_AT_ONCE) break;
      if (other.abortIfSlow(nowMs, AT_ONCE_MS)) this.#placed.delete(other);
    }
    if (this.#placed.size >= UPLOADS_AT_ONCE)
      throw overloaded('uploads', {
        message: 'Too many uploads are in progress. Retry after the time in Retry-After.',
        retryAfterMs: RETRY_AFTER_MS,
      });
    this.#placed.add(upload);
  }

  end(upload: Upload, nowMs: number, isAbandoned: boolean): void {
    if (!this.#open.delete(upload) || !upload.hasPlace) return;
    this.#placed.delete(upload);
    if (isAbandoned) for (const key of upload.keys) this.#waiting.set(key, nowMs + UNFINISHED_WAIT_MS);
  }

  /** Ends uploads that are too slow. The caller must call it often. */
  sweep(nowMs: number): void {
    for (const [key, untilMs] of this.#waiting) if (untilMs <= nowMs) this.#waiting.delete(key);
    for (const upload of this.#open) upload.abortIfSlow(nowMs);
  }
}

const keysOf = ({ accountId, addressKey }: UploadSender): readonly string[] => [
  `account:${accountId}`,
  `address:${addressKey}`,
];

export class Upload {
  readonly keys: readonly string[];
  hasPlace = false;
  /** Whether the whole body has arrived, so that the sender no longer affects the duration. */
  hasArrived = false;
  /** Whether the upload was ended because it was too slow. */
  isAborted = false;
  #chunks = 0;
  #receivedBytes = 0;

  constructor(
    private readonly sender: UploadSender,
    private readonly startedMs: number,
    private readonly uploads: Uploads,
  ) {
    this.keys = keysOf(sender);
  }

  /** Passes on the body while it is read. Throws OVERLOADED. */
  async *countBytes(payload: Readable): AsyncGenerator<Buffer> {
    // destroying the request would close the connection before the error response is sent
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      this.noteBytes((chunk as Buffer).length);
      yield chunk as Buffer;
    }
    this.noteEnd();
  }

  noteBytes(bytes: number, nowMs = performance.now()): void {
    this.#receivedBytes += bytes;
    if (++this.#chunks === 2) this.#takePlace(nowMs);
  }

  noteEnd(nowMs = performance.now()): void {
    this.#takePlace(nowMs);
    this.hasArrived = true;
  }

  /** Ends the upload if it is too slow. Returns whether it was. */
  abortIfSlow(nowMs: number, pauseMs = FILE_PAUSE_MS): boolean {
    const allowedMs = pauseMs + this.#receivedBytes / MIN_FILE_BYTES_PER_MS;
    if (this.hasArrived || this.isAborted || nowMs - this.startedMs < allowedMs) return false;
    this.isAborted = true;
    this.sender.abort(
      new AppError('REQUEST_TIMEOUT', {
        message: `The upload is slower than ${MIN_FILE_BYTES_PER_MS} KB/s.`,
      }),
    );
    return true;
  }

  /**
   * Releases the slot; must be called once.
   * @param hasResponded whether a response was sent, other than the one for a slow upload. An upload that we stopped reading, for
   * example because it was too long, is then not treated as abandoned
   */
  end(nowMs: number, hasResponded: boolean): void {
    this.uploads.end(this, nowMs, this.isAborted || !(this.hasArrived || hasResponded));
  }

  #takePlace(nowMs: number): void {
    if (this.hasPlace) return;
    this.uploads.takePlace(this, nowMs);
    this.hasPlace = true;
  }
}
