import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: between the look and the use, none of those takes it. */
const FROM = 12_000;
const TO = 32_000;

/** A TCP port of the loopback interface that nobody listens on at this moment; several test runs may look at once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
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
