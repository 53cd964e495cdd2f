import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Below the range of ports for outgoing connections, so that no such connection takes a port between check and use. */
const FROM = 12_000;
/** Each worker of each run has its own ports, so that no worker takes a port that another worker has just found free. */
const PER_WORKER = 250;
const WORKERS = 80;
// workers of one run have one parent
const worker = process.ppid * 7 + Number(process.env.VITEST_POOL_ID ?? 0);
const first = FROM + (worker % WORKERS) * PER_WORKER;
let next = randomInt(PER_WORKER);

/** A TCP port of the loopback interface without a listener. It is not returned again for a long time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Whether a local port has no listener. */
export const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
