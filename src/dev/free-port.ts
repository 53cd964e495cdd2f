import { type AddressInfo, createServer } from 'node:net';

/** A TCP port of `host` that nobody listens on at this moment. Another process may still be faster: whoever binds it must cope. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
