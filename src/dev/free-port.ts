import { type AddressInfo, createServer } from 'node:net';

/** A TCP port of this machine that nobody listens on at this moment. Another process may still be faster: who binds it must cope. */
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
