import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request on its way from a client to the service, or to its answer. */
export type Accident =
  /** Nothing. */
  | 'none'
  /** The connection breaks, and the request has not arrived, or half of it. */
  | 'reset before'
  | 'half before'
  /** The service has answered, and the connection breaks. */
  | 'reset after'
  /** Half of the answer arrives. */
  | 'cut'
  /** The service has answered, and the client hears nothing until it goes away. */
  | 'silence'
  /** The connection breaks, and the request arrives all the same, when it is `letGo`. */
  | 'held'
  /** It arrives twice; the client hears the second answer. */
  | 'doubled'
  /** A proxy answers with a page of its own, before the service or after it. */
  | 'page before'
  | 'page after'
  /** The service is reached with another body. */
  | { body: object }
  /** Somebody else answers, before the service or after it. */
  | { answer: object; httpStatus: number; arrives: boolean };

export interface PassedRequest {
  method: string;
  path: string;
  body: any;
  authorization: string | undefined;
}

/** The way from a client to one host of the service; each request may meet an accident. */
export interface Gate {
  url: string;
  /** Every request, oldest first. */
  requests: PassedRequest[];
  /** Requests go to another address from now on. */
  leadTo(target: string): void;
  /** How many requests went to paths that end so. */
  count(pathEnd: string): number;
  /** For the coming requests to paths that end so, in turn; then nothing happens any more. */
  accidents(pathEnd: string, ...accidents: Accident[]): void;
  /** Called when the service has answered and the client hears nothing. */
  onSilence: () => void;
  /** What was held arrives; resolves when the service has answered all of it. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(to: string): Promise<Gate> {
  let target = to;
  const requests: PassedRequest[] = [];
  const planned = new Map<string, Accident[]>();
  const next = (path: string): Accident => {
    for (const [end, accidents] of planned) if (path.endsWith(end)) return accidents.shift() ?? 'none';
    return 'none';
  };
  let held: (() => Promise<void>)[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const path = request.url!.split('?', 1)[0]!;
      const { method = '', headers } = request;
      const text = body.toString('utf8');
      requests.push({ method, path, body: text && JSON.parse(text), authorization: headers.authorization });
      const accident = next(path);
      if (accident === 'held') {
        held.push(() => pass(target, request, body, response, 'silence'));
        return void response.socket!.resetAndDestroy();
      }
      await pass(target, request, body, response, accident);
      if (accident === 'silence') gate.onSilence();
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    leadTo: (other) => void (target = other),
    count: (pathEnd) => requests.filter(({ path }) => path.endsWith(pathEnd)).length,
    accidents: (pathEnd, ...accidents) => void planned.set(pathEnd, accidents),
    onSilence: () => {},
    letGo: async () => {
      const arriving = held;
      held = [];
      for (const arrive of arriving) await arrive();
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
  accident: Accident,
): Promise<void> {
  const page = (): void =>
    void response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
  if (accident === 'reset before') return void response.socket!.resetAndDestroy();
  if (accident === 'page before') return page();
  const instead = typeof accident === 'object' && 'answer' in accident ? accident : undefined;
  const other = (): void =>
    void response
      .writeHead(instead!.httpStatus, { 'content-type': 'application/json' })
      .end(JSON.stringify(instead!.answer));
  if (instead && !instead.arrives) return other();
  const sent = typeof accident === 'object' && 'body' in accident ? Buffer.from(JSON.stringify(accident.body)) : body;
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
  if (accident === 'half before') {
    await sendHalf(`${target}${request.url}`, { ...headers, 'content-length': String(body.length) }, body);
    return void response.socket!.resetAndDestroy();
  }
  const arrive = () =>
    fetch(`${target}${request.url}`, {
      method: request.method!,
      headers,
      ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
    });
  if (accident === 'doubled') await (await arrive()).arrayBuffer();
  const answer = await arrive();
  const said = Buffer.from(await answer.arrayBuffer());
  if (accident === 'reset after') return void response.socket!.resetAndDestroy();
  if (accident === 'page after') return page();
  if (instead) return other();
  if (accident === 'silence') return;
  const { 'content-encoding': ____, 'transfer-encoding': _____, ...given } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, { ...given, connection: 'close', 'content-length': said.length });
  if (accident !== 'cut') return void response.end(said);
  response.write(said.subarray(0, said.length / 2), () => response.destroy());
}

async function sendHalf(url: string, headers: Record<string, string>, body: Buffer): Promise<void> {
  const half = send(url, { method: 'POST', headers });
  half.on('error', () => {});
  await new Promise((written) => half.write(body.subarray(0, body.length / 2), written));
  half.destroy();
}
