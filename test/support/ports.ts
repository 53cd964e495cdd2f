import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: between the check and the use, none of those takes it. */
const FROM = 12_000;
/** Each worker of each run has its own ports, so that no worker takes a port that another worker has just found free. */
const PER_WORKER = 250;
const WORKERS = 80;
// workers of one run have one parent
const worker = process.ppid * 7 + Number(process.env.VITEST_POOL_ID ?? 0);
const first = FROM + (worker % WORKERS) * PER_WORKER;
let next = randomInt(PER_WORKER);

/** A TCP port of the loopback interface that nobody listens on at this moment. It is not given again for a long time. */
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

/** Whether nobody listens on a local port. */
export const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
