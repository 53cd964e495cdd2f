import { connect } from 'node:net';
import type { TestResponse } from '../support/app.js';

/** Sends a request as raw bytes and returns the response with its headers. */
export async function raw(baseUrl: string, lines: readonly string[], body: string | Uint8Array = ''): Promise<string> {
  const { port } = new URL(baseUrl);
  const head = [
    ...lines,
    'connection: close',
    ...(body.length > 0 ? [`content-length: ${Buffer.from(body).length}`] : []),
  ];
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export const bodyOf = (response: string) =>
  JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4)) as TestResponse['body'];
export const statusOf = (response: string): number => Number(response.split(' ', 2)[1]);
