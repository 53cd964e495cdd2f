import { type AddressInfo, createServer } from 'node:net';

/** Returns an unused TCP port of this machine. Another process can still bind it first, so the caller must handle that. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
