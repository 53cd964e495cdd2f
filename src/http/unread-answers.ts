import type { Socket } from 'node:net';

/** A client that reads more slowly than this on average, beyond the time that everybody has, is cut off. */
const MIN_BYTES_PER_MS = 16;

/** The type of an answer that goes on as long as something happens. */
export const EVENT_STREAM = 'text/event-stream';

interface Answer {
  socket: Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroyed' | 'destroy'>;
  startedMs: number;
  sentBefore: number;
  isStream: boolean;
}

/** Answers that clients have not taken yet: one that is not read would keep its memory, and a file its generator, for ever. */
export class UnreadAnswers {
  readonly #timeoutMs: number;
  readonly #answers = new Set<Answer>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns what to call when the answer is out, or its connection gone. A stream may say nothing for as long as nothing happens: only
   * what it said has to be read.
   */
  begin(socket: Answer['socket'], nowMs: number, { isStream = false } = {}): () => void {
    const answer = { socket, startedMs: nowMs, sentBefore: sentOver(socket), isStream };
    this.#answers.add(answer);
    return () => this.#answers.delete(answer);
  }

  /** To be called often. */
  sweep(nowMs: number): void {
    for (const answer of this.#answers) {
      const { socket, startedMs, sentBefore, isStream } = answer;
      if (socket.destroyed) {
        this.#answers.delete(answer);
        continue;
      }
      if (isStream && socket.writableLength === 0) {
        answer.startedMs = nowMs;
        continue;
      }
      const allowedMs = this.#timeoutMs + (sentOver(socket) - sentBefore) / MIN_BYTES_PER_MS;
      if (nowMs - startedMs < allowedMs) continue;
      this.#answers.delete(answer);
      socket.destroy();
    }
  }
}

/** What the client's side has taken, as far as the operating system tells. */
const sentOver = ({ bytesWritten, writableLength }: Answer['socket']): number => bytesWritten - writableLength;
