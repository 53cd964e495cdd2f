import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until.js';

/** One message as received over the network. */
export interface Received {
  id: string;
  timestampS: number;
  signatures: string[];
  contentType: string | undefined;
  raw: string;
  body: any;
}

/** Reaction of the receiver to a message: a status code, `hang` for no response, or a handler. */
export type Reaction = number | 'hang' | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  received: Received[];
  /** Number of TCP connections; zero proves that nothing was sent. */
  connections(): number;
  /** Reactions to the next messages in order; later messages get 200. */
  react(...reactions: Reaction[]): void;
  /** Resolves when `count` messages have arrived. */
  has(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a real HTTP server that records the messages it receives. */
export async function startReceiver(path = '/hooks?key=secret-path'): Promise<Receiver> {
  const received: Received[] = [];
  let reactions: Reaction[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let raw = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
    request.on('end', () => {
      const { headers } = request;
      received.push({
        id: String(headers['webhook-id']),
        timestampS: Number(headers['webhook-timestamp']),
        signatures: String(headers['webhook-signature']).split(' '),
        contentType: headers['content-type'],
        raw,
        body: JSON.parse(raw),
      });
      const reaction = reactions.shift() ?? 200;
      if (typeof reaction === 'function') reaction(response);
      else if (reaction !== 'hang') response.writeHead(reaction).end('thank you');
    });
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    connections: () => connections,
    react: (...next) => (reactions = next),
    has: async (count) => {
      await until(`${count} messages have arrived`, () => received.length >= count);
      return received;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Verifies a message the way a receiver does with Standard Webhooks: one of its signatures must match the secret. */
export function isSignedWith(secret: string, { id, timestampS, raw, signatures }: Received): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${raw}`).digest('base64')}`;
  return signatures.includes(expected);
}

export const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
