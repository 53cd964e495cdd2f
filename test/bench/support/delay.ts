import { TcpLink } from '../../faults/support/tcp-link.js';

/** Link to a port that delays every byte by half of the round-trip time in each direction. */
export function delayed(port: number, roundTripMs: number): Promise<TcpLink> {
  const later = (pass: () => void): void => void setTimeout(pass, roundTripMs / 2);
  return new TcpLink(() => port, {
    fromClient: ({ server }, bytes) => later(() => server.write(bytes)),
    fromServer: ({ client }, bytes) => later(() => client.write(bytes)),
    serverClosed: ({ client }) => client.destroy(),
  }).open();
}
