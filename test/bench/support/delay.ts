import { TcpLink } from '../../faults/support/tcp-link.js';

/** A way to a port on which every byte takes half of the time there and half of it back. */
export function delayed(port: number, roundTripMs: number): Promise<TcpLink> {
  const later = (pass: () => void): void => void setTimeout(pass, roundTripMs / 2);
  return new TcpLink(() => port, {
    fromClient: ({ server }, bytes) => later(() => server.write(bytes)),
    fromServer: ({ client }, bytes) => later(() => client.write(bytes)),
    serverClosed: ({ client }) => client.destroy(),
  }).open();
}
