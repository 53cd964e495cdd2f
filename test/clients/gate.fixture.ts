import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A fault in the transmission of one request or of its response. */
export type Fault =
  /** No fault. */
  | 'none'
  /** The connection breaks before the request has arrived, or when half of it has arrived. */
  | 'reset before'
  | 'half before'
  /** The connection breaks after the service has processed the request. */
  | 'reset after'
  /** Only half of the response arrives. */
  | 'cut'
  /** The service responds, but the client receives nothing until it disconnects. */
  | 'no response'
  /** The connection breaks, and the request arrives only when `letGo` is called. */
  | 'held'
  /** The request arrives twice, and the client receives the second response. */
  | 'doubled'
  /** A proxy returns an error page, before or after the service has processed the request. */
  | 'page before'
  | 'page after'
  /** The service receives a different body. */
  | { body: object }
  /** Another server returns this response, before or after the service has processed the request. */
  | { answer: object; httpStatus: number; arrives: boolean };

export interface PassedRequest {
  method: string;
  path: string;
  body: any;
  authorization: string | undefined;
}

/** A proxy between a client and one host of the service that can add a fault to each request. */
export interface Gate {
  url: string;
  /** All requests, oldest first. */
  requests: PassedRequest[];
  /** Sends later requests to another address. */
  leadTo(target: string): void;
  /** Number of requests to paths with this ending. */
  count(pathEnd: string): number;
  /** Faults for the next requests to paths with this ending, in order; later requests have none. */
  faults(pathEnd: string, ...faults: Fault[]): void;
  /** Called when the service has responded but the client receives nothing. */
  onSilence: () => void;
  /** Delivers the held requests; resolves when the service has responded to all of them. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(to: string): Promise<Gate> {
  let target = to;
  const requests: PassedRequest[] = [];
  const planned = new Map<string, Fault[]>();
  const next = (path: string): Fault => {
    for (const [end, faults] of planned) if (path.endsWith(end)) return faults.shift() ?? 'none';
    return 'none';
  };
  let heldRequests: (() => Promise<void>)[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const path = request.url!.split('?', 1)[0]!;
      const { method = '', headers } = request;
      const text = body.toString('utf8');
      requests.push({ method, path, body: text && JSON.parse(text), authorization: headers.authorization });
      const fault = next(path);
      if (fault === 'held') {
        heldRequests.push(() => pass(target, request, body, response, 'no response'));
        return void response.socket!.resetAndDestroy();
      }
      await pass(target, request, body, response, fault);
      if (fault === 'no response') gate.onSilence();
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    leadTo: (other) => void (target = other),
    count: (pathEnd) => requests.filter(({ path }) => path.endsWith(pathEnd)).length,
    faults: (pathEnd, ...faults) => void planned.set(pathEnd, faults),
    onSilence: () => {},
    release: async () => {
      const released = heldRequests;
      heldRequests = [];
      for (const forward of released) await forward();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}

async function pass(
  target: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  fault: Fault,
): Promise<void> {
  const page = (): void =>
    void response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
  if (fault === 'reset before') return void response.socket!.resetAndDestroy();
  if (fault === 'page before') return page();
  const substitute = typeof fault === 'object' && 'answer' in fault ? fault : undefined;
  const sendSubstitute = (): void =>
    void response
      .writeHead(substitute!.httpStatus, { 'content-type': 'application/json' })
      .end(JSON.stringify(substitute!.answer));
  if (substitute && !substitute.arrives) return sendSubstitute();
  const sent = typeof fault === 'object' && 'body' in fault ? Buffer.from(JSON.stringify(fault.body)) : body;
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
  if (fault === 'half before') {
    await sendHalf(`${target}${request.url}`, { ...headers, 'content-length': String(body.length) }, body);
    return void response.socket!.resetAndDestroy();
  }
  const forward = () =>
    fetch(`${target}${request.url}`, {
      method: request.method!,
      headers,
      ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
    });
  if (fault === 'doubled') await (await forward()).arrayBuffer();
  const upstream = await forward();
  const content = Buffer.from(await upstream.arrayBuffer());
  if (fault === 'reset after') return void response.socket!.resetAndDestroy();
  if (fault === 'page after') return page();
  if (substitute) return sendSubstitute();
  if (fault === 'no response') return;
  const {
    'content-encoding': ____,
    'transfer-encoding': _____,
    ...upstreamHeaders
  } = Object.fromEntries(upstream.headers);
  response.writeHead(upstream.status, { ...upstreamHeaders, connection: 'close', 'content-length': content.length });
  if (fault !== 'cut') return void response.end(content);
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
}

async function sendHalf(url: string, headers: Record<string, string>, body: Buffer): Promise<void> {
  const half = send(url, { method: 'POST', headers });
  half.on('error', () => {});
  await new Promise((resolve) => half.write(body.subarray(0, body.length / 2), resolve));
  half.destroy();
}
